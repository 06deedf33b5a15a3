#include "cli/config.h"

#include <algorithm>

#include <fmt/core.h>
#include <toml++/toml.h>

#include "base/atomic_file.h"
#include "base/options.h"
#include "base/text.h"
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

}  // namespace

OptionRequest read_config(const std::filesystem::path& file) {
  const std::string text = read_file(file);
  std::vector<std::string> known{"preset"};
  for (const OptionText& option : option_texts(Options())) known.push_back(option.name);
  OptionRequest config;
  try {
    collect(toml::parse(text), file.string(), known, config);
  } catch (const toml::parse_error& e) {
    throw Error(ErrorKind::usage,
                fmt::format("{}, line {}: {}", file.string(), e.source().begin.line,
                            std::string_view(e.description())));
  }
  return config;
}

}  // namespace pegnn
