#pragma once
// What the report's tests check about markup: tags that close, and pictures without NaN.

#include <cctype>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pegnn::testing_report {

inline std::int64_t occurrences(std::string_view text, std::string_view part) {
  std::int64_t count = 0;
  for (auto at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1))
    ++count;
  return count;
}

// Empty when every tag is closed in order; else what is wrong.
inline std::string markup_fault(std::string_view html) {
  std::vector<std::string> open;
  for (auto at = html.find('<'); at != std::string_view::npos; at = html.find('<', at + 1)) {
    const auto end = html.find('>', at);
    if (end == std::string_view::npos) return "a tag without an end";
    const std::string_view tag = html.substr(at + 1, end - at - 1);
    if (tag.starts_with('!') || tag.ends_with('/') || tag.starts_with("meta")) continue;
    if (tag.starts_with('/')) {
      if (open.empty() || open.back() != tag.substr(1))
        return "misplaced <" + std::string(tag) + ">";
      open.pop_back();
    } else {
      open.emplace_back(tag.substr(0, tag.find(' ')));
    }
  }
  return open.empty() ? "" : "<" + open.back() + "> is not closed";
}

// Everything between <svg and </svg>, joined.
inline std::string pictures(std::string_view page) {
  std::string all;
  for (auto at = page.find("<svg"); at != std::string_view::npos; at = page.find("<svg", at + 1)) {
    all += page.substr(at, page.find("</svg>", at) - at);
  }
  return all;
}

// True when a NaN or an infinity was written as a number. The tests' own names hold neither word.
inline bool holds_no_number(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower.find("nan") != std::string::npos || lower.find("inf") != std::string::npos;
}

}  // namespace pegnn::testing_report
