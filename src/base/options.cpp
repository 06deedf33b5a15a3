#include "base/options.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include <fmt/core.h>

#include "base/text.h"
#include "pegnn/describe_options.h"
#include "pegnn/error.h"
#include "pegnn/option_names.h"

namespace pegnn {
namespace {

std::string text_of(std::int64_t value) { return fmt::format("{}", value); }
std::string text_of(double value) { return format_number(value); }
std::string text_of(bool value) { return value ? "true" : "false"; }
std::string text_of(const std::string& value) { return value; }

// Whole numbers in full as far as one reads them at a glance.
std::string limit_text(double limit) {
  const bool whole = limit == std::floor(limit) && std::abs(limit) <= 1e6;
  return whole ? fmt::format("{:.0f}", limit) : format_short(limit);
}

std::string allowed_text(const Limits& limits, bool number) {
  if (*limits.words != '\0') return join(split(limits.words, '|'), ", ");
  if (*limits.list != '\0') return fmt::format("see `pegnn list {}`", limits.list);
  if (!number) return "true, false";
  return fmt::format("{} to {}", limit_text(limits.lo), limit_text(limits.hi));
}

[[noreturn]] void refuse(std::string_view origin, std::string_view value,
                         const std::string& allowed) {
  throw Error(ErrorKind::usage,
              fmt::format("{}: '{}' is not allowed; give {}", origin, value, allowed));
}

void assign(std::int64_t& field, std::string_view value, const Limits& limits,
            std::string_view origin) {
  const auto parsed = parse_integer(value);
  const bool fits = parsed && static_cast<double>(*parsed) >= limits.lo &&
                    static_cast<double>(*parsed) <= limits.hi;
  if (!fits) refuse(origin, value, "a whole number, " + allowed_text(limits, true));
  field = *parsed;
}

void assign(double& field, std::string_view value, const Limits& limits, std::string_view origin) {
  const auto parsed = parse_number(value);
  const bool fits =
      parsed && std::isfinite(*parsed) && *parsed >= limits.lo && *parsed <= limits.hi;
  if (!fits) refuse(origin, value, "a number, " + allowed_text(limits, true));
  field = *parsed;
}

void assign(bool& field, std::string_view value, const Limits& limits, std::string_view origin) {
  if (value != "true" && value != "false") refuse(origin, value, allowed_text(limits, false));
  field = value == "true";
}

void assign(std::string& field, std::string_view value, const Limits& limits,
            std::string_view origin) {
  if (*limits.words != '\0') {
    const std::vector<std::string> words = split(limits.words, '|');
    bool known = false;
    for (const std::string& word : words) known = known || word == value;
    if (!known) {
      throw Error(ErrorKind::usage,
                  fmt::format("{}: {}", origin, unknown_word("word", value, words)));
    }
  }
  field = value;
}

// A word as a string of TOML: any text comes back as it is.
std::string toml_string(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      quoted += fmt::format("\\u{:04X}", static_cast<unsigned>(c));
    } else {
      if (c == '"' || c == '\\') quoted += '\\';
      quoted += c;
    }
  }
  return quoted + '"';
}

}  // namespace

std::vector<OptionText> option_texts(const Options& options) {
  std::vector<OptionText> texts;
  describe(options, [&](const char* group, const char* name, const auto& field,
                        const Limits& limits, const char* sentence) {
    using Field = std::remove_cvref_t<decltype(field)>;
    constexpr bool kSwitch = std::is_same_v<Field, bool>;
    constexpr bool kWord = std::is_same_v<Field, std::string>;
    texts.push_back({group, name, text_of(field), allowed_text(limits, !kSwitch && !kWord),
                     with_options(sentence, OptionStyle::command), kSwitch, kWord,
                     std::is_same_v<Field, std::int64_t>});
  });
  return texts;
}

const std::vector<std::string>& option_names() {
  static const std::vector<std::string> kNames = [] {
    std::vector<std::string> names;
    const Options options;
    describe(options, [&](const char*, const char* name, const auto&, const Limits&, const char*) {
      names.emplace_back(name);
    });
    return names;
  }();
  return kNames;
}

void set_option(Options& options, std::string_view name, std::string_view value,
                std::string_view origin) {
  bool found = false;
  describe(options, [&](const char*, const char* field_name, auto& field, const Limits& limits,
                        const char*) {
    if (name != field_name) return;
    found = true;
    assign(field, value, limits, origin);
  });
  if (found) return;
  throw Error(ErrorKind::usage,
              fmt::format("{}: {}", origin, unknown_word("option", name, option_names())));
}

void resolve_batch(Options& options, std::int64_t rows) {
  // Klemmer et al. 2023, text below Figure 4: batches of 2,048 for California Housing and 3D Road,
  // 1,024 for the two small tables.
  constexpr std::int64_t kSmallTable = 10'000;
  if (options.batch < 0) options.batch = rows < kSmallTable ? 1024 : 2048;
}

void resolve_effort(Options& options, std::int64_t rows) {
  // Measured on 42 columns of 17 tables: docs/decisions/0041. From 2,000 rows on fewer than 400
  // steps lose; large tables go on gaining up to 800, and more by steps than by members.
  constexpr std::int64_t kFewestSteps = 200, kRowsOfAStep = 10, kEnoughSteps = 400;
  constexpr std::int64_t kPasses = 25, kMostSteps = 800;
  constexpr std::int64_t kLargeTable = 8'192, kMembers = 6, kMembersOfLarge = 4;
  constexpr double kRate = 3e-3, kRateOfLarge = 4e-3;
  if (options.steps == 0) {
    const std::int64_t batch = options.batch == 0 ? rows : std::min(options.batch, rows);
    const std::int64_t fewest = std::min(kFewestSteps + rows / kRowsOfAStep, kEnoughSteps);
    const std::int64_t passes = kPasses * rows / std::max<std::int64_t>(1, batch);
    options.steps = std::clamp(passes, fewest, kMostSteps);
  }
  const bool large = rows >= kLargeTable;
  if (options.members == 0) options.members = large ? kMembersOfLarge : kMembers;
  if (options.learning_rate == 0) options.learning_rate = large ? kRateOfLarge : kRate;
}

std::string options_toml(const Options& options) {
  std::string toml = "# Options of a pegnn run; `pegnn train --config FILE` reads them back.\n";
  std::string group;
  for (const OptionText& text : option_texts(options)) {
    if (text.group != group) {
      group = text.group;
      toml += fmt::format("\n# {}\n", group);
    }
    const std::string value = text.is_word ? toml_string(text.value) : text.value;
    toml += fmt::format("{} = {}  # {}\n", text.name, value, text.sentence);
  }
  return toml;
}

}  // namespace pegnn
