#include "model/json_field.h"

#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "model/model_error.h"

namespace pegnn {

using nlohmann::ordered_json;

namespace {

ordered_json parse_limited(const std::string& text, const std::string& name,
                           const std::string& source) {
  // Names of the members met in each object that is still open.
  std::vector<std::set<std::string>> open;
  const auto check = [&](int depth, ordered_json::parse_event_t event, ordered_json& value) {
    using Event = ordered_json::parse_event_t;
    if ((event == Event::object_start || event == Event::array_start) && depth >= kMaxJsonDepth) {
      refuse_model(source,
                   fmt::format("{}: more than {} values within each other", name, kMaxJsonDepth));
    }
    if (event == Event::object_start) open.emplace_back();
    if (event == Event::object_end) open.pop_back();
    if (event == Event::key) {
      const auto& member = value.get_ref<const std::string&>();
      if (!open.back().insert(member).second) {
        refuse_model(source, fmt::format("{}: '{}' stands there twice", name, member));
      }
      if (open.back().size() > kMaxJsonMembers) {
        refuse_model(source,
                     fmt::format("{}: more than {} members of an object", name, kMaxJsonMembers));
      }
    }
    return true;
  };
  try {
    return ordered_json::parse(text, check);
  } catch (const ordered_json::parse_error& e) {
    refuse_model(source, fmt::format("{}: not valid JSON at byte {}", name, e.byte));
  } catch (const ordered_json::exception&) {
    refuse_model(source, fmt::format("{}: a number in it is too large", name));
  }
}

}  // namespace

JsonDocument::JsonDocument(const std::string& text, std::string name, const std::string& source)
    : value_(std::make_unique<const ordered_json>(parse_limited(text, name, source))),
      name_(std::move(name)),
      source_(&source) {}

JsonDocument::~JsonDocument() = default;

void JsonField::refuse(const std::string& why) const { refuse_model(*source_, name_ + " " + why); }

const ordered_json& JsonField::expect(bool holds, const char* what) const {
  if (!holds) refuse(fmt::format("is not {}", what));
  return *value_;
}

JsonField JsonField::operator[](const std::string& member) const {
  expect(value_->is_object(), "an object");
  const std::string name = name_ + "." + member;
  const auto found = value_->find(member);
  if (found == value_->end()) refuse_model(*source_, name + " is missing");
  return {*found, name, *source_};
}

bool JsonField::has(const std::string& member) const {
  return expect(value_->is_object(), "an object").contains(member);
}

std::vector<JsonField> JsonField::items() const {
  expect(value_->is_array(), "a list");
  std::vector<JsonField> found;
  found.reserve(value_->size());
  for (std::size_t i = 0; i < value_->size(); ++i) {
    found.emplace_back((*value_)[i], fmt::format("{}[{}]", name_, i), *source_);
  }
  return found;
}

std::vector<JsonField> JsonField::items(std::size_t count) const {
  if (!value_->is_array() || value_->size() != count) {
    refuse(fmt::format("is not a list of {}", count));
  }
  return items();
}

std::vector<std::pair<std::string, JsonField>> JsonField::members() const {
  expect(value_->is_object(), "an object");
  std::vector<std::pair<std::string, JsonField>> found;
  for (const auto& [member, value] : value_->items()) {
    found.emplace_back(member, JsonField(value, name_ + "." + member, *source_));
  }
  return found;
}

std::string JsonField::text() const { return expect(value_->is_string(), "text"); }

bool JsonField::flag() const { return expect(value_->is_boolean(), "true or false"); }

double JsonField::number() const {
  const double number = expect(value_->is_number(), "a number");
  if (!std::isfinite(number)) refuse("is not finite");
  return number;
}

double JsonField::number_or_nan() const {
  return value_->is_null() ? std::numeric_limits<double>::quiet_NaN() : number();
}

std::int64_t JsonField::count() const {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 53;
  const bool holds = value_->is_number_unsigned() && value_->get<std::uint64_t>() <= kMost;
  return static_cast<std::int64_t>(
      expect(holds, "a whole number from 0 to 2^53").get<std::uint64_t>());
}

std::vector<std::string> JsonField::texts() const {
  std::vector<std::string> found;
  for (const JsonField& item : items()) found.push_back(item.text());
  return found;
}

}  // namespace pegnn
