// The reader's way from cells to rows, and the public functions.

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/core.h>

#include "base/memory.h"
#include "base/text.h"
#include "base/utf8.h"
#include "io/cell.h"
#include "io/csv_reader.h"
#include "io/encoding.h"
#include "pegnn/error.h"

namespace pegnn {

bool CsvReader::mark_is_open() const { return mark_ == kNoMarkYet; }

Table CsvReader::next(std::int64_t most_rows) {
  const auto most = static_cast<std::size_t>(std::max<std::int64_t>(1, most_rows));
  columns_.clear();
  for (const std::string& name : names_) columns_.emplace_back().name = name;
  values_.resize(names_.size());
  rows_ = room_ = 0;
  first_line_ = line_;
  piece_begin_ = window_.dropped_bytes();
  // Whoever writes numbers beside those of the first rows must know the file's decimal mark.
  while (rows_ < most || mark_is_open()) {
    if (next_ >= end_ && !read_on()) break;
    read_rows(mark_is_open() ? std::numeric_limits<std::size_t>::max() : most);
  }
  return take_table();
}

// The rows in view, until there are `most_rows`.
void CsvReader::read_rows(std::size_t most_rows) {
  for (; next_ < end_ && rows_ < most_rows; ++rows_) {
    row_ = next_;
    const std::int64_t line = line_;
    if (rows_ == room_) make_room(most_rows);
    read_row(rows_);
    if (options_.keep_text || line != first_line_ + static_cast<std::int64_t>(rows_)) {
      note_row(rows_, line);
    }
    end_line();
  }
  row_ = next_;
  keep_text(row_);
  window_.drop(row_);
}

// Makes room for some more rows. Once the first ones have shown how long rows are, memory for all
// of them is set aside at once, as far as the length of the text is known; it is taken only when it
// is written to. Before it is, there must be so much: a system that promises more than it has would
// end the process.
void CsvReader::make_room(std::size_t most_rows) {
  constexpr std::size_t kStep = 4096;
  if (rows_ == kStep) {
    const std::uint64_t whole = window_.text_bytes().value_or(0);
    const std::uint64_t read =
        window_.dropped_bytes() - piece_begin_ + static_cast<std::uint64_t>(row_ - window_.begin());
    const double left = static_cast<double>(whole) - static_cast<double>(piece_begin_);
    const double expected = static_cast<double>(rows_) * left / static_cast<double>(read);
    constexpr double kSlack = 1.02;  // later rows are somewhat shorter or longer
    const double most = static_cast<double>(most_rows);
    const double rows = std::clamp(kSlack * expected, 0.0, most);
    require_memory(sizeof(double) * rows * static_cast<double>(columns_.size()),
                   fmt::format("{} with about {} rows of {} columns", source_,
                               format_count(static_cast<std::int64_t>(rows)), columns_.size()),
                   "leave out columns or rows that are not needed");
    const auto reserved = static_cast<std::size_t>(rows);
    for (Column& column : columns_) column.values.reserve(reserved + kStep);
    if (options_.keep_text) text_.reserve(reserved * (read / rows_ + 1));
  }
  room_ += kStep;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    columns_[c].values.resize(room_);
    values_[c] = columns_[c].values.data();
  }
}

// Stops at the end of the row's last line.
void CsvReader::read_row(std::size_t row) {
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
    if (more != (c < last)) fail_ragged();
    values_[c][row] = value;
    if (c == last) return;
    ++next_;
  }
}

double CsvReader::careful_cell(std::size_t row, std::size_t c) {
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
    if (keeps_words(column.name)) column.words.emplace_back(row, text);
  }
  return std::numeric_limits<double>::quiet_NaN();
}

bool CsvReader::keeps_words(const std::string& column) const {
  return std::find(options_.words.begin(), options_.words.end(), column) != options_.words.end();
}

// Only files delimited by ';' come here: in the others the mark is a point from the start.
void CsvReader::settle_decimal_mark(char mark, std::string_view text) {
  const auto name = [](char m) { return m == ',' ? "comma" : "point"; };
  if (!mark_is_open()) {
    fail(line_,
         fmt::format("'{}' has a decimal {}, but '{}' on line {} has a decimal {}; use one of "
                     "them throughout the file",
                     excerpt(text, kExcerpt), name(mark), mark_text_, mark_line_, name(mark_)));
  }
  mark_ = mark;
  mark_line_ = line_;
  mark_text_ = excerpt(text, kExcerpt);
}

void CsvReader::fail_ragged() {
  // The row began on the line that its line ends lead back to.
  const std::int64_t row_line = line_ - std::count(row_, next_, '\n');
  next_ = row_;
  line_ = row_line;
  std::int64_t fields = 0;
  do {
    if (fields > 0) ++next_;
    take_cell();
    ++fields;
  } while (*next_ == delimiter_);
  refuse_lone_return();
  const bool names_of_rows =
      row_line == header_end_ && *row_ == '"' && fields == std::ssize(columns_) + 1;
  fail(row_line,
       fmt::format("{} field{} where {} {}{}", fields, fields == 1 ? "" : "s",
                   options_.names.empty() ? "the header has" : "there must be", columns_.size(),
                   next_ == row_   ? " (a blank line)"
                   : names_of_rows ? "; R's write.table leaves out the name of the first column: "
                                     "write it with col.names = NA, or by write.csv"
                                   : ""));
}

// Remembers what the usual case does not need: where a row stands, when rows are not one per line
// or when the bytes are kept.
void CsvReader::note_row(std::size_t row, std::int64_t line) {
  if (line != first_line_ + static_cast<std::int64_t>(row)) {
    while (lines_.size() < row) {
      lines_.push_back(first_line_ + std::ssize(lines_));
    }
    lines_.push_back(line);
  }
  if (options_.keep_text) {
    row_begin_.push_back(std::ssize(text_) + (row_ - from_));
  }
}

// The bytes before `to` will leave the window: those of rows are kept where that is asked for.
void CsvReader::keep_text(const char* to) {
  const bool of_rows = !columns_.empty();  // not of the header
  if (options_.keep_text && of_rows) text_.append(from_, to);
  from_ = to;
}

Table CsvReader::take_table() {
  Table table(source_);
  for (Column& column : columns_) {
    column.values.resize(rows_);
    table.add(std::move(column));
  }
  columns_.clear();
  if (lines_.empty()) lines_.push_back(first_line_);
  table.set_lines(std::exchange(lines_, {}));
  if (options_.keep_text) row_begin_.push_back(std::ssize(text_));
  table.set_text(std::exchange(text_, {}), std::exchange(row_begin_, {}), header_text_, delimiter_);
  table.set_decimal_mark(mark_ == ',' ? ',' : '.');
  return table;
}

namespace {

std::unique_ptr<CsvReader> reader_of(std::unique_ptr<ByteSource> bytes, const std::string& source,
                                     const ReadOptions& options) {
  std::unique_ptr<ByteSource> text = unpacked(std::move(bytes), source);
  if (!options.encoding.empty()) text = decoded(std::move(text), options.encoding, source);
  return std::make_unique<CsvReader>(std::move(text), source, options);
}

}  // namespace

TableReader::TableReader(const std::filesystem::path& file, const ReadOptions& options,
                         const std::string& source)
    : reader_(reader_of(file_bytes(file), source.empty() ? file.string() : source, options)) {}

TableReader::TableReader(std::unique_ptr<CsvReader> reader) : reader_(std::move(reader)) {}
TableReader::TableReader(TableReader&&) noexcept = default;
TableReader& TableReader::operator=(TableReader&&) noexcept = default;
TableReader::~TableReader() = default;

TableReader TableReader::over(std::string bytes, const std::string& source,
                              const ReadOptions& options) {
  return TableReader(reader_of(memory_bytes(std::move(bytes)), source, options));
}

Table TableReader::next(std::int64_t most_rows) { return reader_->next(most_rows); }
const std::vector<std::string>& TableReader::names() const { return reader_->names(); }

Table parse_table(std::string bytes, const std::string& source, const ReadOptions& options) {
  return TableReader::over(std::move(bytes), source, options).next(kAllRows);
}

Table read_table(const std::filesystem::path& file, const ReadOptions& options) {
  return TableReader(file, options).next(kAllRows);
}

}  // namespace pegnn
