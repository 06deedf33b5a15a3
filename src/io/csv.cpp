// The reader of delimited text. One pass over the bytes: nearly every cell is a plain decimal and
// is read where it stands by `scan_decimal`; whatever else a cell may be (quotes, spaces,
// exponents, words, text) goes the careful way. Since the quick way accepts only ASCII digits,
// checking the cells of the careful way for NUL bytes and UTF-8 checks the whole file.

#include <algorithm>
#include <cctype>
#include <cstring>
#include <limits>
#include <unordered_set>

#include <fmt/core.h>

#include "base/atomic_file.h"
#include "base/text.h"
#include "io/cell.h"
#include "io/gzip.h"
#include "io/utf8.h"
#include "pegnn/error.h"
#include "pegnn/table.h"

namespace pegnn {
namespace {

constexpr std::string_view kDelimiters = ",;\t|";  // in the order that settles ties
constexpr std::size_t kMostColumns = 16384;        // as a spreadsheet; finding a name is linear
constexpr std::size_t kExcerpt = 40;               // characters of a cell shown in messages
constexpr char kNoMarkYet = '0';  // no decimal mark allowed: a digit never follows the digits

class Reader {
 public:
  Reader(std::string bytes, const std::string& source, const ReadOptions& options)
      : bytes_(std::move(bytes)), source_(source), options_(options) {}

  Table read() {
    find_bounds();
    choose_delimiter();
    read_header();
    read_rows();
    return take_table();
  }

 private:
  [[noreturn]] void fail(std::int64_t line, const std::string& what) const {
    throw Error(ErrorKind::data, fmt::format("{}, line {}: {}", source_, line, what));
  }

  bool is_space(char c) const { return (c == ' ' || c == '\t') && c != delimiter_; }
  bool ends_cell(char c) const { return c == delimiter_ || c == '\n' || c == '\r' || c == '\0'; }

  void find_bounds();
  bool is_blank(const char* begin, const char* end) const;
  void choose_delimiter();
  char most_frequent_delimiter() const;

  std::string_view take_cell();
  std::string_view take_quoted();
  void check_text(std::string_view text, const std::string& where) const;
  void end_line();

  void read_header();
  std::int64_t most_rows() const;
  void read_rows();
  void read_row(std::size_t row);
  double careful_cell(std::size_t row, std::size_t column);
  void settle_decimal_mark(char mark, std::string_view text);
  [[noreturn]] void fail_ragged(const char* row_begin, std::int64_t row_line);
  void note_row(std::size_t row, const char* begin, std::int64_t line);
  Table take_table();

  std::string bytes_;
  const std::string& source_;
  const ReadOptions options_;
  char delimiter_ = ',';
  char mark_ = '.';             // the decimal mark of this file
  std::int64_t mark_line_ = 0;  // where it was settled, and by what
  std::string mark_text_;

  // The next byte, and the end of the last line that is not blank. *end_ can be read: it is a line
  // end or the string's own NUL.
  const char* next_ = nullptr;
  const char* end_ = nullptr;
  std::int64_t line_ = 1;
  std::string unquoted_;  // the last quoted cell that had quotes inside

  std::string header_text_;
  std::vector<Column> columns_;
  std::vector<double*> values_;  // of each column, one per row
  std::int64_t rows_ = 0;
  std::int64_t first_line_ = 0;
  std::vector<std::int64_t> lines_;  // empty as long as every row has been one line
  std::vector<std::int64_t> row_begin_, row_end_;
};

bool Reader::is_blank(const char* begin, const char* end) const {
  return std::all_of(begin, end, [&](char c) { return is_space(c) || c == '\r'; });
}

// Leaves out the byte order mark and the blank lines at the end.
void Reader::find_bounds() {
  delimiter_ = options_.delimiter != 0 ? options_.delimiter : '\t';  // a line of tabs is not blank
  const std::string_view bytes = bytes_;
  if (bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF")) {
    throw Error(ErrorKind::data, fmt::format("{} is UTF-16 text; save it as UTF-8", source_));
  }
  next_ = bytes_.data() + (bytes.starts_with("\xEF\xBB\xBF") ? 3 : 0);
  end_ = bytes_.data() + bytes_.size();
  for (;;) {
    const char* begin = end_;
    while (begin > next_ && begin[-1] != '\n') --begin;
    if (!is_blank(begin, end_)) break;
    if (begin == next_)
      throw Error(ErrorKind::data,
                  fmt::format("{} is empty; the first line must name the columns", source_));
    end_ = begin - 1;
  }
  if (end_[-1] == '\r') --end_;
}

void Reader::choose_delimiter() {
  delimiter_ = options_.delimiter;
  if (delimiter_ == 0) delimiter_ = most_frequent_delimiter();
  const auto byte = static_cast<unsigned char>(delimiter_);
  const bool printable = byte >= 0x20 && byte < 0x7F;
  const bool in_numbers =
      std::isalnum(byte) != 0 || delimiter_ == '.' || delimiter_ == '-' || delimiter_ == '+';
  if ((!printable && delimiter_ != '\t') || in_numbers || delimiter_ == '"') {
    throw Error(ErrorKind::usage,
                fmt::format("character {} cannot be a delimiter; use one of , ; | or a tab", byte));
  }
  if (delimiter_ == ';') mark_ = kNoMarkYet;
}

// Counts in the header line, outside quotes. A quote opens only where a cell may begin.
char Reader::most_frequent_delimiter() const {
  std::int64_t counts[kDelimiters.size()] = {};
  bool cell_begins = true;
  for (const char* p = next_; p < end_ && *p != '\n'; ++p) {
    if (*p == '"' && cell_begins) {
      for (++p; p < end_ && (*p != '"' || p[1] == '"'); ++p) {
        if (*p == '"') ++p;
      }
      if (p >= end_) break;  // never closed: reading the header will say so
      continue;
    }
    const std::size_t found = kDelimiters.find(*p);
    if (found != std::string_view::npos) ++counts[found];
    cell_begins = found != std::string_view::npos || (*p == ' ' && cell_begins);
  }
  const auto most = std::max_element(std::begin(counts), std::end(counts));  // the first of equals
  return kDelimiters[static_cast<std::size_t>(most - std::begin(counts))];
}

// Takes the cell at `next_`, without quotes and surrounding spaces, and moves to what ends it: the
// delimiter, a line end or the end of the file. The text is valid until the next call.
std::string_view Reader::take_cell() {
  while (is_space(*next_)) ++next_;
  if (*next_ == '"') return take_quoted();
  const char* const begin = next_;
  while (!ends_cell(*next_)) ++next_;
  if (*next_ == '\0' && next_ < end_) {
    fail(line_,
         "a NUL byte; this is not a text table (a spreadsheet or UTF-16?): save it as UTF-8 "
         "CSV");
  }
  const char* end = next_;
  while (end > begin && is_space(end[-1])) --end;
  return {begin, static_cast<std::size_t>(end - begin)};
}

std::string_view Reader::take_quoted() {
  const std::int64_t opened = line_;
  const char* begin = ++next_;
  const auto find = [&](char what, const char* from, const char* to) {
    return static_cast<const char*>(std::memchr(from, what, static_cast<std::size_t>(to - from)));
  };
  unquoted_.clear();
  for (;;) {
    const char* const quote = next_ < end_ ? find('"', next_, end_) : nullptr;
    if (quote == nullptr) fail(opened, "a quote is opened and never closed");
    line_ += std::count(next_, quote, '\n');
    next_ = quote + 1;
    if (*next_ != '"' || next_ == end_) break;
    unquoted_.append(begin, next_);  // with one of the two quotes
    begin = ++next_;
  }
  std::string_view text(begin, static_cast<std::size_t>(next_ - 1 - begin));
  if (!unquoted_.empty()) text = unquoted_.append(text);
  if (text.find('\0') != std::string_view::npos) {
    fail(opened, "a NUL byte in a quoted cell; this is not a text table");
  }
  while (is_space(*next_)) ++next_;
  if (!ends_cell(*next_) || (*next_ == '\0' && next_ < end_)) {
    fail(line_, fmt::format("'{}' after a closing quote; a quote inside quotes is written twice",
                            static_cast<unsigned char>(*next_) < 0x20 ? '?' : *next_));
  }
  return trim(text);
}

// `text` ends on the current line.
void Reader::check_text(std::string_view text, const std::string& where) const {
  const std::optional<std::size_t> bad = find_invalid_utf8(text);
  if (!bad) return;
  const auto rest = text.substr(*bad);
  fail(line_ - std::count(rest.begin(), rest.end(), '\n'),
       fmt::format("{}: byte 0x{:02X} is not UTF-8; save the file as UTF-8", where,
                   static_cast<unsigned>(static_cast<unsigned char>(rest.front()))));
}

// Moves to the next line; at the end of the file stays there.
void Reader::end_line() {
  if (next_ == end_) return;
  if (*next_ == '\r') {
    if (next_[1] != '\n') {
      fail(line_, "a carriage return without a line feed; save the file with LF or CRLF line ends");
    }
    ++next_;
  }
  ++next_;
  ++line_;
}

void Reader::read_header() {
  const char* const begin = next_;
  std::unordered_set<std::string> names;
  for (;;) {
    Column column;
    column.name = take_cell();
    const std::string where = fmt::format("column {}", columns_.size() + 1);
    check_text(column.name, where);
    if (column.name.empty()) {
      fail(line_, where + " has no name; the first line must name every column");
    }
    if (!names.insert(column.name).second) {
      fail(line_, fmt::format("two columns are named '{}'", excerpt(column.name, kExcerpt)));
    }
    columns_.push_back(std::move(column));
    if (columns_.size() > kMostColumns) {
      fail(line_, fmt::format("more than {} columns", kMostColumns));
    }
    if (*next_ != delimiter_) break;
    ++next_;
  }
  header_text_.assign(begin, next_);
  end_line();
}

// A bound for the rows still to come: line ends, and no more than the bytes allow, each row having
// at least one byte for every column. So the values take at most 8 bytes for each byte of the file.
std::int64_t Reader::most_rows() const {
  std::int64_t lines = 1;
  for (const char* p = next_; p < end_; ++lines) {
    p = static_cast<const char*>(std::memchr(p, '\n', static_cast<std::size_t>(end_ - p)));
    if (p == nullptr) break;
    ++p;
  }
  const auto columns = static_cast<std::int64_t>(columns_.size());
  return std::min(lines, (end_ - next_) / columns + 1);
}

void Reader::read_rows() {
  first_line_ = line_;
  if (next_ == end_) return;
  const auto most = static_cast<std::size_t>(most_rows());
  for (Column& column : columns_) {
    column.values.resize(most);
    values_.push_back(column.values.data());
  }
  std::size_t row = 0;
  for (; next_ < end_; ++row) {
    const char* const begin = next_;
    const std::int64_t line = line_;
    read_row(row);
    if (options_.keep_text || line != first_line_ + static_cast<std::int64_t>(row)) {
      note_row(row, begin, line);
    }
    end_line();
  }
  rows_ = static_cast<std::int64_t>(row);
}

// Stops at the end of the row's last line.
void Reader::read_row(std::size_t row) {
  const char* const begin = next_;
  const std::int64_t line = line_;
  const std::size_t last = columns_.size() - 1;
  for (std::size_t c = 0;; ++c) {
    double value = 0;
    const char* const stop = scan_decimal(next_, mark_, value);
    if (stop != nullptr && ends_cell(*stop) && (*stop != '\0' || stop == end_)) {
      next_ = stop;
    } else {
      value = careful_cell(row, c);
    }
    const bool more = *next_ == delimiter_;
    if (more != (c < last)) fail_ragged(begin, line);
    values_[c][row] = value;
    if (c == last) return;
    ++next_;
  }
}

double Reader::careful_cell(std::size_t row, std::size_t c) {
  const std::string_view text = take_cell();
  const Cell cell = classify_cell(text, delimiter_ == ';');
  if (cell.kind == CellKind::number) {
    if (cell.mark != '\0' && cell.mark != mark_) settle_decimal_mark(cell.mark, text);
    return cell.value;
  }
  if (cell.kind == CellKind::text) {
    Column& column = columns_[c];
    check_text(text, fmt::format("column '{}'", column.name));
    if (column.text_cells++ == 0) {
      column.first_text_row = static_cast<std::int64_t>(row);
      column.first_text = excerpt(text, kExcerpt);
    }
  }
  return std::numeric_limits<double>::quiet_NaN();
}

// Only files delimited by ';' come here: in the others the mark is a point from the start.
void Reader::settle_decimal_mark(char mark, std::string_view text) {
  const auto name = [](char m) { return m == ',' ? "comma" : "point"; };
  if (mark_ != kNoMarkYet) {
    fail(line_,
         fmt::format("'{}' has a decimal {}, but '{}' on line {} has a decimal {}; use one of "
                     "them throughout the file",
                     excerpt(text, kExcerpt), name(mark), mark_text_, mark_line_, name(mark_)));
  }
  mark_ = mark;
  mark_line_ = line_;
  mark_text_ = excerpt(text, kExcerpt);
}

void Reader::fail_ragged(const char* row_begin, std::int64_t row_line) {
  next_ = row_begin;
  line_ = row_line;
  std::int64_t fields = 0;
  do {
    if (fields > 0) ++next_;
    take_cell();
    ++fields;
  } while (*next_ == delimiter_);
  fail(row_line, fmt::format("{} field{} where the header has {}{}", fields, fields == 1 ? "" : "s",
                             columns_.size(), next_ == row_begin ? " (a blank line)" : ""));
}

// Remembers what the usual case does not need: where a row stands, when rows are not one per line
// or when the bytes are kept.
void Reader::note_row(std::size_t row, const char* begin, std::int64_t line) {
  if (line != first_line_ + static_cast<std::int64_t>(row)) {
    while (lines_.size() < row) {
      lines_.push_back(first_line_ + static_cast<std::int64_t>(lines_.size()));
    }
    lines_.push_back(line);
  }
  if (options_.keep_text) {
    row_begin_.push_back(begin - bytes_.data());
    row_end_.push_back(next_ - bytes_.data());
  }
}

Table Reader::take_table() {
  Table table(source_);
  for (Column& column : columns_) {
    column.values.resize(static_cast<std::size_t>(rows_));
    table.add(std::move(column));
  }
  if (lines_.empty()) lines_.push_back(first_line_);
  table.set_lines(std::move(lines_));
  table.set_text(options_.keep_text ? std::move(bytes_) : std::string(), std::move(row_begin_),
                 std::move(row_end_), std::move(header_text_), delimiter_);
  table.set_decimal_mark(mark_ == ',' ? ',' : '.');
  return table;
}

}  // namespace

Table parse_table(std::string bytes, const std::string& source, const ReadOptions& options) {
  if (is_gzip(bytes)) bytes = gunzip(bytes, source);
  return Reader(std::move(bytes), source, options).read();
}

Table read_table(const std::filesystem::path& file, const ReadOptions& options) {
  return parse_table(read_file(file), file.string(), options);
}

}  // namespace pegnn
