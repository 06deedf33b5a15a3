#include "cli/help.h"

#include <algorithm>

#include <fmt/core.h>

#include "base/options.h"
#include "base/text.h"

namespace pegnn {
namespace {

constexpr std::size_t kWidth = 80;
constexpr std::size_t kTextColumn = 27;  // fits "--uncertainty-form WORD"

constexpr const char* kExitCodes =
    "Exit codes: 0 done, 1 failure at run time, 2 usage, 3 data, 4 model file,\n"
    "5 disk or device, 6 memory, 130 interrupted.\n";

// `start`, then the words of `text` in columns `indent` to kWidth.
std::string fill(std::string start, std::size_t indent, std::string_view text) {
  std::size_t column = indent;
  for (const std::string& word : split(text, ' ')) {
    if (column > indent && column + 1 + word.size() > kWidth) {
      start += '\n' + std::string(indent, ' ');
      column = indent;
    }
    if (column > indent) {
      start += ' ';
      ++column;
    }
    start += word;
    column += word.size();
  }
  return start + '\n';
}

// "-o, --out DIR"
std::string term_of(const Argument& a) {
  if (a.positional()) return a.flags;
  std::string term = join(split(a.flags, ','), ", ");
  if (!a.is_switch()) term += ' ' + a.value;
  return term;
}

std::string sentence_of(const Argument& a) {
  return a.required && !a.positional() ? a.sentence + " (required)" : a.sentence;
}

// The arguments a user has to give, as they are typed.
std::string usage_line(std::string_view name, std::span<const ArgumentGroup> groups) {
  std::string positionals, required, output;
  for (const ArgumentGroup& group : groups) {
    for (const Argument& a : group.arguments) {
      if (a.positional()) {
        positionals += a.required ? " " + a.flags : " [" + a.flags + "]";
      } else if (a.required) {
        const std::string flag = split(a.flags, ',').front();
        (flag == "-o" ? output : required) += fmt::format(" {} {}", flag, a.value);
      }
    }
  }
  return fmt::format("Usage: pegnn {}{}{}{} [options]\n", name, positionals, required, output);
}

// "[on; --no-ranks switches it off]"
std::string switch_state(const OptionText& option) {
  if (option.value == "true") return fmt::format("[on; --no-{} switches it off]", option.name);
  return fmt::format("[off; --no-{} where a preset or file has it on]", option.name);
}

std::string model_option_rows(const Options& options) {
  std::string page, group;
  for (const OptionText& option : option_texts(options)) {
    if (option.group != group) page += fmt::format("\n{}\n", option.group);
    group = option.group;
    if (option.is_switch) {
      page +=
          help_row("--" + option.name, fmt::format("{} {}", option.sentence, switch_state(option)));
      continue;
    }
    const char* value = option.is_word ? "WORD" : (option.is_whole ? "N" : "X");
    page += help_row(fmt::format("--{} {}", option.name, value),
                     fmt::format("{} [{}]", option.sentence, option.value));
  }
  return page;
}

// Which values the brackets show: "--preset paper --model pe-gcn".
std::string words_of(const OptionRequest& asked) {
  std::string words = "--preset " + asked.preset;
  for (const GivenOption& option : asked.given) {
    words += fmt::format(" --{} {}", option.name, option.value);
  }
  return words;
}

}  // namespace

std::string wrapped(std::string_view text) { return fill("", 0, text); }

std::string help_row(std::string_view term, std::string_view text) {
  std::string start = fmt::format("  {}", term);
  if (start.size() + 2 > kTextColumn) start += '\n' + std::string(kTextColumn, ' ');
  start.resize(std::max(start.size(), kTextColumn), ' ');
  return fill(start, kTextColumn, text);
}

std::string overview_page() {
  std::string page =
      "pegnn learns a quantity over geography from a table of points and predicts it\n"
      "anywhere.\n\n"
      "Usage: pegnn COMMAND [arguments]\n\n"
      "Examples\n"
      "  pegnn demo\n"
      "  pegnn train stations.csv --target temperature -o model\n"
      "  pegnn predict model places.csv -o predicted.csv\n\n"
      "Commands\n";
  for (const CommandEntry* entry : commands()) {
    page += fmt::format("  {:<10} {}\n", entry->name, entry->make()->summary());
  }
  return page + "\n`pegnn COMMAND --help` tells more, `pegnn --version` the version.\n" +
         kExitCodes;
}

std::string command_page(std::string_view name, const Command& command,
                         std::span<const ArgumentGroup> groups, const OptionRequest& asked) {
  std::string page = fmt::format("{}\n\n{}\nExamples\n{}", command.summary(),
                                 usage_line(name, groups), command.examples());
  for (const ArgumentGroup& group : groups) {
    page += fmt::format("\n{}\n", group.title);
    for (const Argument& a : group.arguments) page += help_row(term_of(a), sentence_of(a));
    if (group.title == kModelGroup) page += model_option_rows(options_for(asked));
  }
  page += '\n';
  if (command.takes_model_options()) {
    page += wrapped(fmt::format(
        "In brackets: what a run uses if nothing else is said ({}). Preset and model decide: "
        "`pegnn "
        "{} --preset NAME --model NAME --help` shows what others have. `pegnn list options` tells "
        "what each option allows.",
        words_of(asked), name));
  }
  return page + kExitCodes;
}

}  // namespace pegnn
