#pragma once
// A JSON text out of a file, read field by field: what is not as it should be is refused by name.

#include <cstdint>
#include <string>
#include <vector>

#include "base/json.h"

namespace pegnn {

// Values within values, and members of one object: a model's description has 4 and 70. What is
// deeper or wider was not written by us and would only cost time.
inline constexpr int kMaxJsonDepth = 16;
inline constexpr std::size_t kMaxJsonMembers = 256;

// The whole text. Error{model} where it is not JSON, passes the limits above, names a member twice
// or holds a number that no double can. `name` is what messages call it.
nlohmann::ordered_json parse_limited(const std::string& text, const std::string& name,
                                     const std::string& source);

// A value and the way to it. Borrows the value and the name of the file. Every method throws
// Error{model} naming the field where the value is of another kind.
class JsonField {
 public:
  JsonField(const nlohmann::ordered_json& value, std::string name, const std::string& source)
      : value_(&value), name_(std::move(name)), source_(&source) {}

  JsonField operator[](const std::string& member) const;  // which is there
  bool has(const std::string& member) const;
  std::vector<JsonField> items() const;  // of a list
  // Of a list of that many.
  std::vector<JsonField> items(std::size_t count) const;
  std::vector<std::pair<std::string, JsonField>> members() const;

  std::string text() const;
  bool flag() const;
  double number() const;
  double number_or_nan() const;  // null is NaN
  std::int64_t count() const;    // a whole number from 0 to 2^53
  std::vector<std::string> texts() const;

  [[noreturn]] void refuse(const std::string& why) const;

 private:
  const nlohmann::ordered_json& expect(bool holds, const char* what) const;

  const nlohmann::ordered_json* value_;
  std::string name_;
  const std::string* source_;
};

}  // namespace pegnn
