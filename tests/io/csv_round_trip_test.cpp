// Random tables, written in every allowed way, read back as the same numbers.

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/text.h"
#include "pegnn/error.h"
#include "pegnn/table.h"

namespace pegnn {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

struct Written {
  std::string text;  // before quoting
  double value = 0;  // NaN when missing or text
  bool is_text = false;
};

bool chance(int percent) { return *rc::gen::inRange(0, 100) < percent; }

template <class T>
T one_of(const std::vector<T>& choices) {
  return *rc::gen::elementOf(choices);
}

Written random_cell(char decimal_mark) {
  if (chance(10)) {
    return {one_of<std::string>({"", "NA", "N/A", "NaN", "nan", "null", "NULL"}), kMissing, false};
  }
  if (chance(15)) {
    std::string text = "t";
    for (int i = *rc::gen::inRange(0, 6); i > 0; --i) {
      text += one_of<std::string>({"a", "\"", ",", ";", "|", "\t", "\n", "\r\n", "é", " ", "7"});
    }
    return {text + "t", kMissing, true};
  }
  const double value =
      chance(50) ? *rc::gen::arbitrary<double>() : *rc::gen::inRange(-100000, 100000) / 64.0;
  std::string text = format_number(value);
  if (const auto point = text.find('.'); point != std::string::npos) text[point] = decimal_mark;
  return {text, value, false};
}

// Quotes where they are needed, and now and then where they are not; spaces likewise.
std::string in_file(const std::string& text, char delimiter) {
  const auto space = [&] { return std::string(chance(10) ? 1 : 0, ' '); };
  const bool needed = text.find_first_of(std::string("\"\r\n") + delimiter) != std::string::npos;
  if (!needed && !chance(15)) return space() + text + space();
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return space() + quoted + "\"" + space();
}

bool same(double a, double b) { return std::isnan(a) ? std::isnan(b) : a == b; }

struct File {
  std::string bytes;
  char delimiter = ',';
  std::vector<std::vector<Written>> rows;
  std::vector<std::int64_t> lines;  // on which each row starts
  std::vector<std::string> row_texts;
};

std::int64_t line_ends(const std::string& text) {
  return static_cast<std::int64_t>(std::count(text.begin(), text.end(), '\n'));
}

File random_file() {
  File file;
  file.delimiter = one_of<char>({',', ';', '\t', '|'});
  const char mark = file.delimiter == ';' && chance(50) ? ',' : '.';
  const int columns = *rc::gen::inRange(1, 6), rows = *rc::gen::inRange(0, 12);
  const std::string line_end = one_of<std::string>({"\n", "\r\n"});
  if (chance(30)) file.bytes = "\xEF\xBB\xBF";
  for (int c = 0; c < columns; ++c) {
    if (c > 0) file.bytes += file.delimiter;
    file.bytes += in_file("col" + std::to_string(c), file.delimiter);
  }
  for (int r = 0; r < rows; ++r) {
    file.bytes += line_end;
    file.lines.push_back(1 + line_ends(file.bytes));
    std::vector<Written> row;
    std::string text;
    for (int c = 0; c < columns; ++c) {
      row.push_back(random_cell(mark));
      // The last row of a single column must not look like a blank line at the end of the file.
      if (columns == 1 && row.back().text.empty()) row.back().text = "NA";
      if (c > 0) text += file.delimiter;
      text += in_file(row.back().text, file.delimiter);
    }
    file.bytes += text;
    file.rows.push_back(std::move(row));
    file.row_texts.push_back(std::move(text));
  }
  for (int i = *rc::gen::inRange(0, 3); i > 0; --i) file.bytes += line_end;
  return file;
}

RC_GTEST_PROP(CsvRoundTrip, RandomTablesReadBackEqual, ()) {
  const File file = random_file();
  RC_CLASSIFY(file.rows.empty());
  // A single column has no delimiter to find out.
  const bool given = file.rows.empty() || file.rows.front().size() == 1 || chance(30);
  ReadOptions options;
  options.delimiter = given ? file.delimiter : '\0';
  options.keep_text = chance(50);
  const Table table = parse_table(file.bytes, "random.csv", options);

  RC_ASSERT(table.rows() == static_cast<std::int64_t>(file.rows.size()));
  RC_ASSERT(table.delimiter() == file.delimiter);
  std::vector<std::int64_t> texts(table.columns().size(), 0);
  for (std::size_t r = 0; r < file.rows.size(); ++r) {
    const auto row = static_cast<std::int64_t>(r);
    RC_ASSERT(table.line_of(row) == file.lines[r]);
    RC_ASSERT(table.row_text(row) == (options.keep_text ? file.row_texts[r] : ""));
    RC_ASSERT(table.columns().size() == file.rows[r].size());
    for (std::size_t c = 0; c < file.rows[r].size(); ++c) {
      RC_ASSERT(same(file.rows[r][c].value, table.columns()[c].values[r]));
      if (file.rows[r][c].is_text && texts[c]++ == 0) {
        RC_ASSERT(table.columns()[c].first_text_row == row);
      }
    }
  }
  for (std::size_t c = 0; c < texts.size(); ++c) {
    RC_ASSERT(table.columns()[c].text_cells == texts[c]);
    RC_ASSERT(table.columns()[c].name == "col" + std::to_string(c));
  }
}

// Whatever the bytes are, the reader gives a table or an Error; the sanitizers watch the rest.
RC_GTEST_PROP(CsvRoundTrip, AnyBytesGiveATableOrAnError, ()) {
  const auto piece = rc::gen::element<std::string>(
      "a", "1", "-2.5", "1e9", ",", ";", "\t", "|", "\"", "\"\"", "\n", "\r\n", "\r", " ",
      "\xC3\xA9", "\xE9", std::string(1, '\0'), "\xEF\xBB\xBF", "1,5", "nan", "\x1f\x8b");
  std::string bytes;
  for (const std::string& p : *rc::gen::container<std::vector<std::string>>(piece)) bytes += p;
  try {
    const Table table = parse_table(bytes, "any");
    RC_ASSERT(!table.columns().empty());
    for (const Column& column : table.columns()) {
      RC_ASSERT(static_cast<std::int64_t>(column.values.size()) == table.rows());
    }
  } catch (const Error& error) {
    RC_ASSERT(error.kind() == ErrorKind::data);
  }
}

}  // namespace
}  // namespace pegnn
