#include "base/secrets.h"

#include <string_view>

#include "base/text.h"

namespace pegnn {
namespace {

constexpr const char* kHidden = "...";

// "password=secret", "password = 'se cret'": what stands after the sign.
std::string without_word_password(std::string text) {
  constexpr std::string_view kWord = "password";
  for (std::size_t at = 0; (at = lower(text).find(kWord, at)) != std::string::npos;) {
    at = text.find_first_not_of(' ', at + kWord.size());
    if (at == std::string::npos) break;
    if (text[at] != '=') continue;
    at = text.find_first_not_of(' ', at + 1);
    if (at == std::string::npos) break;
    const bool quoted = text[at] == '\'';
    const std::size_t end = quoted ? text.find('\'', at + 1) : text.find(' ', at);
    text.replace(at, end == std::string::npos ? end : end - at + (quoted ? 1 : 0), kHidden);
  }
  return text;
}

// "postgresql://user:secret@host/base": what stands between colon and @.
std::string without_address_password(std::string text) {
  constexpr std::string_view kMark = "://";
  const std::size_t mark = text.find(kMark);
  if (mark == std::string::npos) return text;
  const std::size_t begin = mark + kMark.size(), end = text.find('/', begin);
  const std::string_view authority = std::string_view(text).substr(begin, end - begin);
  const std::size_t host = authority.rfind('@'), colon = authority.find(':');
  if (host == std::string_view::npos || colon > host) return text;
  text.replace(begin + colon + 1, host - colon - 1, kHidden);
  return text;
}

}  // namespace

std::string hide_passwords(std::string text) {
  return without_address_password(without_word_password(std::move(text)));
}

}  // namespace pegnn
