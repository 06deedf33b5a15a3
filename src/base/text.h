#pragma once
// Small things about text: numbers in and out without locale, lists, the nearest known word.

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pegnn {

// The shortest decimal that reads back to the same number; "nan", "inf", "-inf" otherwise.
std::string format_number(double value);
// For people: `digits` significant digits, no trailing zeros.
std::string format_short(double value, int digits = 4);
// 20640 -> "20,640".
std::string format_count(long long value);
// 75.2 -> "1 min 15 s".
std::string format_seconds(double seconds);

// The whole of `text` as a number, or nothing. Accepts what std::from_chars does and a leading '+'.
std::optional<double> parse_number(std::string_view text);
std::optional<long long> parse_integer(std::string_view text);

// The words between commas, without spaces around them; empty ones are left out.
std::vector<std::string> split_words(std::string_view text);
std::string join(std::span<const std::string> words, std::string_view separator);
std::vector<std::string> split(std::string_view text, char separator);  // "" gives no words
std::string_view trim(std::string_view text);
std::string lower(std::string_view text);  // ASCII only

// The known word nearest to `word` by edit distance when it is near enough to be a slip of the
// finger (at most a third of its letters), else an empty string.
std::string nearest_word(std::string_view word, std::span<const std::string> known);

// "unknown backbone 'gnc'; did you mean 'gcn'? known: gat, gcn, mlp"
std::string unknown_word(std::string_view kind, std::string_view word,
                         std::span<const std::string> known);

// An option in the text of an Error, by its name: "<option:learning-rate>", written out where the
// name is known. Each front end shows it as its users write it (pegnn/option_names.h). Texts for a
// Log take `Log::option` instead.
std::string option(std::string_view name);

// Text that comes from a file, for a message: control characters are shown as '?', and of more than
// `most` bytes the first are, followed by "...".
std::string legible(std::string_view text, std::size_t most);

// `text` with &, <, >, " and ' as HTML entities.
std::string escape_html(std::string_view text);

}  // namespace pegnn
