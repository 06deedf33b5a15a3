#include "base/json_writer.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "base/text.h"
#include "base/utf8.h"

namespace pegnn {

void JsonWriter::new_line() {
  if (indent_ < 0) return;
  text_ += '\n';
  text_.append(static_cast<std::size_t>(indent_ * depth_), ' ');
}

void JsonWriter::begin_value() {
  if (!first_) text_ += ',';
  if (depth_ > 0) new_line();
  first_ = false;
}

void JsonWriter::begin(char bracket) {
  text_ += bracket;
  ++depth_;
  first_ = true;
}

void JsonWriter::end(char bracket) {
  --depth_;
  if (!first_) new_line();
  text_ += bracket;
  first_ = false;
}

void JsonWriter::put_name(std::string_view name) {
  begin_value();
  put(name);
  text_ += indent_ < 0 ? ":" : ": ";
}

void JsonWriter::text_or_null(std::string_view name, std::string_view text) {
  if (text.empty()) return field(name, nullptr);
  field(name, text);
}

void JsonWriter::option(std::string_view name, const OptionText& option) {
  if (option.is_word) return field(name, option.value);
  if (option.is_switch) return field(name, option.value == "true");
  if (const auto whole = parse_integer(option.value)) return field(name, *whole);
  field(name, parse_number(option.value).value());
}

// By the library: in one double of 200 to 2,000 its last digit is not the one that std::to_chars
// would choose, and model files keep their bytes.
void JsonWriter::put(double value) { text_ += nlohmann::json(value).dump(); }

void JsonWriter::put(std::string_view text) {
  constexpr std::string_view kEscaped = "\b\f\n\r\t\"\\", kLetters = "bfnrt\"\\";
  constexpr std::string_view kDigits = "0123456789abcdef";
  text_ += '"';
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const auto byte = static_cast<unsigned char>(text.front());
    if (const auto at = kEscaped.find(text.front()); at != std::string_view::npos) {
      text_ += {'\\', kLetters[at]};
    } else if (byte < 0x20) {
      text_ += {'\\', 'u', '0', '0', kDigits[byte / 16], kDigits[byte % 16]};
    } else {
      text_ += length > 0 ? text.substr(0, length) : "\xEF\xBF\xBD";
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  text_ += '"';
}

}  // namespace pegnn
