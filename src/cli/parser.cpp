#include "cli/parser.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <type_traits>

#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include "base/options.h"
#include "base/secrets.h"
#include "base/text.h"
#include "cli/help.h"
#include "pegnn/error.h"
#include "pegnn/version.h"

namespace pegnn {
namespace {

using Words = std::vector<std::string>;

[[noreturn]] void refuse(const std::string& what) { throw Error(ErrorKind::usage, what); }

// "a whole number, 1 to 1024"
std::string numbers_allowed(const char* kind, const Limits& limits) {
  if (std::isinf(limits.hi)) return fmt::format("{}, {} or more", kind, format_short(limits.lo));
  return fmt::format("{}, {} to {}", kind, format_short(limits.lo), format_short(limits.hi, 7));
}

template <class Number>
void assign_number(const std::string& name, const std::string& text, const Limits& limits,
                   const char* kind, Number parsed, auto& field) {
  const bool fits = parsed && static_cast<double>(*parsed) >= limits.lo &&
                    static_cast<double>(*parsed) <= limits.hi;
  if (!fits) {
    refuse(
        fmt::format("{}: '{}' is not allowed; give {}", name, text, numbers_allowed(kind, limits)));
  }
  field = *parsed;
}

// Puts the text a user gave for `a` where it belongs.
void assign(const Argument& a, const std::string& text) {
  std::visit(
      [&](auto* field) {
        using Field = std::remove_pointer_t<decltype(field)>;
        if constexpr (std::is_same_v<Field, std::string>) {
          const Words allowed = split(a.limits.words, '|');
          if (!allowed.empty() &&
              std::find(allowed.begin(), allowed.end(), text) == allowed.end()) {
            refuse(a.name() + ": " + unknown_word("word", text, allowed));
          }
          *field = text;
        } else if constexpr (std::is_same_v<Field, Words>) {
          *field = split(text, ',');
        } else if constexpr (std::is_same_v<Field, std::int64_t>) {
          assign_number(a.name(), text, a.limits, "a whole number", parse_integer(text), *field);
        } else if constexpr (std::is_same_v<Field, double>) {
          assign_number(a.name(), text, a.limits, "a number", parse_number(text), *field);
        }
      },
      a.target);
}

std::vector<ArgumentGroup> all_arguments(Command& command, Session& session, bool& help) {
  std::vector<ArgumentGroup> groups = command.arguments();
  if (command.takes_model_options()) {
    groups.push_back({std::string(kModelGroup),
                      {{"--preset", "NAME",
                        "Bundle of options: default, paper or reference. "
                        "[default]",
                        &session.preset},
                       {"--config", "FILE", "Options from a TOML file; the command line wins.",
                        &session.config}}});
  }
  groups.push_back({"Run",
                    {{"--threads",
                      "N",
                      "Threads; changes the speed only. [all cores]",
                      &session.threads,
                      false,
                      false,
                      {.lo = 0, .hi = 1024}},
                     {"-q,--quiet", "", "Only warnings and errors on stderr.", &session.quiet},
                     {"-v,--verbose", "", "More detail on stderr.", &session.verbose},
                     {"-h,--help", "", "This page.", &help}}});
  return groups;
}

// CLI11 cuts the words into options and values; what they mean is decided here, so that every
// message is in our words.
class Parser {
 public:
  Parser(std::string name, std::span<const ArgumentGroup> groups, bool model_options)
      : name_(std::move(name)), groups_(groups) {
    app_.set_help_flag();
    app_.allow_extras();
    for (const ArgumentGroup& group : groups_) {
      for (const Argument& a : group.arguments) add(a);
    }
    if (!model_options) return;
    for (const OptionText& option : option_texts(Options())) add(option);
  }

  void parse(Words words, Session& session) {
    words = with_explicit_values(words);
    std::reverse(words.begin(), words.end());  // as CLI11 wants them
    try {
      app_.parse(words);
    } catch (const CLI::ParseError& e) {
      refuse_extras();
      explain(e);
    }
    check_values();
    refuse_extras();
    for (const Entry& entry : entries_) take(entry, session);
  }

  // Everything that must be given and was not, at once.
  void check_required() const {
    Words missing;
    for (const Entry& entry : entries_) {
      const Argument* a = entry.argument;
      if (a == nullptr || !a->required || entry.option->count() > 0) continue;
      const std::string flag = split(a->flags, ',').front();
      missing.push_back(a->positional() ? flag : fmt::format("{} {}", flag, a->value));
    }
    if (!missing.empty()) {
      refuse(fmt::format("missing: {}; `pegnn {} --help` tells more", join(missing, ", "), name_));
    }
  }

 private:
  // An argument of the command, or (argument null) an option of the model called `name`.
  struct Entry {
    CLI::Option* option;
    const Argument* argument;
    std::string name;
    bool is_switch;
    bool* on;

    const Words& texts() const { return option->results(); }
    std::string flag() const { return argument != nullptr ? name : "--" + name; }
  };

  void add(const Argument& a) { insert(a.flags, a.is_switch(), &a, a.name()); }
  void add(const OptionText& option) {
    const std::string flag = "--" + option.name;
    insert(option.is_switch ? flag + ",!--no-" + option.name : flag, option.is_switch, nullptr,
           option.name);
  }
  void insert(const std::string& flags, bool is_switch, const Argument* a,
              const std::string& name) {
    bool* const on = &switches_.emplace_back(false);
    CLI::Option* option = nullptr;
    if (is_switch) {
      option = app_.add_flag(flags, *on);
    } else {
      // The words stay as they are: CLI11 would read "{}" and "[a,b]" as lists.
      option = app_.add_option(flags)->expected(1)->allow_extra_args(false);
      // Two values for one option are found out below.
      option->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    }
    entries_.push_back({option, a, name, is_switch, on});
  }

  // CLI11 takes any word as a value that must come: in "--target --out m" it would be "--out".
  void check_values() const {
    const Words known = known_flags();
    for (const Entry& entry : entries_) {
      for (const std::string& text : entry.texts()) {
        if (std::find(known.begin(), known.end(), text) == known.end()) continue;
        refuse(fmt::format("{} needs a value, and '{}' follows it", entry.flag(), text));
      }
    }
  }

  void take(const Entry& entry, Session& session) const {
    if (entry.option->count() == 0) return;
    const Argument* a = entry.argument;
    const std::string flag = entry.flag();
    session.flags.push_back(flag);
    if (entry.is_switch) {
      if (a != nullptr) {
        *std::get<bool*>(a->target) = *entry.on;
      } else {
        session.given.push_back({entry.name, *entry.on ? "true" : "false", "--" + entry.name});
      }
      return;
    }
    const Words& texts = entry.texts();
    const std::string text = texts.empty() ? std::string() : texts.front();
    if (texts.size() > 1) {
      refuse(fmt::format("{} is given {} times: '{}', '{}'; give it once", flag, texts.size(), text,
                         texts.back()));
    }
    // An empty word is a shell variable that was never set.
    if (text.empty()) refuse(fmt::format("{} needs a value; what is given is empty", flag));
    if (a != nullptr) {
      assign(*a, text);
    } else {
      session.given.push_back({entry.name, text, "--" + entry.name});
    }
  }

  // "--json" becomes "--json=-", "--json FILE.json" becomes "--json=FILE.json".
  Words with_explicit_values(const Words& words) const {
    Words result;
    for (std::size_t i = 0; i < words.size(); ++i) {
      result.push_back(words[i]);
      if (!has_optional_value(words[i])) continue;
      const bool named = i + 1 < words.size() && words[i + 1].ends_with(".json");
      result.back() += '=' + (named ? words[++i] : std::string("-"));
    }
    return result;
  }
  bool has_optional_value(const std::string& word) const {
    return std::any_of(entries_.begin(), entries_.end(), [&](const Entry& e) {
      return e.argument != nullptr && e.argument->optional_value && e.argument->name() == word;
    });
  }

  // For "did you mean".
  Words known_flags() const {
    Words flags;
    for (const Entry& entry : entries_) {
      for (const std::string& name : entry.option->get_lnames()) flags.push_back("--" + name);
      for (const std::string& name : entry.option->get_snames()) flags.push_back("-" + name);
    }
    return flags;
  }

  // Words that are no option and no positional of the command: usually a slip of the finger.
  void refuse_extras() const {
    Words extras = app_.remaining();
    std::erase(extras, "--");  // what follows it is not an option
    if (extras.empty()) return;
    const auto option = std::find_if(extras.begin(), extras.end(),
                                     [](const std::string& w) { return w.starts_with("-"); });
    if (option == extras.end()) {
      const bool json = std::any_of(entries_.begin(), entries_.end(), [](const Entry& e) {
        return e.argument != nullptr && e.argument->optional_value && e.option->count() > 0;
      });
      refuse(fmt::format(
          "unexpected '{0}'{1}; `pegnn {2} --help` shows what goes where", extras.front(),
          json ? fmt::format(" (a file for JSON: --json={})", extras.front()) : "", name_));
    }
    const std::string flag = option->substr(0, option->find('='));
    // Any letter is one slip from any other: a guess would be worth nothing.
    const bool letter = flag.size() <= 2;
    const std::string nearest = letter ? std::string() : nearest_word(flag, known_flags());
    refuse(fmt::format("unknown option '{}'; {}`pegnn {} --help` lists them", flag,
                       nearest.empty() ? "" : fmt::format("did you mean '{}'? ", nearest), name_));
  }

  [[noreturn]] void explain(const CLI::ParseError& e) const {
    const std::string what = e.what();
    if (dynamic_cast<const CLI::ArgumentMismatch*>(&e) != nullptr) {
      refuse(fmt::format("{} needs a value; `pegnn {} --help` tells which",
                         what.substr(0, what.find(':')), name_));
    }
    refuse(fmt::format("{}; `pegnn {} --help` tells more", what, name_));
  }

  std::string name_;
  std::span<const ArgumentGroup> groups_;
  CLI::App app_;
  std::vector<Entry> entries_;
  std::deque<bool> switches_;  // a deque: what CLI11 writes to must not move
};

const CommandEntry* find_command(std::string_view name) {
  for (const CommandEntry* entry : commands()) {
    if (entry->name == name) return entry;
  }
  return nullptr;
}

const CommandEntry& command_called(const std::string& name) {
  if (const CommandEntry* entry = find_command(name)) return *entry;
  if (name.starts_with("-")) {
    refuse(fmt::format("'{}' where a command is expected; options follow it: pegnn COMMAND {}",
                       name, name));
  }
  Words names;
  for (const CommandEntry* entry : commands()) names.emplace_back(entry->name);
  refuse(unknown_word("command", name, names));
}

// The words beside --help that decide what a run would use. Those that make no sense are left out:
// a page of help is shown whatever else is given.
OptionRequest asked_beside_help(const Words& words) {
  OptionRequest asked;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::size_t equals = words[i].find('=');
    const std::string flag = words[i].substr(0, equals);
    if (flag != "--preset" && flag != "--model" && flag != "--backbone") continue;
    if (equals == std::string::npos && i + 1 == words.size()) continue;
    const std::string value =
        equals == std::string::npos ? words[++i] : words[i].substr(equals + 1);
    if (flag == "--preset") {
      asked.preset = value;
    } else {
      asked.given.push_back({flag.substr(2), value, flag});
    }
  }
  try {
    options_for(asked);
  } catch (const Error&) {
    return {};
  }
  return asked;
}

// A word as a shell would need it.
std::string quoted(const std::string& word) {
  const bool plain = !word.empty() && std::all_of(word.begin(), word.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("-_./,=:+%@").find(c) != std::string_view::npos;
  });
  if (plain) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + '\'';
}

}  // namespace

ParsedCommand parse_command_line(int count, const char* const* words, Session& session) {
  Words given(words + std::min(count, 1), words + count);
  if (given.empty()) given.emplace_back("--help");
  std::string first = given.front();
  given.erase(given.begin());
  if (first == "--version") return {nullptr, fmt::format("pegnn {}\n", version())};
  if (first == "--help" || first == "-h" || first == "help") {
    if (given.empty()) return {nullptr, overview_page()};
    first = given.front();
    given = {"--help"};
  }

  ParsedCommand parsed{command_called(first).make(), {}};
  Command& command = *parsed.command;
  bool help = false;
  const std::vector<ArgumentGroup> groups = all_arguments(command, session, help);
  for (const std::string& word : given) help = help || word == "--help" || word == "-h";
  const auto page = [&] { return command_page(first, command, groups, asked_beside_help(given)); };
  if (help) return {nullptr, page()};
  Parser parser(first, groups, command.takes_model_options());
  parser.parse(given, session);
  if (help) return {nullptr, page()};  // "-qh"
  parser.check_required();
  if (session.quiet && session.verbose) refuse("--quiet and --verbose exclude each other");
  session.log().set_level(session.quiet ? 0 : (session.verbose ? 2 : 1));
  session.command_line = "pegnn " + first;
  for (const std::string& word : given) session.command_line += ' ' + quoted(hide_passwords(word));
  return parsed;
}

}  // namespace pegnn
