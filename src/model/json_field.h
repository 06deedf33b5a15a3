#pragma once
// A JSON text out of a file, read field by field: what is not as it should be is refused by name.

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace pegnn {

// Values within values, and members of one object: a model's description has 4 and 70. What is
// deeper or wider was not written by us and would only cost time.
inline constexpr int kMaxJsonDepth = 16;
inline constexpr std::size_t kMaxJsonMembers = 256;

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

// A whole text and all that is in it.
class JsonDocument {
 public:
  // Error{model} where it is not JSON, passes the limits above, names a member twice or holds a
  // number that no double can. `name` is what messages call it; `source`, the file, is borrowed.
  JsonDocument(const std::string& text, std::string name, const std::string& source);
  JsonDocument(const JsonDocument&) = delete;
  JsonDocument& operator=(const JsonDocument&) = delete;
  ~JsonDocument();

  JsonField root() const { return {*value_, name_, *source_}; }

 private:
  std::unique_ptr<const nlohmann::ordered_json> value_;
  std::string name_;
  const std::string* source_;
};

}  // namespace pegnn
