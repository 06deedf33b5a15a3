#pragma once
// JSON on its way out, written piece by piece. The library that reads JSON takes seconds to
// compile; this takes none of them to where JSON is only written.

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "base/options.h"

namespace pegnn {

// One value, usually an object or a list, with those within it in the order of the calls. Names are
// not checked for being there twice.
//
//   JsonWriter json(2);
//   json.object([&] {
//     json.field("rows", 20);
//     json.list("res", {0.5, 0.25});
//   });
//   json.text();
class JsonWriter {
 public:
  // So many spaces a level, each value on a line of its own; below 0 all on one line, no space.
  explicit JsonWriter(int indent = -1) : indent_(indent) {}

  // `fill()` writes what stands within.
  void object(auto&& fill) {
    begin_value();
    nest('{', fill, '}');
  }
  void object(std::string_view name, auto&& fill) {
    put_name(name);
    nest('{', fill, '}');
  }
  void list(auto&& fill) {
    begin_value();
    nest('[', fill, ']');
  }
  void list(std::string_view name, std::invocable auto&& fill) {
    put_name(name);
    nest('[', fill, ']');
  }
  // A list of values.
  template <class T>
  void list(std::string_view name, std::initializer_list<T> values) {
    list(name, std::span(values.begin(), values.size()));
  }
  void list(std::string_view name, const auto& values) requires(!std::invocable<decltype(values)>) {
    list(name, [&] {
      for (const auto& value : values) item(value);
    });
  }

  // A member of the object that is open.
  void field(std::string_view name, const auto& value) {
    put_name(name);
    put(value);
  }
  // Null where there is no text.
  void text_or_null(std::string_view name, std::string_view text);
  // The value of an option: a word, true or false, a number.
  void option(std::string_view name, const OptionText& option);

  // An item of the list that is open.
  void item(const auto& value) {
    begin_value();
    put(value);
  }

  // All that was written.
  const std::string& text() const { return text_; }

 private:
  void nest(char open, auto& fill, char close) {
    begin(open);
    fill();
    end(close);
  }
  void begin(char bracket);
  void end(char bracket);
  void begin_value();  // what stands between this value and the one before it
  void put_name(std::string_view name);
  void new_line();

  void put(std::nullptr_t) { text_ += "null"; }
  void put(bool value) { text_ += value ? "true" : "false"; }
  void put(std::integral auto value) { text_ += std::to_string(value); }
  // The shortest digits that read back as the same number, as a rule; NaN and infinities are null.
  void put(double value);
  // Bytes that are not UTF-8 become U+FFFD, one each: JSON is Unicode.
  void put(std::string_view text);
  void put(const std::string& text) { put(std::string_view(text)); }
  void put(const char* text) { put(std::string_view(text)); }

  std::string text_;
  int indent_;
  int depth_ = 0;
  bool first_ = true;  // of the values within the bracket that is open
};

}  // namespace pegnn
