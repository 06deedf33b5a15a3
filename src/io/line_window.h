#pragma once
// The part of a text that is in memory while it is read from front to back: whole lines of it.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "io/byte_source.h"

namespace pegnn {

// Shows [begin(), end()): lines with their ends, the last of them not blank. Blank lines behind it
// come into view with the next line that is not blank, so that those at the end of the text never
// do; nor does the end of the last line. A byte order mark at the front is left out.
class LineWindow {
 public:
  // Bytes read at a time. They and the numbers in them stay in the second level of cache; on 10
  // million rows 64 KiB to 1 MiB take the same time.
  static constexpr std::size_t kPiece = 256 << 10;

  // Shows nothing yet. Blank is a line of spaces, and of tabs too where `tabs_are_blank`.
  LineWindow(std::unique_ptr<ByteSource> source, bool tabs_are_blank, std::size_t piece = kPiece);

  const char* begin() const { return buffer_.data() + begin_; }
  // *end() and a few bytes behind it can be read; behind the text they are NUL.
  const char* end() const { return buffer_.data() + end_; }

  // Reads on: at least one line more comes into view, or false is returned and all is as before.
  // What stands before begin() is forgotten, and all bytes may move.
  bool read_on();
  // Moves begin() forward to `to`, which lies in view or at end().
  void drop(const char* to) { begin_ = static_cast<std::size_t>(to - buffer_.data()); }

  // Bytes of the whole text, where they are known beforehand, and those dropped so far.
  std::optional<std::uint64_t> text_bytes() const { return source_->size(); }
  std::uint64_t dropped_bytes() const { return forgotten_ + begin_; }

 private:
  bool show_complete_lines(std::size_t fresh);
  bool show_the_rest();
  std::size_t end_of_last_line(std::size_t to) const;
  void read_bytes();

  std::unique_ptr<ByteSource> source_;
  bool tabs_are_blank_;
  std::size_t piece_;
  bool started_ = false, exhausted_ = false;
  std::vector<char> buffer_;
  std::size_t filled_ = 0;  // bytes in the buffer
  std::size_t begin_ = 0, end_ = 0;
  std::size_t unseen_ = 0;  // what lies between end_ and here are blank lines
  std::uint64_t forgotten_ = 0;
};

}  // namespace pegnn
