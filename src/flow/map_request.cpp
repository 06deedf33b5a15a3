#include "flow/map_request.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/core.h>

#include "base/text.h"
#include "pegnn/error.h"

namespace pegnn {
namespace {

[[noreturn]] void fail(const std::string& text) { throw Error(ErrorKind::usage, text); }

std::vector<double> parse_numbers(const std::vector<std::string>& words, const std::string& option,
                                  const std::string& wanted) {
  std::vector<double> numbers;
  for (const std::string& word : words) {
    const std::optional<double> number = parse_number(word);
    if (!number || !std::isfinite(*number)) {
      fail(fmt::format("{} {}: '{}' is not a number; {}", option, join(words, ","), word, wanted));
    }
    numbers.push_back(*number);
  }
  return numbers;
}

Covariate parse_covariate(const std::string& word) {
  const std::size_t equals = word.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == word.size()) {
    fail(fmt::format("<option:covariates> '{}': write FEATURE=RASTER, for instance rain=rain.tif",
                     word));
  }
  Covariate one{.feature = word.substr(0, equals), .place = word.substr(equals + 1)};
  const std::size_t hash = one.place.rfind('#');
  if (hash == std::string::npos) return one;
  const auto band = parse_integer(std::string_view(one.place).substr(hash + 1));
  if (!band || *band < 1 || *band > 65536) {
    fail(fmt::format("<option:covariates> '{}': after # stands the number of a band, 1 or more",
                     word));
  }
  one.band = static_cast<int>(*band);
  one.place.resize(hash);
  return one;
}

}  // namespace

Extent parse_box(const std::vector<std::string>& words) {
  const std::string wanted = "write xmin,ymin,xmax,ymax";
  const std::vector<double> n = parse_numbers(words, "<option:bbox>", wanted);
  if (n.size() != 4) fail(fmt::format("<option:bbox> has {} numbers; {}", n.size(), wanted));
  return {n[0], n[1], n[2], n[3]};
}

CellSize parse_cell(const std::vector<std::string>& words) {
  const std::string wanted = "write one number, or two for x and y";
  const std::vector<double> n = parse_numbers(words, "<option:res>", wanted);
  if (n.empty() || n.size() > 2)
    fail(fmt::format("<option:res> has {} numbers; {}", n.size(), wanted));
  for (const double side : n) {
    if (!(side > 0)) fail(fmt::format("<option:res> {}: must be positive", join(words, ",")));
  }
  return {n.front(), n.back()};
}

GridSize parse_size(const std::vector<std::string>& words) {
  std::vector<std::string> sides = words;
  if (sides.size() == 1) sides = split(sides.front(), 'x');
  std::vector<std::int64_t> n;
  for (const std::string& side : sides) {
    const auto number = parse_integer(side);
    if (!number || *number < 1 || *number > std::numeric_limits<std::int32_t>::max()) break;
    n.push_back(*number);
  }
  if (n.size() != 2 || sides.size() != 2) {
    fail(fmt::format("<option:size> '{}': write columns and rows, for instance 800x600",
                     join(words, ",")));
  }
  return {n[0], n[1]};
}

double parse_nodata(const std::string& word) {
  if (lower(word) == "nan") return std::numeric_limits<double>::quiet_NaN();
  const std::optional<double> number = parse_number(word);
  const double most = static_cast<double>(std::numeric_limits<float>::max());
  if (number && std::abs(*number) <= most) {
    const auto held = static_cast<double>(static_cast<float>(*number));
    if (held != 0 || *number == 0) return held;
  }
  fail(fmt::format("<option:nodata> '{}': write a number that a 32-bit float holds, or nan", word));
}

std::string first_raster(const std::vector<std::string>& words) {
  return parse_covariate(words.front()).place;
}

std::vector<Covariate> parse_covariates(const std::vector<std::string>& words,
                                        const std::vector<std::string>& features) {
  std::vector<Covariate> given, ordered;
  for (const std::string& word : words) {
    Covariate one = parse_covariate(word);
    const auto same = [&](const Covariate& other) { return other.feature == one.feature; };
    if (std::any_of(given.begin(), given.end(), same)) {
      fail(fmt::format("<option:covariates> names '{}' twice", one.feature));
    }
    if (features.empty()) {
      fail("<option:covariates>: the model has no features; it needs no covariates");
    }
    if (std::find(features.begin(), features.end(), one.feature) == features.end()) {
      fail("<option:covariates>: " + unknown_word("feature", one.feature, features));
    }
    given.push_back(std::move(one));
  }
  std::vector<std::string> missing;
  for (const std::string& feature : features) {
    const auto found = std::find_if(given.begin(), given.end(),
                                    [&](const Covariate& one) { return one.feature == feature; });
    if (found == given.end()) {
      missing.push_back(feature);
    } else {
      ordered.push_back(*found);
    }
  }
  if (missing.empty()) return ordered;
  std::string example;
  for (const std::string& name : missing)
    example += (example.empty() ? "" : ",") + name + "=FILE.tif";
  fail(fmt::format(
      "the model was trained with the feature{} {}; a map needs a raster for each. Missing: {}. "
      "Give <option:covariates> {}, or train without features (<option:no-features>)",
      features.size() == 1 ? "" : "s", join(features, ", "), join(missing, ", "), example));
}

}  // namespace pegnn
