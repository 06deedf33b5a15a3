// Values of the options that parts declare for themselves.

#include <type_traits>

#include <fmt/core.h>

#include "base/text.h"
#include "pegnn/error.h"
#include "pegnn/options.h"

namespace pegnn {
namespace {

using Value = PartOptions::Value;

Value standard_of(const PartOption& option) {
  return std::visit(
      [](auto value) -> Value {
        if constexpr (std::is_same_v<decltype(value), const char*>)
          return std::string(value);
        else
          return value;
      },
      option.standard);
}

std::size_t index_of(std::string_view name) {
  std::vector<std::string> names;
  for (const PartOption* option : part_options()) {
    if (name == option->name) return names.size();
    names.emplace_back(option->name);
  }
  throw Error(ErrorKind::usage, unknown_word("option of a part", name, names));
}

[[noreturn]] void refuse_type(std::string_view name) {
  throw Error(ErrorKind::usage, fmt::format("option {}: a value of another type", name));
}

template <class T>
const T& typed(const std::vector<Value>& values, std::string_view name) {
  if (const T* found = std::get_if<T>(&values[index_of(name)])) return *found;
  refuse_type(name);
}

}  // namespace

PartOptions::PartOptions() {
  for (const PartOption* option : part_options()) values_.push_back(standard_of(*option));
}

PartOptions::PartOptions(std::initializer_list<std::pair<std::string_view, Value>> said)
    : PartOptions() {
  for (const auto& [name, value] : said) set(name, value);
}

bool PartOptions::flag(std::string_view name) const { return typed<bool>(values_, name); }
std::int64_t PartOptions::whole(std::string_view name) const {
  return typed<std::int64_t>(values_, name);
}
double PartOptions::number(std::string_view name) const { return typed<double>(values_, name); }
const std::string& PartOptions::word(std::string_view name) const {
  return typed<std::string>(values_, name);
}

void PartOptions::set(std::string_view name, const Value& value) {
  Value& field = values_[index_of(name)];
  const auto* const whole = std::get_if<std::int64_t>(&value);
  if (whole != nullptr && std::holds_alternative<double>(field)) {
    field = static_cast<double>(*whole);
  } else if (field.index() == value.index()) {
    field = value;
  } else {
    refuse_type(name);
  }
}

}  // namespace pegnn
