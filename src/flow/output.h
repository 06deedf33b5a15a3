#pragma once
// Results on their way into a file, which appears whole or not at all.

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/atomic_file.h"

namespace pegnn {

// Takes text that goes into no file: the command's standard output, say.
using TextStream = std::function<void(std::string_view)>;

// A file that is to hold a result, or a stream of the caller's.
class Output {
 public:
  // `place` is a file, or "-": what is written goes to `stream` as it comes. Error{usage} when the
  // file is there and `overwrite` is not set, Error{resource} when it cannot be written: better
  // learnt now than after an hour of work.
  Output(std::string place, bool overwrite, TextStream stream = {});

  bool to_stream() const { return place_ == "-"; }
  void write(std::string_view text);
  // All of it is on the disk; see AtomicFile.
  void settle();
  // The file appears under its name.
  void commit();

 private:
  std::string place_;
  TextStream stream_;
  std::unique_ptr<AtomicFile> file_;
};

}  // namespace pegnn
