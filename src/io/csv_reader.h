#pragma once
// The reader of delimited text behind `read_table` and `TableReader`.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "io/line_window.h"
#include "pegnn/table.h"

namespace pegnn {

inline constexpr std::size_t kExcerpt = 40;  // characters of a cell shown in messages
// As the decimal mark: none allowed so far; a digit never follows the digits.
inline constexpr char kNoMarkYet = '0';

// One pass over the bytes: nearly every cell is a plain decimal and is read where it stands by
// `scan_decimal`; whatever else a cell may be (quotes, spaces, exponents, words, text) goes the
// careful way. Since the quick way accepts only ASCII digits, checking the cells of the careful way
// for NUL bytes and UTF-8 checks the whole file.
class CsvReader {
 public:
  // Reads the header. Errors as in `read_table`.
  CsvReader(std::unique_ptr<ByteSource> bytes, std::string source, const ReadOptions& options,
            std::size_t bytes_at_a_time = LineWindow::kPiece);

  // As TableReader::next.
  Table next(std::int64_t most_rows);
  const std::vector<std::string>& names() const { return names_; }

 private:
  [[noreturn]] void fail(std::int64_t line, const std::string& what) const;

  bool is_space(char c) const { return (c == ' ' || c == '\t') && c != delimiter_; }
  bool ends_cell(char c) const { return c == delimiter_ || c == '\n' || c == '\r' || c == '\0'; }

  // csv_cells.cpp: from bytes to cells, and the header.
  void find_start();
  void choose_delimiter();
  char most_frequent_delimiter();
  std::string_view take_cell();
  std::string_view take_quoted();
  void check_text(std::string_view text, const std::string& where) const;
  void refuse_lone_return() const;
  void end_line();
  void read_header();
  bool read_on();

  // csv.cpp: from cells to rows.
  void read_rows(std::size_t most_rows);
  void read_row(std::size_t row);
  void make_room(std::size_t most_rows);
  double careful_cell(std::size_t row, std::size_t column);
  bool mark_is_open() const;
  bool keeps_words(const std::string& column) const;
  void settle_decimal_mark(char mark, std::string_view text);
  [[noreturn]] void fail_ragged();
  void note_row(std::size_t row, std::int64_t line);
  void keep_text(const char* to);
  Table take_table();

  std::string source_;
  ReadOptions options_;
  LineWindow window_;
  char delimiter_ = ',';
  char mark_ = '.';             // the decimal mark of this file
  std::int64_t mark_line_ = 0;  // where it was settled, and by what
  std::string mark_text_;

  // In the window: the bytes not yet kept, the row being read, the next byte, the end.
  const char* from_ = nullptr;
  const char* row_ = nullptr;
  const char* next_ = nullptr;
  const char* end_ = nullptr;
  std::int64_t line_ = 1;
  std::string unquoted_;  // the last quoted cell that had quotes inside

  std::string header_text_;
  std::int64_t header_end_ = 0;  // the line that follows the header; 0: there is none
  std::vector<std::string> names_;

  // The piece being read.
  std::vector<Column> columns_;
  std::vector<double*> values_;  // of each column, one per row
  std::size_t rows_ = 0, room_ = 0;
  std::uint64_t piece_begin_ = 0;  // in the whole text
  std::int64_t first_line_ = 0;
  std::vector<std::int64_t> lines_;  // empty as long as every row has been one line
  std::string text_;
  std::vector<std::int64_t> row_begin_;
};

}  // namespace pegnn
