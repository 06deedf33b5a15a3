#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <unistd.h>
#include <zlib.h>

#include "io/csv_reader.h"
#include "pegnn/error.h"
#include "pegnn/table.h"

namespace pegnn {
namespace {

CsvReader reader_of(const std::string& bytes, std::size_t at_a_time, ReadOptions options = {}) {
  return CsvReader(memory_bytes(bytes), "t.csv", options, at_a_time);
}

// What a table says of each row: line, text and values; read `rows` at a time.
std::vector<std::string> told(const std::string& bytes, std::size_t at_a_time, std::int64_t rows) {
  CsvReader reader = reader_of(bytes, at_a_time, {.keep_text = true});
  std::vector<std::string> all;
  for (Table piece = reader.next(rows); piece.rows() > 0; piece = reader.next(rows)) {
    for (std::int64_t row = 0; row < piece.rows(); ++row) {
      std::string text =
          std::to_string(piece.line_of(row)) + ": " + std::string(piece.row_text(row)) + " =";
      for (const Column& column : piece.columns()) {
        text += ' ' + std::to_string(column.values[static_cast<std::size_t>(row)]);
      }
      all.push_back(text);
    }
  }
  return all;
}

std::string error_in_pieces(const std::string& bytes, std::size_t at_a_time, std::int64_t rows) {
  try {
    told(bytes, at_a_time, rows);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

// Every way of cutting the bytes and the rows must tell the same.
void expect_same_however_cut(const std::string& bytes, const std::vector<std::string>& expected) {
  for (std::size_t at_a_time = 1; at_a_time <= bytes.size() + 1; ++at_a_time) {
    for (const std::int64_t rows : {1, 2, 3, 100}) {
      ASSERT_EQ(told(bytes, at_a_time, rows), expected)
          << at_a_time << " bytes, " << rows << " rows at a time";
    }
  }
}

TEST(TableReader, QuotedCellsMayLieAcrossPieces) {
  expect_same_however_cut(
      "\"a\n1\",b\n1,\"x\n\n\"\"y\"\"\n, \"\n2,3\n\"4\",\"\n\"\n5,6\n",
      {"3: 1,\"x\n\n\"\"y\"\"\n, \" = 1.000000 nan", "7: 2,3 = 2.000000 3.000000",
       "8: \"4\",\"\n\" = 4.000000 nan", "10: 5,6 = 5.000000 6.000000"});
}

TEST(TableReader, CrlfAndALastLineWithoutItsEndMayLieAcrossPieces) {
  expect_same_however_cut(
      "\xEF\xBB\xBF"
      "a,b\r\n1,-2.5\r\n 3 ,4e0\n5,6\r\n\r\n \n",
      {"2: 1,-2.5 = 1.000000 -2.500000", "3:  3 ,4e0 = 3.000000 4.000000",
       "4: 5,6 = 5.000000 6.000000"});
  expect_same_however_cut("a\n1\n\n2", {"2: 1 = 1.000000", "3:  = nan", "4: 2 = 2.000000"});
}

TEST(TableReader, AHeaderAloneGivesAPieceWithColumnsAndNoRows) {
  for (const std::size_t at_a_time : {1UL, 2UL, 100UL}) {
    CsvReader reader = reader_of("lon;\"la\nt\";y\n\n", at_a_time);
    for (int i = 0; i < 2; ++i) {
      const Table piece = reader.next(10);
      EXPECT_EQ(piece.rows(), 0);
      ASSERT_EQ(piece.columns().size(), 3U);
      EXPECT_EQ(piece.columns()[1].name, "la\nt");
      EXPECT_EQ(piece.delimiter(), ';');
    }
  }
}

TEST(TableReader, ALateBadRowIsNamedByItsLineInTheFile) {
  std::string bytes = "a,b\n";
  for (int i = 0; i < 1000; ++i) bytes += "1,2\n";
  for (const std::size_t at_a_time : {1UL, 50UL, 5000UL}) {
    for (const std::int64_t rows : {1, 7, 5000}) {
      EXPECT_EQ(error_in_pieces(bytes + "1,\"2\n\",3\n4,5\n", at_a_time, rows),
                "t.csv, line 1002: 3 fields where the header has 2");
      EXPECT_EQ(error_in_pieces(bytes + "\n1,2\n", at_a_time, rows),
                "t.csv, line 1002: 1 field where the header has 2 (a blank line)");
      EXPECT_EQ(error_in_pieces(bytes + "1,\"2\n\n3,4\n", at_a_time, rows),
                "t.csv, line 1002: a quote is opened and never closed");
      EXPECT_EQ(
          error_in_pieces(bytes + "1,x\xFF\n", at_a_time, rows),
          "t.csv, line 1002: column 'b': byte 0xFF is not UTF-8; --encoding says what the text is "
          "in, latin1 of many older programs");
    }
  }
}

TEST(TableReader, TextIsCountedInEveryPieceForItself) {
  CsvReader reader = reader_of("a\n1\nx\n2\ny\n", 3);
  const Table first = reader.next(2), second = reader.next(2);
  EXPECT_EQ(first.find("a")->text_cells, 1);
  EXPECT_EQ(first.find("a")->first_text, "x");
  EXPECT_EQ(second.find("a")->first_text, "y");
  EXPECT_EQ(second.find("a")->first_text_row, 1);
  EXPECT_EQ(second.line_of(1), 5);
}

TEST(TableReader, TheFirstPieceReadsOnUntilTheDecimalMarkIsKnown) {
  const std::string bytes = "a;b\n1;2\n3;4\n5;6,5\n7;8\n9;10,5\n";
  for (const std::size_t at_a_time : {1UL, 9UL, 100UL}) {
    CsvReader reader = reader_of(bytes, at_a_time);
    const Table first = reader.next(1);
    EXPECT_EQ(first.decimal_mark(), ',');
    EXPECT_GE(first.rows(), 3);
    std::int64_t rows = first.rows();
    for (Table piece = reader.next(1); piece.rows() > 0; piece = reader.next(1)) {
      EXPECT_EQ(piece.decimal_mark(), ',');
      rows += piece.rows();
    }
    EXPECT_EQ(rows, 5);
  }
  EXPECT_EQ(
      error_in_pieces(bytes + "1.5;2\n", 4, 1),
      "t.csv, line 7: '1.5' has a decimal point, but '6,5' on line 4 has a decimal comma; use "
      "one of them throughout the file");
}

TEST(TableReader, ManyRowsAreTheSameInPiecesAndAtOnce) {
  std::string bytes = "a,b\n";
  for (int i = 0; i < 30'000; ++i) bytes += std::to_string(i) + ",0." + std::to_string(i) + "\n";
  const Table whole = parse_table(bytes, "t.csv");
  ASSERT_EQ(whole.rows(), 30'000);
  TableReader reader = TableReader::over(bytes, "t.csv");
  std::vector<double> a, b;
  std::int64_t pieces = 0;
  for (Table piece = reader.next(7000); piece.rows() > 0; piece = reader.next(7000), ++pieces) {
    EXPECT_EQ(piece.line_of(0), static_cast<std::int64_t>(a.size()) + 2);
    const std::vector<double>&x = piece.find("a")->values, &y = piece.find("b")->values;
    a.insert(a.end(), x.begin(), x.end());
    b.insert(b.end(), y.begin(), y.end());
  }
  EXPECT_EQ(pieces, 5);
  EXPECT_EQ(a, whole.find("a")->values);
  EXPECT_EQ(b, whole.find("b")->values);
}

// Whatever the bytes are, how they are cut changes neither rows nor messages.
RC_GTEST_PROP(TableReaderCuts, AnyBytesTellTheSameInPiecesAsAtOnce, ()) {
  const auto fragment = rc::gen::element<std::string>(
      "a", "b,c", "1", "-2.5", "3,5", ",", ",", ";", "\n", "\n", "\r\n", "\"", "\"\"", "\"x\n\"",
      " ", "\t", "NA", "\r", "\xC3\xA4", "\xFF", std::string(1, '\0'));
  std::string bytes = *rc::gen::element<std::string>("", "a,b\n", "a;b\n", "a\n", "\"a\n\",b\n");
  for (const std::string& part : *rc::gen::container<std::vector<std::string>>(fragment)) {
    bytes += part;
  }
  const auto outcome = [&](std::size_t at_a_time, std::int64_t rows) {
    try {
      return told(bytes, at_a_time, rows);
    } catch (const Error& error) {
      return std::vector<std::string>{error.what()};
    }
  };
  const auto at_a_time = *rc::gen::inRange<std::size_t>(1, 20);
  const auto rows = *rc::gen::inRange<std::int64_t>(1, 4);
  RC_ASSERT(outcome(at_a_time, rows) == outcome(bytes.size() + 3, 1000));
}

class TableFile : public testing::Test {
 protected:
  TableFile()
      : path_(std::filesystem::temp_directory_path() /
              ("pegnn_table_reader_" + std::to_string(::getpid()))) {}
  ~TableFile() override { std::filesystem::remove(path_); }

  std::filesystem::path path_;
};

TEST_F(TableFile, APackedFileIsReadPieceByPiece) {
  const gzFile file = gzopen(path_.c_str(), "wb");
  ASSERT_NE(file, nullptr);
  std::string text = "a,b\n";
  for (int i = 0; i < 100'000; ++i) text += std::to_string(i) + ",1.5\n";
  ASSERT_GT(gzwrite(file, text.data(), static_cast<unsigned>(text.size())), 0);
  ASSERT_EQ(gzclose(file), Z_OK);
  TableReader reader(path_);
  double sum = 0;
  for (Table piece = reader.next(999); piece.rows() > 0; piece = reader.next(999)) {
    EXPECT_EQ(piece.source(), path_.string());
    for (const double value : piece.find("a")->values) sum += value;
  }
  EXPECT_EQ(sum, 99'999.0 * 100'000 / 2);
}

TEST_F(TableFile, AFileThatIsNoneIsRefusedBeforeTheFirstPiece) {
  EXPECT_THROW(TableReader{path_}, Error);
  EXPECT_THROW(TableReader{path_.parent_path()}, Error);
  std::ofstream(path_).flush();
  try {
    const TableReader reader(path_, {}, "standard input");
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "standard input is empty; the first line must name the columns");
  }
}

}  // namespace
}  // namespace pegnn
