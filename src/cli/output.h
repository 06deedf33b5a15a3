#pragma once
// What the command says on standard output: results, text or JSON.

#include <memory>
#include <string>
#include <string_view>

#include "cli/command.h"
#include "flow/output.h"

namespace pegnn {

// The reader of our standard output has gone (`pegnn list | head -1`): nothing is wrong, and
// nothing more is wanted.
struct ClosedPipe {};

// Prints to standard output. Throws ClosedPipe, or Error{resource} when it cannot be written.
void print(std::string_view text);

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
