#pragma once
// Results on their way out: standard output, a file, JSON.

#include <memory>
#include <string>
#include <string_view>

#include "base/atomic_file.h"
#include "cli/command.h"

namespace pegnn {

// The reader of our standard output has gone (`pegnn list | head -1`): nothing is wrong, and
// nothing more is wanted.
struct ClosedPipe {};

// Prints to standard output. Throws ClosedPipe, or Error{resource} when it cannot be written.
void print(std::string_view text);

// A file that is to hold a result, or standard output ("-").
class Output {
 public:
  // Error{usage} when the file is there and `overwrite` is not set, Error{resource} when it cannot
  // be written: better learnt now than after an hour of work.
  Output(std::string place, bool overwrite);

  bool to_stdout() const { return place_ == "-"; }
  void write(std::string_view text);
  // All of it is on the disk; see AtomicFile.
  void settle();
  // The file appears under its name.
  void commit();

 private:
  std::string place_;
  std::unique_ptr<AtomicFile> file_;
};

// The argument --json and what is done with it.
class JsonOutput {
 public:
  Argument argument(const char* sentence) {
    return {.flags = "--json",
            .value = "[FILE]",
            .sentence = sentence,
            .target = &place_,
            .optional_value = true};
  }
  bool wanted() const { return !place_.empty(); }
  // To be called before the work begins; errors as in Output.
  void open(bool overwrite);
  // With --json the JSON goes to standard output in place of `text`; with a file, both appear: the
  // file is written first, and has its name before anything is said.
  void emit(const std::string& text, const std::string& json);
  // The same in two steps, where other files must appear together with that of the JSON.
  void settle(const std::string& json);
  void commit(const std::string& text);

 private:
  std::string place_;
  std::string json_;  // on its way to standard output
  std::unique_ptr<Output> output_;
};

}  // namespace pegnn
