#include "cli/parser.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include <fmt/core.h>

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
                    {{.flags = "--threads",
                      .value = "N",
                      .sentence = "Threads; changes the speed only. [all cores]",
                      .target = &session.threads,
                      .limits = {.lo = 0, .hi = 1024}},
                     {"-q,--quiet", "", "Only warnings and errors on stderr.", &session.quiet},
                     {"-v,--verbose", "", "More detail on stderr.", &session.verbose},
                     {"-h,--help", "", "This page.", &help}}});
  return groups;
}

// The words are cut into options and values, as POSIX and GNU have it: "--out DIR", "--out=DIR",
// "-o DIR", "-oDIR", "-qv" for "-q -v"; after "--" no word is an option.
class Parser {
 public:
  Parser(std::string name, std::span<const ArgumentGroup> groups, bool model_options)
      : name_(std::move(name)) {
    for (const ArgumentGroup& group : groups) {
      for (const Argument& a : group.arguments) add(a);
    }
    if (!model_options) return;
    for (const OptionText& option : option_texts(Options())) add(option);
  }

  void parse(Words words, Session& session) {
    words_ = std::move(words);
    cut();
    check_values();
    refuse_extras();
    if (lacking_ != nullptr) {
      refuse(
          fmt::format("{} needs a value; `pegnn {} --help` tells which", lacking_->flag(), name_));
    }
    for (const Entry& entry : entries_) take(entry, session);
  }

  // Everything that must be given and was not, at once.
  void check_required() const {
    Words missing;
    for (const Entry& entry : entries_) {
      const Argument* a = entry.argument;
      if (a == nullptr || !a->required || !entry.texts.empty()) continue;
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
    const Argument* argument;
    std::string name;
    Words flags;  // "--out", "-o"; of a switch of the model "--name", "--no-name"; else none
    bool is_switch;
    Words texts = {};  // as given, one each time; of a switch "true" or "false"

    std::string flag() const { return argument != nullptr ? name : "--" + name; }
    bool positional() const { return flags.empty(); }
  };

  void add(const Argument& a) {
    Words flags = a.positional() ? Words() : split(a.flags, ',');
    std::reverse(flags.begin(), flags.end());  // the long one first
    entries_.push_back({&a, a.name(), flags, a.is_switch()});
  }
  void add(const OptionText& option) {
    Words flags{"--" + option.name};
    if (option.is_switch) flags.push_back("--no-" + option.name);
    entries_.push_back({nullptr, option.name, flags, option.is_switch});
  }

  Entry* find(std::string_view flag) {
    const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) {
      return std::find(e.flags.begin(), e.flags.end(), flag) != e.flags.end();
    });
    return found == entries_.end() ? nullptr : &*found;
  }

  // Gives every entry its texts and gathers the words that belong to none.
  void cut() {
    while (at_ < words_.size()) {
      const std::string word = words_[at_++];
      if (word == "--") {
        while (at_ < words_.size()) take_positional(words_[at_++]);
      } else if (word.starts_with("--")) {
        take_long(word);
      } else if (begins_with_letter(word)) {
        take_letters(word);
      } else {
        take_positional(word);
      }
    }
  }

  // "-5" is a number and "-" standard output; no option is called so.
  static bool begins_with_letter(const std::string& word) {
    return word.size() > 1 && word[0] == '-' && (word[1] < '0' || word[1] > '9');
  }

  void take_positional(const std::string& word) {
    const auto free = std::find_if(entries_.begin(), entries_.end(), [](const Entry& e) {
      return e.positional() && e.texts.empty();
    });
    (free != entries_.end() ? free->texts : extras_).push_back(word);
  }

  void take_long(const std::string& word) {
    const std::size_t end = std::min(word.find('='), word.size());
    const std::string flag = word.substr(0, end);
    Entry* const entry = find(flag);
    if (entry == nullptr) {
      extras_.push_back(word);
    } else if (entry->is_switch) {
      const bool said = end == word.size() || switch_value(flag, word.substr(end + 1));
      const bool turned = flag != entry->flag();  // "--no-name"
      entry->texts.emplace_back(said != turned ? "true" : "false");
    } else if (end < word.size()) {
      entry->texts.push_back(word.substr(end + 1));
    } else {
      take_value(*entry);
    }
  }

  void take_letters(const std::string& word) {
    Entry* const entry = find(word.substr(0, 2));
    const std::string rest = word.substr(2);
    if (entry == nullptr) {
      extras_.push_back(word);
    } else if (entry->is_switch) {
      entry->texts.emplace_back("true");
      if (!rest.empty()) words_[--at_] = '-' + rest;
    } else if (!rest.empty()) {
      entry->texts.push_back(rest);
    } else {
      take_value(*entry);
    }
  }

  // The value is the next word, whatever it is.
  void take_value(Entry& entry) {
    const bool last = at_ == words_.size();
    if (entry.argument != nullptr && entry.argument->optional_value) {
      const bool named = !last && words_[at_].ends_with(".json");
      entry.texts.push_back(named ? words_[at_++] : "-");
    } else if (last) {
      lacking_ = &entry;
    } else {
      entry.texts.push_back(words_[at_++]);
    }
  }

  static bool switch_value(const std::string& flag, const std::string& text) {
    const std::string word = lower(text);
    const bool on = word == "true" || word == "on" || word == "yes" || word == "1";
    if (!on && word != "false" && word != "off" && word != "no" && word != "0") {
      refuse(fmt::format("{}: '{}' is not allowed; give true or false", flag, text));
    }
    return on;
  }

  // In "--target --out m" the target would be "--out".
  void check_values() const {
    const Words known = known_flags();
    for (const Entry& entry : entries_) {
      for (const std::string& text : entry.texts) {
        if (std::find(known.begin(), known.end(), text) == known.end()) continue;
        refuse(fmt::format("{} needs a value, and '{}' follows it", entry.flag(), text));
      }
    }
  }

  void take(const Entry& entry, Session& session) const {
    const Words& texts = entry.texts;
    if (texts.empty()) return;
    const Argument* a = entry.argument;
    const std::string flag = entry.flag();
    session.flags.push_back(flag);
    if (entry.is_switch) {
      if (a != nullptr) {
        *std::get<bool*>(a->target) = texts.back() == "true";
      } else {
        session.given.push_back({entry.name, texts.back(), "--" + entry.name});
      }
      return;
    }
    const std::string& text = texts.front();
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

  // For "did you mean".
  Words known_flags() const {
    Words flags;
    for (const Entry& entry : entries_) {
      flags.insert(flags.end(), entry.flags.begin(), entry.flags.end());
    }
    return flags;
  }

  // Words that are no option and no positional of the command: usually a slip of the finger.
  void refuse_extras() const {
    if (extras_.empty()) return;
    const auto option = std::find_if(extras_.begin(), extras_.end(),
                                     [](const std::string& w) { return w.starts_with("-"); });
    if (option == extras_.end()) {
      const bool json = std::any_of(entries_.begin(), entries_.end(), [](const Entry& e) {
        return e.argument != nullptr && e.argument->optional_value && !e.texts.empty();
      });
      refuse(fmt::format(
          "unexpected '{0}'{1}; `pegnn {2} --help` shows what goes where", extras_.front(),
          json ? fmt::format(" (a file for JSON: --json={})", extras_.front()) : "", name_));
    }
    const std::string flag = option->substr(0, option->find('='));
    // Any letter is one slip from any other: a guess would be worth nothing.
    const bool letter = flag.size() <= 2;
    const std::string nearest = letter ? std::string() : nearest_word(flag, known_flags());
    refuse(fmt::format("unknown option '{}'; {}`pegnn {} --help` lists them", flag,
                       nearest.empty() ? "" : fmt::format("did you mean '{}'? ", nearest), name_));
  }

  std::string name_;
  std::vector<Entry> entries_;
  Words words_;
  std::size_t at_ = 0;              // the first of the words that is still to be looked at
  Words extras_;                    // those that belong to no entry
  const Entry* lacking_ = nullptr;  // whose value should follow the last word
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
