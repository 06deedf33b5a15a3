// The words of a command line, one on each line of the input: they either come to a command and
// options, or are refused with Error{usage}. No verb is run and no file is read.

#include <algorithm>
#include <vector>

#include "base/secrets.h"
#include "cli/parser.h"
#include "fuzz.h"

namespace pegnn::fuzz {
namespace {

using Words = std::vector<std::string>;

// A command line as a shell reads it: plain words and words in single quotes.
Words read_by_shell(std::string_view line) {
  Words words;
  bool in_word = false, in_quotes = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (!in_quotes && c == ' ') {
      in_word = false;
      continue;
    }
    if (!in_word) words.emplace_back();
    in_word = true;
    if (c == '\'') {
      in_quotes = !in_quotes;
    } else if (!in_quotes && c == '\\' && i + 1 < line.size()) {
      words.back() += line[++i];
    } else {
      words.back() += c;
    }
  }
  must(!in_quotes, "quotes in a command line are closed", line);
  return words;
}

void check_options_of(const Session& session) {
  if (!session.config.empty()) return;  // it would be read
  accepted(refusal_of([&] { session.options(); }), ErrorKind::usage);
}

void check_command_line(const Words& words) {
  std::vector<const char*> pointers{"pegnn"};
  for (const std::string& word : words) pointers.push_back(word.c_str());
  Session session;
  ParsedCommand parsed;
  const Refusal refusal = refusal_of([&] {
    parsed = parse_command_line(static_cast<int>(pointers.size()), pointers.data(), session);
  });
  if (!accepted(refusal, ErrorKind::usage)) return;
  if (parsed.command == nullptr) {
    must(!parsed.message.empty(), "where there is no command, there is something to print");
    return;
  }
  Words shown{"pegnn"};
  for (const std::string& word : words) shown.push_back(hide_passwords(word));
  must(read_by_shell(session.command_line) == shown, "the command line is what was given",
       session.command_line);
  if (parsed.command->takes_model_options()) check_options_of(session);
}

void check(std::string_view text) {
  Words words;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    // A word of a command line ends with its first NUL.
    const std::string_view word = text.substr(begin, end - begin);
    words.emplace_back(word.substr(0, word.find('\0')));
    begin = end + 1;
  }
  check_command_line(words);
}

}  // namespace
}  // namespace pegnn::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  pegnn::fuzz::check({reinterpret_cast<const char*>(data), size});
  return 0;
}
