#include "base/text.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/core.h>

namespace pegnn {

std::string format_number(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  return {buffer, end};
}

std::string format_short(double value, int digits) {
  if (std::isnan(value)) return "nan";  // never "-nan"
  return fmt::format("{:.{}g}", value, digits);
}

std::string format_count(long long value) {
  std::string digits = fmt::format("{}", value < 0 ? -value : value);
  for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3) {
    digits.insert(static_cast<std::size_t>(at), 1, ',');
  }
  return value < 0 ? "-" + digits : digits;
}

std::string format_seconds(double seconds) {
  if (seconds < 10) return fmt::format("{:.1f} s", seconds);
  const auto whole = static_cast<long long>(std::llround(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
}

std::optional<double> parse_number(std::string_view text) {
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<long long> parse_integer(std::string_view text) {
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  long long value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::vector<std::string> split_words(std::string_view text) {
  std::vector<std::string> words = split(text, ',');
  std::erase(words, "");
  return words;
}

std::string join(std::span<const std::string> words, std::string_view separator) {
  std::string all;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) all += separator;
    all += words[i];
  }
  return all;
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> words;
  if (text.empty()) return words;
  for (std::size_t begin = 0;;) {
    const std::size_t end = text.find(separator, begin);
    words.emplace_back(trim(text.substr(begin, end - begin)));
    if (end == std::string_view::npos) return words;
    begin = end + 1;
  }
}

std::string_view trim(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const auto first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

namespace {

// Levenshtein distance with a swap of two neighbouring letters counted as one slip.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t swap_cost = a[i - 1] == b[j - 1] ? 0 : 1;
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + swap_cost});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
      }
    }
  }
  return d[a.size()][b.size()];
}

}  // namespace

std::string nearest_word(std::string_view word, std::span<const std::string> known) {
  constexpr std::size_t kMostSlips = 3;  // with more it is another word
  if (word.size() > 64) return {};       // nobody's slip of the pen, and its cost is quadratic
  const std::string wanted = lower(word);
  std::string best;
  std::size_t best_distance = std::clamp<std::size_t>(word.size() / 3, 1, kMostSlips) + 1;
  for (const std::string& candidate : known) {
    // Letters that one has more than the other cost one each.
    const auto [less, more] = std::minmax({candidate.size(), wanted.size()});
    if (more - less >= best_distance) continue;
    const std::size_t distance = edit_distance(wanted, lower(candidate));
    if (distance < best_distance && distance < wanted.size()) {  // some letter must agree
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

std::string unknown_word(std::string_view kind, std::string_view word,
                         std::span<const std::string> known) {
  constexpr std::size_t kMostWords = 200;  // of thousands nobody reads the last
  const std::string nearest = nearest_word(word, known);
  const bool all = known.size() <= kMostWords;
  return fmt::format(
      "unknown {} '{}'; {}known: {}{}", kind, word,
      nearest.empty() ? std::string() : fmt::format("did you mean '{}'? ", nearest),
      join(all ? known : known.first(kMostWords), ", "),
      all ? std::string()
          : fmt::format(" and {} more",
                        format_count(static_cast<long long>(known.size() - kMostWords))));
}

std::string legible(std::string_view text, std::size_t most) {
  const bool cut = text.size() > most;
  if (cut) {
    // Not within a character of several bytes.
    while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0U) == 0x80U) --most;
  }
  std::string shown(text.substr(0, most));
  for (char& c : shown) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7F) c = '?';
  }
  return cut ? shown + "..." : shown;
}

std::string escape_html(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\'':
        result += "&#39;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

}  // namespace pegnn
