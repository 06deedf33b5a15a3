#include "cli/config.h"

#include <algorithm>

#include <fmt/core.h>

// The library asserts what its parser checks and reports a few lines further down ("[" and the end
// of the line): a build with assertions would end there, and clang's optimiser would believe it.
#pragma push_macro("NDEBUG")
#undef NDEBUG
#define TOML_ASSERT(expression) static_assert(true)
#define TOML_ENABLE_FORMATTERS 0  // nothing is written with it
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")

#include "base/atomic_file.h"
#include "base/options.h"
#include "base/text.h"
#include "base/utf8.h"
#include "pegnn/error.h"

namespace pegnn {
namespace {

std::string text_of(const toml::node& node, const std::string& origin) {
  if (const auto* v = node.as_string()) return v->get();
  if (const auto* v = node.as_boolean()) return v->get() ? "true" : "false";
  if (const auto* v = node.as_integer()) return fmt::format("{}", v->get());
  if (const auto* v = node.as_floating_point()) return format_number(v->get());
  throw Error(ErrorKind::usage, origin + ": expected a number, a word in quotes, true or false");
}

void collect(const toml::table& table, const std::string& file,
             const std::vector<std::string>& known, OptionRequest& config) {
  for (const auto& [key, node] : table) {
    if (const auto* inner = node.as_table()) {
      collect(*inner, file, known, config);
      continue;
    }
    const std::string name(key.str());
    const std::string place = fmt::format("{}, line {}", file, node.source().begin.line);
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      throw Error(ErrorKind::usage,
                  fmt::format("{}: {}", place, unknown_word("option", name, known)));
    }
    const std::string origin = fmt::format("{}, {}", place, name);
    const std::string value = text_of(node, origin);
    if (name == "preset") {
      config.preset = value;
    } else {
      config.file.push_back({name, value, origin});
    }
  }
}

// A question mark for every character beyond ASCII, of which no option has any: outside of strings
// and comments the library (3.3) may do anything when it asks whether one is a space.
std::string ascii_of(std::string_view text, const std::string& source) {
  if (const auto bad = find_invalid_utf8(text)) {
    const auto line =
        1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(*bad), '\n');
    throw Error(ErrorKind::usage,
                fmt::format("{}, line {}: not UTF-8; save the file as UTF-8", source, line));
  }
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  std::string ascii;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) ascii += c;
    if (byte >= 0xC0) ascii += '?';  // the first byte of a character
  }
  return ascii;
}

// Past the string that begins with the quote at `begin`: one of three quotes, which may have
// several lines, or of one, which ends with its line at the latest.
std::size_t past_string(std::string_view text, std::size_t begin) {
  const char quote = text[begin];
  const std::string three(3, quote);
  const bool many = text.substr(begin, three.size()) == three;
  for (std::size_t i = begin + (many ? three.size() : 1); i < text.size(); ++i) {
    if (text[i] == '\\' && quote == '"') {
      ++i;
    } else if (!many && (text[i] == quote || text[i] == '\n')) {
      return text[i] == quote ? i + 1 : i;
    } else if (many && text.substr(i, three.size()) == three) {
      std::size_t end = i + three.size();
      // Two more may be the last of the text within.
      while (end < text.size() && text[end] == quote && end < i + 5) ++end;
      return end;
    }
  }
  return text.size();
}

// Tables within tables take a piece of the stack each, in the library and here; it limits the depth
// of values to 256, but not that of the names at each depth, such as a.b.c.
void refuse_long_names(std::string_view text, const std::string& source) {
  constexpr int kMostDots = 4;
  int dots = 0;  // of the name being read; those in strings, numbers and comments join no names
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"' || text[i] == '\'') {
      i = past_string(text, i) - 1;
    } else if (text[i] == '#') {
      i = std::min(text.find('\n', i), text.size()) - 1;
    } else if (text[i] == ',' || text[i] == '=' || text[i] == '\n') {
      dots = 0;
    } else if (text[i] == '.' && ++dots > kMostDots) {
      const auto here = text.begin() + static_cast<std::ptrdiff_t>(i);
      throw Error(ErrorKind::usage,
                  fmt::format("{}, line {}: more than {} dots; the name of an "
                              "option stands in a table or in none",
                              source, 1 + std::count(text.begin(), here, '\n'), kMostDots));
    }
  }
}

}  // namespace

OptionRequest parse_config(std::string_view text, const std::string& source) {
  std::vector<std::string> known{"preset"};
  known.insert(known.end(), option_names().begin(), option_names().end());
  OptionRequest config;
  try {
    refuse_long_names(text, source);
    collect(toml::parse(ascii_of(text, source)), source, known, config);
  } catch (const toml::parse_error& e) {
    throw Error(ErrorKind::usage, fmt::format("{}, line {}: {}", source, e.source().begin.line,
                                              std::string_view(e.description())));
  }
  return config;
}

OptionRequest read_config(const std::filesystem::path& file) {
  return parse_config(read_file(file), file.string());
}

}  // namespace pegnn
