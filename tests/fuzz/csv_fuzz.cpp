// The reader of delimited text: read whole and read in pieces come to the same, and what was read
// can be written back and is read again as it was.

#include <algorithm>
#include <cmath>
#include <vector>

#include "fuzz.h"
#include "io/cell.h"
#include "io/csv_reader.h"
#include "io/row_cells.h"

namespace pegnn::fuzz {
namespace {

constexpr std::size_t kWhole = 4096;  // bytes at a time: more than an input has

// A table, or what came instead.
struct Reading {
  Refusal refusal;
  std::vector<Table> pieces;
};

Reading read(const std::string& text, const ReadOptions& options, std::size_t bytes,
             std::int64_t rows) {
  Reading reading;
  reading.refusal = refusal_of([&] {
    CsvReader reader(unpacked(memory_bytes(text), "t.csv"), "t.csv", options, bytes);
    do {
      reading.pieces.push_back(reader.next(rows));
    } while (reading.pieces.back().rows() > 0 && rows != kAllRows);
  });
  return reading;
}

// `piece` is what `whole` has from row `first` on. Text is noted where it is first seen, so that
// only the piece with the first text of a column says the same of it.
void must_be_part(const Table& whole, std::int64_t first, const Table& piece) {
  must(piece.columns().size() == whole.columns().size(), "every piece has all columns");
  must(piece.delimiter() == whole.delimiter(), "pieces have the delimiter of the whole");
  must(piece.decimal_mark() == whole.decimal_mark(), "pieces have the decimal mark of the whole");
  must(piece.header_text() == whole.header_text(), "pieces have the header of the whole");
  for (std::int64_t r = 0; r < piece.rows(); ++r) {
    must(piece.line_of(r) == whole.line_of(first + r), "a row stands on the same line");
    must(piece.row_text(r) == whole.row_text(first + r), "a row has the same bytes");
  }
  for (std::size_t c = 0; c < piece.columns().size(); ++c) {
    const Column& a = whole.columns()[c];
    const Column& b = piece.columns()[c];
    must(a.name == b.name, "a column has the same name");
    must(same_bits(std::span(a.values).subspan(static_cast<std::size_t>(first), b.values.size()),
                   b.values),
         "a row has the same values");
    if (a.first_text_row < first || a.first_text_row >= first + piece.rows()) continue;
    must(b.first_text_row == a.first_text_row - first, "the first text is found in the same row");
    must(b.first_text == a.first_text, "the first text is the same");
  }
}

void must_be_the_same(const Table& whole, const std::vector<Table>& pieces) {
  std::int64_t rows = 0;
  std::vector<std::int64_t> text_cells(whole.columns().size());
  for (const Table& piece : pieces) {
    must(rows + piece.rows() <= whole.rows(), "pieces have no more rows than the whole");
    must_be_part(whole, rows, piece);
    rows += piece.rows();
    for (std::size_t c = 0; c < text_cells.size(); ++c) {
      text_cells[c] += piece.columns()[c].text_cells;
    }
  }
  must(rows == whole.rows(), "pieces have all rows of the whole");
  for (std::size_t c = 0; c < text_cells.size(); ++c) {
    must(text_cells[c] == whole.columns()[c].text_cells, "pieces have all texts of the whole");
  }
}

void must_have_the_values_of(const Table& a, const Table& b) {
  must(a.rows() == b.rows() && a.columns().size() == b.columns().size(), "it has the same cells");
  for (std::size_t c = 0; c < a.columns().size(); ++c) {
    const Column &one = a.columns()[c], &two = b.columns()[c];
    must(one.name == two.name, "a column keeps its name");
    must(same_bits(one.values, two.values), "a column keeps its values");
    must(one.text_cells == two.text_cells, "a column keeps its texts");
    must(one.first_text_row == two.first_text_row, "a column keeps its first text");
    must(one.first_text == two.first_text, "a text stays what it was");
  }
}

std::string in_quotes(std::string_view text) {
  std::string cell = "\"";
  for (const char c : text) cell += c == '"' ? std::string("\"\"") : std::string(1, c);
  return cell + '"';
}

// Rows as `pegnn predict` writes them: the bytes that were read, each row on a line.
std::string copied(const Table& table) {
  std::string text = table.header_text();
  if (!text.empty()) text += '\n';
  for (std::int64_t r = 0; r < table.rows(); ++r) text += std::string(table.row_text(r)) + '\n';
  return text;
}

// Cells taken apart and put together again, each in quotes; what a cell is by itself is what the
// column has.
std::string rewritten(const Table& table) {
  std::string text;
  if (!table.header_text().empty()) {
    for (const Column& column : table.columns()) {
      text += (&column == table.columns().data() ? "" : std::string(1, table.delimiter())) +
              in_quotes(column.name);
    }
    text += '\n';
  }
  std::vector<std::string> cells;
  for (std::int64_t r = 0; r < table.rows(); ++r) {
    split_row(table.row_text(r), table.delimiter(), cells);
    must(cells.size() == table.columns().size(), "a row has a cell for each column");
    for (std::size_t c = 0; c < cells.size(); ++c) {
      const Cell cell = classify_cell(cells[c], table.delimiter() == ';');
      const double value = table.columns()[c].values[static_cast<std::size_t>(r)];
      must(cell.kind == CellKind::number ? same_bits(cell.value, value) : std::isnan(value),
           "a cell by itself is what the reader made of it", cells[c]);
      text += (c == 0 ? "" : std::string(1, table.delimiter())) + in_quotes(cells[c]);
    }
    text += '\n';
  }
  return text;
}

// A file whose last rows are blank or that has no rows is not read back as such: blank lines at the
// end are no rows.
bool ends_blank(const Table& table) {
  if (table.rows() == 0) return true;
  const std::string_view last = table.row_text(table.rows() - 1);
  return last.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

void check(Bytes bytes) {
  ReadOptions options{.keep_text = true};
  constexpr char kDelimiters[] = {0, 0, ',', ';', '\t', '|', ' ', ':'};
  options.delimiter = kDelimiters[bytes.ConsumeIntegral<std::uint8_t>() % std::size(kDelimiters)];
  if (bytes.ConsumeIntegral<std::uint8_t>() % 8 == 1) options.names = {"a", "b"};
  const std::size_t at_a_time = 1 + bytes.ConsumeIntegral<std::uint8_t>() % 32U;
  const std::int64_t rows = 1 + bytes.ConsumeIntegral<std::uint8_t>() % 8;
  const auto way = bytes.ConsumeIntegral<std::uint8_t>();
  const std::string text = bytes.ConsumeRemainingBytesAsString();

  const Reading whole = read(text, options, kWhole, kAllRows);
  // One thing for each input: that is twice as many inputs.
  if (way % 2 == 0) {
    const Reading pieces = read(text, options, at_a_time, rows);
    must(whole.refusal == pieces.refusal, "in pieces a file is refused as it is when read whole",
         whole.refusal.message + " / " + pieces.refusal.message);
    if (!whole.refusal.refused) must_be_the_same(whole.pieces.front(), pieces.pieces);
  }
  if (!accepted(whole.refusal, ErrorKind::data)) return;
  const Table& table = whole.pieces.front();
  if (way % 2 == 0 || ends_blank(table)) return;
  options.delimiter = table.delimiter();
  const std::string again = way % 4 == 1 ? copied(table) : rewritten(table);
  const Reading reading = read(again, options, kWhole, kAllRows);
  must(!reading.refusal.refused, "what was written back can be read", reading.refusal.message);
  must_have_the_values_of(table, reading.pieces.front());
  must(reading.pieces.front().decimal_mark() == table.decimal_mark(), "its mark is the same");
}

}  // namespace
}  // namespace pegnn::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  pegnn::fuzz::check({data, size});
  return 0;
}
