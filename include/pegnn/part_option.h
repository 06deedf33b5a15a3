#pragma once
// Options that parts declare for themselves: what one is, and what all of them are set to.

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace pegnn {

// Limits of an option: a closed range for numbers, or the words allowed for text ("a|b|c"; empty:
// any word, checked later against the list of parts named by `list`).
struct Limits {
  double lo = -std::numeric_limits<double>::infinity();
  double hi = std::numeric_limits<double>::infinity();
  const char* words = "";
  const char* list = "";
};

// An option that one part alone has (a backbone, an encoder, a baseline, ...): declared in that
// part's source and named by its PartInfo. Users find it in the one list of all options.
struct PartOption {
  const char* group;  // one of the headings in `describe`
  const char* name;
  std::variant<bool, std::int64_t, double, const char*> standard;  // what holds if nothing is said
  Limits limits = {};
  const char* sentence;
  const char* after = "";  // the option that it stands behind; empty: the last of its group
};

// Those of all parts, in the order of the lists of parts.
std::span<const PartOption* const> part_options();

// What they are set to. Error{usage} for a name that no part has declared, or another type of
// value.
class PartOptions {
 public:
  using Value = std::variant<bool, std::int64_t, double, std::string>;

  PartOptions();  // as they are declared
  PartOptions(std::initializer_list<std::pair<std::string_view, Value>> said);

  bool flag(std::string_view name) const;
  std::int64_t whole(std::string_view name) const;
  double number(std::string_view name) const;
  const std::string& word(std::string_view name) const;
  // Limits are not looked at, as when a field of Options is set.
  void set(std::string_view name, const Value& value);

  // Calls f(reference) for the value of part_options()[i].
  template <class F>
  void visit(std::size_t i, F&& f) {
    std::visit(std::forward<F>(f), values_[i]);
  }
  template <class F>
  void visit(std::size_t i, F&& f) const {
    std::visit(std::forward<F>(f), values_[i]);
  }

  friend bool operator==(const PartOptions&, const PartOptions&) = default;

 private:
  std::vector<Value> values_;  // in the order of part_options()
};

}  // namespace pegnn
