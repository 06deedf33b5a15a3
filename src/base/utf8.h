#pragma once
// UTF-8 text: its mark, and checks on it.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace pegnn {

inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// Bytes of the character at the start of `text`, which is not empty; 0 when what stands there is
// not UTF-8 (overlong forms, surrogates and code points past U+10FFFF).
std::size_t utf8_length(std::string_view text);

// Where `text` stops being UTF-8, or nothing when it is valid throughout.
std::optional<std::size_t> find_invalid_utf8(std::string_view text);

// The first `characters` code points of `text`, which is valid UTF-8, fit for a message: control
// characters become spaces.
std::string excerpt(std::string_view text, std::size_t characters);

}  // namespace pegnn
