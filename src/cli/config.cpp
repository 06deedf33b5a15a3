#include "cli/config.h"

#include <algorithm>

#include <fmt/core.h>

// The library asserts what its parser checks and reports a few lines further down ("[" and the end
// of the line): a build with assertions would end there, and clang's optimiser would believe it.
#pragma push_macro("NDEBUG")
#undef NDEBUG
#define TOML_ASSERT(expression) static_assert(true)
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")

#include "base/atomic_file.h"
#include "base/options.h"
#include "base/text.h"
#include "io/utf8.h"
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

// Where the string that begins at `line[quote]` ends: its closing quote, or the end of the line.
std::size_t end_of_string(std::string_view line, std::size_t quote) {
  for (std::size_t i = quote + 1; i < line.size(); ++i) {
    if (line[i] == line[quote]) return i;
    if (line[i] == '\\' && line[quote] == '"') ++i;
  }
  return line.size();
}

// The dots of the name with most of them; those in strings, between numbers and in comments join
// no names.
std::ptrdiff_t dots_of_a_name(std::string_view line) {
  std::ptrdiff_t dots = 0, most = 0;
  for (std::size_t i = 0; i < line.size() && line[i] != '#'; ++i) {
    if (line[i] == '"' || line[i] == '\'')
      i = end_of_string(line, i);
    else if (line[i] == '.')
      most = std::max(most, ++dots);
    else if (line[i] == ',' || line[i] == '=')
      dots = 0;
  }
  return most;
}

// Tables within tables take a piece of the stack each, in the library and here; it limits the depth
// of values to 256, but not that of the names at each depth, such as a.b.c.
void refuse_long_names(std::string_view text, const std::string& source) {
  constexpr std::ptrdiff_t kMostDots = 4;
  // With strings of several lines a line alone does not tell what is text: then every dot counts.
  const bool plain =
      text.find("\"\"\"") == std::string_view::npos && text.find("'''") == std::string_view::npos;
  std::int64_t number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    ++number;
    const std::ptrdiff_t dots =
        plain ? dots_of_a_name(line) : std::count(line.begin(), line.end(), '.');
    if (dots <= kMostDots) continue;
    throw Error(ErrorKind::usage, fmt::format("{}, line {}: more than {} dots; the name of an "
                                              "option stands in a table or in none",
                                              source, number, kMostDots));
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
