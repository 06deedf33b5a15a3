#pragma once
// A table of points as read from a file: named columns of numbers, and the roles they play.

#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pegnn/geo.h"

namespace pegnn {

class CsvReader;
class Log;

// One column. Missing cells (empty, NA, NaN, null) are NaN. A column with text in it keeps NaN in
// those cells and remembers the first one, so that whoever needs numbers can name it.
struct Column {
  std::string name;
  std::vector<double> values;
  std::int64_t text_cells = 0;       // cells that are neither a number nor missing
  std::int64_t first_text_row = -1;  // 0-based data row of the first of them
  std::string first_text;            // what stands there, cut to 40 characters
  // Where it was asked for (ReadOptions::words): the cells of text as they stand, by ascending row.
  std::vector<std::pair<std::int64_t, std::string>> words = {};

  bool numeric() const { return text_cells == 0; }
};

// What a first column without a name is called. Programs that write the names of rows leave it so
// (R's write.csv, pandas); it is no feature unless it is asked for.
inline constexpr const char* kRowNames = "(row names)";

// The columns that hold the points of a file with geometry. They are the coordinates unless others
// are named, and never features.
inline constexpr const char* kGeometryX = "(geometry x)";
inline constexpr const char* kGeometryY = "(geometry y)";

class Table {
 public:
  Table() = default;
  // `source` is the file name used in messages.
  explicit Table(std::string source) : source_(std::move(source)) {}

  const std::string& source() const { return source_; }
  std::int64_t rows() const { return rows_; }
  const std::vector<Column>& columns() const { return columns_; }

  // Null when there is no column of that name.
  const Column* find(std::string_view name) const;

  // Adds a column; every column of a table has the same number of rows and a name of its own, else
  // Error{usage}.
  void add(Column column);
  void add(std::string name, std::vector<double> values);

  // Gives a column other values, as many as there are rows.
  void replace(std::string_view name, std::vector<double> values);

  // Of its coordinates; not known unless the file tells it or the user said so.
  const Crs& crs() const { return crs_; }
  void set_crs(Crs crs) { crs_ = std::move(crs); }
  // Whether the file has geometry: kGeometryX and kGeometryY are there.
  bool has_geometry() const { return find(kGeometryX) != nullptr; }

  // Line of the file (1-based) on which data row `row` (0-based) starts; 0 when unknown.
  std::int64_t line_of(std::int64_t row) const;
  // Rows past the end of `lines` follow one per line: {2} says that row i starts on line 2 + i.
  void set_lines(std::vector<std::int64_t> lines) { lines_ = std::move(lines); }
  // For messages: "line 12", in a file with geometry "feature 11", else "data row 10".
  std::string where(std::int64_t row) const;

  // The bytes of data row `row` as they stood in the file, without the line end; empty unless the
  // reader was asked to keep them. Used to write a row back unchanged with columns added.
  std::string_view row_text(std::int64_t row) const;
  const std::string& header_text() const { return header_text_; }
  char delimiter() const { return delimiter_; }
  // Of the numbers in the file: '.', or ',' in some files delimited by ';'.
  char decimal_mark() const { return decimal_mark_; }
  void set_decimal_mark(char mark) { decimal_mark_ = mark; }
  // Row i with its line end is bytes[begin[i], begin[i + 1]), so that `begin` has one place more
  // than there are rows. Both may be empty: no rows kept.
  void set_text(std::string bytes, std::vector<std::int64_t> begin, std::string header,
                char delimiter);

 private:
  std::string source_;
  Crs crs_;
  std::int64_t rows_ = 0;
  std::vector<Column> columns_;
  std::vector<std::int64_t> lines_;
  std::string bytes_, header_text_;
  std::vector<std::int64_t> row_begin_;
  char delimiter_ = ',';
  char decimal_mark_ = '.';
};

struct ReadOptions {
  char delimiter = 0;      // 0: found out from the file, one of , ; tab |
  bool keep_text = false;  // keep the bytes of each row for `Table::row_text`
  // What the text is in, by a name that iconv knows (latin1, windows-1252, utf-16, ...); empty:
  // UTF-8. Row texts that are kept are UTF-8 in any case.
  std::string encoding = {};
  // Of a file without a header line: what its columns are called. Each has a name of its own.
  std::vector<std::string> names = {};
  // Columns whose cells of text are kept, in `Column::words`; a name that is no column is ignored.
  std::vector<std::string> words = {};
};

// Reads a delimited text file, plain or gzip, with one header line. Strict: a row with too many or
// too few fields, an unclosed quote, a NUL byte or text that is not UTF-8 is an Error{data} naming
// the line, as is a file that is plainly something else (a spreadsheet, JSON); a file that cannot
// be opened is an Error{resource}, an encoding that is not known an Error{usage}. Spaces around a
// cell do not count; cells may be quoted ("" is a quote inside quotes) and hold line ends. Missing
// are: nothing, NA, N/A, NaN, nan, null, NULL. Blank lines at the end are ignored. In a file
// delimited by ';' the decimal mark may be a comma; the first number with a mark decides, and a
// later number with the other mark is an Error{data}.
Table read_table(const std::filesystem::path& file, const ReadOptions& options = {});
// The same for bytes in memory; `source` is used in messages.
Table parse_table(std::string bytes, const std::string& source, const ReadOptions& options = {});

inline constexpr std::int64_t kAllRows = std::numeric_limits<std::int64_t>::max();

// Reads such a file piece by piece, so that memory does not grow with its length.
class TableReader {
 public:
  // Reads the header. `source`, the file's name unless given, is used in messages.
  explicit TableReader(const std::filesystem::path& file, const ReadOptions& options = {},
                       const std::string& source = {});
  // The same for bytes in memory.
  static TableReader over(std::string bytes, const std::string& source,
                          const ReadOptions& options = {});
  TableReader(TableReader&&) noexcept;
  TableReader& operator=(TableReader&&) noexcept;
  ~TableReader();

  // The next rows, at most `most_rows` > 0, as a table that knows their lines in the file; without
  // rows when there are no more. Errors as in `read_table`, once the row in question is reached.
  // Every piece tells the decimal mark of the whole file: one delimited by ';' is read on, past
  // `most_rows`, until the first number with a mark.
  Table next(std::int64_t most_rows);

  // The names of the columns, in their order.
  const std::vector<std::string>& names() const;

 private:
  explicit TableReader(std::unique_ptr<CsvReader> reader);

  std::unique_ptr<CsvReader> reader_;
};

// What the user said about columns; everything may be left open.
struct ColumnChoice {
  std::string lon = {}, lat = {};          // longitude and latitude in degrees
  std::string x = {}, y = {};              // projected coordinates
  std::string target = {};                 // empty: the table has no target (prediction)
  std::vector<std::string> features = {};  // empty: all other numeric columns
  bool no_features = false;                // interpolation: coordinates alone
  std::string target_option = "target";    // the option that messages call the target by
  std::string weight = {};                 // how much each row counts; empty: all alike
  std::string fold = {};                   // says which rows are held out together; no feature
};

// Which column plays which part.
struct Roles {
  std::string x, y;        // column names of longitude and latitude, or of x and y
  bool geographic = true;  // longitude and latitude in degrees, or projected coordinates
  std::string target;
  std::vector<std::string> features;
  Crs crs = {};             // of x and y, where it is known; `geographic` agrees with it
  std::string weight = {};  // how much each row counts in training; empty: all alike
};

// Fills in what was left open, from the usual column names, and says what it took in `log`.
// Throws Error{usage} for a named column that is not there (with the nearest name and the list),
// Error{data} for a column with both numbers and text among the features.
Roles resolve_roles(const Table& table, const ColumnChoice& choice, Log& log);

}  // namespace pegnn
