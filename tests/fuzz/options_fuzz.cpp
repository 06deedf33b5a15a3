// Options by name and value, "k=5" on each line of the input: they either come to options, which
// written down by name and value are the same again, or are refused with Error{usage}. In lines
// after "map-words" stand the words of --bbox, --size and such. The words of a whole command line
// are another target, as they take a hundred times as long.

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "base/options.h"
#include "base/text.h"
#include "flow/map_request.h"
#include "fuzz.h"
#include "pegnn/map.h"
#include "pegnn/train.h"

namespace pegnn::fuzz {
namespace {

using Words = std::vector<std::string>;

// The words of --bbox, --res, --size, --nodata and --covariates.
void check_map_words(const Words& words) {
  const auto repeats = [](auto parse, const Words& given, auto numbers_of) {
    std::vector<double> numbers, again;
    if (!accepted(refusal_of([&] { numbers = numbers_of(parse(given)); }), ErrorKind::usage))
      return;
    Words written;
    for (const double number : numbers) {
      // Counts are written without exponents, which --size does not read.
      const bool whole = std::abs(number) < 1e15 && number == std::trunc(number);
      written.push_back(whole ? fmt::format("{:.0f}", number) : format_number(number));
    }
    again = numbers_of(parse(written));
    must(same_bits(numbers, again),
         "numbers that were read are written so that they are read again");
  };
  repeats(parse_box, words, [](const Extent& e) {
    return std::vector<double>{e.west, e.south, e.east, e.north};
  });
  repeats(parse_cell, words, [](const CellSize& c) { return std::vector<double>{c.x, c.y}; });
  repeats(parse_size, words, [](const GridSize& s) {
    return std::vector<double>{static_cast<double>(s.width), static_cast<double>(s.height)};
  });
  if (words.empty()) return;
  double nodata = 0;
  const Refusal refusal = refusal_of([&] { nodata = parse_nodata(words.front()); });
  if (accepted(refusal, ErrorKind::usage)) {
    must(same_bits(parse_nodata(format_number(nodata)), nodata), "no data stays what it is");
  }
  accepted(refusal_of([&] { parse_covariates(words, {"a", "b"}); }), ErrorKind::usage);
}

// "preset=paper" is the preset; what follows a line "--" is given beside the file.
OptionRequest request_of(const Words& lines) {
  OptionRequest request;
  bool in_file = true;
  for (const std::string& line : lines) {
    if (line == "--") {
      in_file = false;
      continue;
    }
    const std::size_t equals = std::min(line.find('='), line.size());
    const std::string name = line.substr(0, equals);
    const std::string value = line.substr(std::min(equals + 1, line.size()));
    if (name == "preset") {
      request.preset = value;
    } else {
      (in_file ? request.file : request.given).push_back({name, value, "--" + name});
    }
  }
  return request;
}

void check_options(const OptionRequest& request, bool writes) {
  Options options;
  if (!accepted(refusal_of([&] { options = options_for(request); }), ErrorKind::usage)) return;
  if (!writes) return;
  OptionRequest written;
  for (const OptionText& option : option_texts(options)) {
    written.file.push_back({option.name, option.value, option.name});
  }
  Options again;
  const Refusal refusal = refusal_of([&] { again = options_for(written); });
  must(!refusal.refused, "options that were written down can be read", refusal.message);
  // What is named is no longer chosen by trial, and here everything is named.
  again.choose = options.choose;
  must(again == options, "options that were written down are the same");
}

void check(std::string_view text) {
  Words lines = split(text, '\n');
  if (!lines.empty() && lines.front() == "map-words") {
    lines.erase(lines.begin());
    return check_map_words(lines);
  }
  // To write all options down and read them again takes long: not for every input.
  check_options(request_of(lines), std::hash<std::string_view>{}(text) % 4 == 0);
}

}  // namespace
}  // namespace pegnn::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  pegnn::fuzz::check({reinterpret_cast<const char*>(data), size});
  return 0;
}
