#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "pegnn/error.h"
#include "pegnn/table.h"

namespace pegnn {
namespace {

Table parse(std::string bytes, const ReadOptions& options = {}) {
  return parse_table(std::move(bytes), "t.csv", options);
}

std::string error_of(std::string bytes, ErrorKind kind = ErrorKind::data,
                     const ReadOptions& options = {}) {
  try {
    parse(std::move(bytes), options);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind);
    return error.what();
  }
  return "no error";
}

const std::vector<double>& values(const Table& table, std::string_view name) {
  const Column* column = table.find(name);
  EXPECT_NE(column, nullptr) << name;
  static const std::vector<double> kNone;
  return column != nullptr ? column->values : kNone;
}

using Values = std::vector<double>;

TEST(Csv, ReadsNumbersByColumn) {
  const Table table = parse("lon,lat,price\n-122.25,37.5,1\n10,-0.125,1e3\n");
  EXPECT_EQ(table.source(), "t.csv");
  EXPECT_EQ(table.rows(), 2);
  ASSERT_EQ(table.columns().size(), 3U);
  EXPECT_EQ(values(table, "lon"), (Values{-122.25, 10}));
  EXPECT_EQ(values(table, "lat"), (Values{37.5, -0.125}));
  EXPECT_EQ(values(table, "price"), (Values{1, 1000}));
  EXPECT_EQ(table.find("Price"), nullptr);
}

TEST(Csv, TheLastLineNeedsNoLineEnd) {
  EXPECT_EQ(values(parse("a,b\n1,2\n3,4"), "b"), (Values{2, 4}));
  EXPECT_EQ(values(parse("a,b\r\n1,2\r\n3,4"), "b"), (Values{2, 4}));
}

TEST(Csv, CrlfAndLfMayBeMixed) {
  const Table table = parse("a,b\r\n1,2\n3,x\r\n5,6\r\n");
  EXPECT_EQ(values(table, "a"), (Values{1, 3, 5}));
  EXPECT_EQ(table.find("b")->first_text, "x");
}

TEST(Csv, ALoneCarriageReturnIsRefused) {
  EXPECT_EQ(error_of("a,b\r1,2\r3,4\r"),
            "t.csv, line 1: a carriage return without a line feed; save the file with LF or CRLF "
            "line ends");
  EXPECT_NE(error_of("a,b\n1,2\r3,4\n").find("line 2: a carriage return"), std::string::npos);
}

TEST(Csv, ACarriageReturnInsideARowIsNamedBeforeTheFieldsItCutsOff) {
  EXPECT_NE(error_of("a,b\n1\r,2\n").find("line 2: a carriage return"), std::string::npos);
  EXPECT_NE(error_of("a,b\n\"p\nq\"\r,2\n").find("line 3: a carriage return"), std::string::npos);
  EXPECT_EQ(error_of("a,b\n1\r\n2,3\n"), "t.csv, line 2: 1 field where the header has 2");
  EXPECT_EQ(error_of("a,b\n1,2\n3\r"), "t.csv, line 3: 1 field where the header has 2");
}

TEST(Csv, TheByteOrderMarkIsNotPartOfTheFirstName) {
  const Table table = parse("\xEF\xBB\xBFlon,lat\n1,2\n", {.keep_text = true});
  EXPECT_EQ(values(table, "lon"), (Values{1}));
  EXPECT_EQ(table.header_text(), "lon,lat");
}

TEST(Csv, ASecondByteOrderMarkIsRefused) {
  const std::string mark = "\xEF\xBB\xBF";
  const std::string refusal = "t.csv, line 1: column 1 begins with a byte order mark; take it away";
  EXPECT_EQ(error_of(mark + mark + "a,b\n1,2\n"), refusal);
  EXPECT_EQ(error_of(mark + "\"" + mark + "a\",b\n1,2\n"), refusal);
  EXPECT_EQ(error_of(mark + mark + "1,2\n", ErrorKind::data, {.names = {"a", "b"}}),
            "t.csv, line 1: a second byte order mark; take it away");
}

TEST(Csv, Utf16IsRefusedByName) {
  EXPECT_EQ(error_of(std::string("\xFF\xFE"
                                 "a\0",
                                 4)),
            "t.csv is UTF-16 text; --encoding utf-16 reads it, or save it as UTF-8");
}

TEST(Csv, AnEmptyFileIsRefused) {
  EXPECT_EQ(error_of(""), "t.csv is empty; the first line must name the columns");
  EXPECT_EQ(error_of("\n\r\n  \n"), "t.csv is empty; the first line must name the columns");
  EXPECT_EQ(error_of("\xEF\xBB\xBF"), "t.csv is empty; the first line must name the columns");
}

TEST(Csv, ANameLongerThanAnyoneReadsIsRefusedByItsColumn) {
  const std::string longest(1024, 'n');
  EXPECT_EQ(parse_table("a," + longest + "\n1,2\n", "t.csv").columns()[1].name, longest);
  const std::string message = error_of("a,n" + longest + "\n1,2\n");
  EXPECT_EQ(0U, message.find("t.csv, line 1: column 2 has a name of 1025 bytes, 'nnnn")) << message;
  EXPECT_LT(message.size(), 200U);
}

TEST(Csv, AHeaderWithoutRowsGivesNoRows) {
  for (const char* text : {"a,b", "a,b\n", "a,b\r\n\r\n\n"}) {
    const Table table = parse(text);
    EXPECT_EQ(table.rows(), 0) << text;
    EXPECT_EQ(table.columns().size(), 2U) << text;
    EXPECT_EQ(table.line_of(0), 0) << text;
  }
}

TEST(Csv, AFirstColumnWithoutANameHoldsNamesOfRows) {
  for (const char* text : {",a,b\n1,2,3\n", "\"\",\"a\",\"b\"\n\"1\",2,3\n"}) {
    const Table table = parse(text);
    ASSERT_EQ(table.columns().size(), 3U) << text;
    EXPECT_EQ(table.columns()[0].name, kRowNames);
    EXPECT_EQ(table.find("a")->values, std::vector<double>{2});
  }
}

TEST(Csv, NamesAreTrimmed) {
  const Table table = parse(" a , \" b \",c\t\n1,2,3\n", {.delimiter = ','});
  EXPECT_NE(table.find("a"), nullptr);
  EXPECT_NE(table.find("b"), nullptr);
  EXPECT_NE(table.find("c"), nullptr);
}

TEST(Csv, EmptyAndRepeatedNamesAreRefused) {
  EXPECT_EQ(error_of("a,,c\n1,2,3\n"),
            "t.csv, line 1: column 2 has no name; the first line must name every column");
  EXPECT_EQ(error_of("a,b,\" a\"\n1,2,3\n"), "t.csv, line 1: two columns are named 'a'");
  EXPECT_NE(error_of("\na,b\n1,2\n").find("column 1 has no name"), std::string::npos);
}

TEST(Csv, TooManyColumnsAreRefused) {
  std::string header = "c0";
  for (int i = 1; i <= 16384; ++i) header += ",c" + std::to_string(i);
  EXPECT_EQ(error_of(header), "t.csv, line 1: more than 16384 columns");
}

TEST(Csv, ARaggedRowNamesItsLineAndCounts) {
  EXPECT_EQ(error_of("a,b,c,d\n1,2,3,4\n1,2,3,4,5\n"),
            "t.csv, line 3: 5 fields where the header has 4");
  EXPECT_EQ(error_of("a,b,c,d\n1,\"2,5\",3\n"), "t.csv, line 2: 3 fields where the header has 4");
  EXPECT_EQ(error_of("a,b\n1,2\n3"), "t.csv, line 3: 1 field where the header has 2");
  EXPECT_EQ(error_of("a,b\n1,2,\n"), "t.csv, line 2: 3 fields where the header has 2");
  EXPECT_EQ(error_of("a\n1\n2,3\n"), "t.csv, line 3: 2 fields where the header has 1");
}

TEST(Csv, ARowWithANameTooManyIsTakenForOneOfR) {
  EXPECT_EQ(
      error_of("\"a\",\"b\"\n\"1\",2,3\n"),
      "t.csv, line 2: 3 fields where the header has 2; R's write.table leaves out the name of "
      "the first column: write it with col.names = NA, or by write.csv");
  EXPECT_EQ(error_of("a,b\n1,2\n\"1\",2,3\n"), "t.csv, line 3: 3 fields where the header has 2");
}

TEST(Csv, ABlankLineInTheMiddleIsARaggedRow) {
  EXPECT_EQ(error_of("a,b\n1,2\n\n3,4\n"),
            "t.csv, line 3: 1 field where the header has 2 (a blank line)");
}

TEST(Csv, BlankLinesAtTheEndAreIgnored) {
  EXPECT_EQ(parse("a,b\n1,2\n\n\r\n  \n\n").rows(), 1);
  EXPECT_EQ(parse("a;b\n1;2\n ").rows(), 1);
}

TEST(Csv, InATableOfOneColumnABlankLineIsAMissingCell) {
  const Table table = parse("a\n1\n\n3\n\n\n");
  ASSERT_EQ(table.rows(), 3);
  EXPECT_EQ(values(table, "a")[0], 1);
  EXPECT_TRUE(std::isnan(values(table, "a")[1]));
  EXPECT_EQ(values(table, "a")[2], 3);
}

TEST(Csv, QuotedCellsHoldDelimitersQuotesAndLineEnds) {
  const Table table = parse("name,\"the \"\"value\"\"\"\n\"a,\"\"b\"\"\nc\",\"12.5\"\n\"\",2\n");
  EXPECT_EQ(values(table, "the \"value\""), (Values{12.5, 2}));
  EXPECT_EQ(table.find("name")->first_text, "a,\"b\" c");
  EXPECT_EQ(table.find("name")->text_cells, 1);
  EXPECT_EQ(table.line_of(0), 2);
  EXPECT_EQ(table.line_of(1), 4);
}

TEST(Csv, SpacesMayStandAroundQuotes) {
  EXPECT_EQ(values(parse("a, b\n \"1\" , \"2\"\n"), "b"), (Values{2}));
}

TEST(Csv, AQuoteInsideAnUnquotedCellIsText) {
  const Table table = parse("a,b\n5\" pipe,2\n");
  EXPECT_EQ(table.find("a")->first_text, "5\" pipe");
}

TEST(Csv, AnUnclosedQuoteNamesTheLineWhereItOpens) {
  EXPECT_EQ(error_of("a,b\n1,2\n3,\"4\n5,6\n7,8\n"),
            "t.csv, line 3: a quote is opened and never closed");
  EXPECT_EQ(error_of("a,\"b"), "t.csv, line 1: a quote is opened and never closed");
  EXPECT_EQ(error_of("a,b\n1,\""), "t.csv, line 2: a quote is opened and never closed");
}

TEST(Csv, TextAfterAClosingQuoteIsRefused) {
  EXPECT_EQ(error_of("a,b\n1,\"2\"3\n"),
            "t.csv, line 2: '3' after a closing quote; a quote inside quotes is written twice");
}

TEST(Csv, ANulByteIsRefusedWithItsLine) {
  using namespace std::string_literals;
  EXPECT_NE(error_of("a,b\n1,2\n3\0,4\n"s).find("t.csv, line 3: a NUL byte"), std::string::npos);
  EXPECT_NE(error_of("a,b\n1,2\n3,x\0\n"s).find("line 3: a NUL byte"), std::string::npos);
  EXPECT_NE(error_of("a\0,b\n1,2\n"s).find("line 1: a NUL byte"), std::string::npos);
  EXPECT_NE(error_of("a,b\n1,\"x\0\"\n"s).find("line 2: a NUL byte"), std::string::npos);
  EXPECT_NE(error_of("a,b\n1,2\0"s).find("line 2: a NUL byte"), std::string::npos);
}

TEST(Csv, TextThatIsNotUtf8IsRefusedWithItsLine) {
  EXPECT_EQ(error_of("a,b\n1,2\n3,caf\xE9\n"),
            "t.csv, line 3: column 'b': byte 0xE9 is not UTF-8; --encoding says what the text is "
            "in, latin1 of many older programs");
  EXPECT_NE(error_of("a,\xC0\x80\n1,2\n").find("line 1: column 2: byte 0xC0"), std::string::npos);
  EXPECT_NE(error_of("a,b\n1,\"x\n\xED\xA0\x80\ny\"\n").find("line 3: column 'b': byte 0xED"),
            std::string::npos);
  EXPECT_EQ(parse("größe,b\n1,日本 𝄞\n").find("b")->first_text, "日本 𝄞");
}

TEST(Csv, MissingCellsAreNaN) {
  const Table table = parse("a,b\n,1\nNA,2\nN/A,3\nNaN,4\nnan,5\nnull,6\nNULL,7\n  ,8\n\"\",9\n");
  ASSERT_EQ(table.rows(), 9);
  EXPECT_TRUE(table.find("a")->numeric());
  for (const double value : values(table, "a")) EXPECT_TRUE(std::isnan(value));
}

TEST(Csv, OtherWordsForMissingAreText) {
  for (const char* word : {"?", "-", "none", "n/a", "Na", "-nan", "nan(1)", "#N/A", "NAN"}) {
    const Table table = parse(std::string("a,b\n1,") + word + "\n");
    EXPECT_EQ(table.find("b")->text_cells, 1) << word;
    EXPECT_EQ(table.find("b")->first_text, word);
  }
}

TEST(Csv, InfinityIsKeptAsSuch) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(values(parse("a,b\n1,inf\n2,-inf\n3,Infinity\n4,+INF\n5,-infinity\n"), "b"),
            (Values{infinity, -infinity, infinity, infinity, -infinity}));
}

TEST(Csv, TextCellsAreCountedAndTheFirstIsKept) {
  const Table table = parse("a,b\n1,2\n3,n/k\n5,later\n7,8\n");
  const Column& column = *table.find("b");
  EXPECT_EQ(column.text_cells, 2);
  EXPECT_EQ(column.first_text_row, 1);
  EXPECT_EQ(column.first_text, "n/k");
  EXPECT_FALSE(column.numeric());
  EXPECT_EQ(column.values[0], 2);
  EXPECT_TRUE(std::isnan(column.values[1]));
  EXPECT_EQ(column.values[3], 8);
}

TEST(Csv, LongTextIsCutToFortyCharactersNotBytes) {
  std::string cell, expected;
  for (int i = 0; i < 60; ++i) cell += "é";
  for (int i = 0; i < 40; ++i) expected += "é";
  EXPECT_EQ(parse("a,b\n1," + cell + "\n").find("b")->first_text, expected);
}

TEST(Csv, TheDelimiterIsTheMostFrequentInTheHeader) {
  EXPECT_EQ(parse("a;b;c,d\n1;2;3\n").delimiter(), ';');
  EXPECT_EQ(parse("a\tb\tc\n1\t2\t3\n").delimiter(), '\t');
  EXPECT_EQ(parse("a|b\n1|2\n").delimiter(), '|');
  EXPECT_EQ(parse("\"a;b;c;d\",e,f\n1,2,3\n").delimiter(), ',');
  EXPECT_EQ(parse("\"a\"\"|;;;\",e\n1,2\n").delimiter(), ',');
  EXPECT_EQ(parse("height (\"),e,\"x;;;\"\n1,2,3\n").delimiter(), ',');
}

TEST(Csv, ATieBetweenDelimitersGoesToTheCommaFirst) {
  EXPECT_EQ(parse("a|b;c\td,e\n1,2\n").delimiter(), ',');
  EXPECT_EQ(parse("a|b;c\td\n1;2\n").delimiter(), ';');
  EXPECT_EQ(parse("a|b\tc\n1\t2\n").delimiter(), '\t');
  EXPECT_EQ(parse("a\n1\n").delimiter(), ',');
}

TEST(Csv, TheDelimiterMayBeGiven) {
  EXPECT_EQ(values(parse("a,x;b\n1;2\n", {.delimiter = ';'}), "b"), (Values{2}));
  EXPECT_EQ(values(parse("a b\n1 2\n", {.delimiter = ' '}), "b"), (Values{2}));
  for (const char bad : {'"', '\n', '.', '1', 'e', '-', '\x80'}) {
    const std::string text = error_of("a,b\n1,2\n", ErrorKind::usage, {.delimiter = bad});
    EXPECT_NE(text.find("cannot be a delimiter"), std::string::npos) << text;
  }
}

TEST(Csv, EmptyCellsBetweenTabsCount) {
  const Table table = parse("a\tb\tc\n1\t\t3\n\t\t\n");
  EXPECT_EQ(table.rows(), 2);
  EXPECT_EQ(values(table, "c")[0], 3);
  EXPECT_TRUE(std::isnan(values(table, "b")[0]));
}

TEST(Csv, ADecimalCommaIsReadWhereTheDelimiterIsASemicolon) {
  const Table table = parse("a;b\n1;12,5\n-3,25;7\n,5;1,5e2\n\"2,5\";+0,5\n");
  EXPECT_EQ(values(table, "a"), (Values{1, -3.25, 0.5, 2.5}));
  EXPECT_EQ(values(table, "b"), (Values{12.5, 7, 150, 0.5}));
}

TEST(Csv, ASemicolonFileMayHaveDecimalPoints) {
  EXPECT_EQ(values(parse("a;b\n1;12.5\n2;3.5\n"), "b"), (Values{12.5, 3.5}));
}

TEST(Csv, TheDecimalMarkIsOneForTheWholeFile) {
  EXPECT_EQ(error_of("a;b\n1;2\n1.5;2\n3;12,5\n"),
            "t.csv, line 4: '12,5' has a decimal comma, but '1.5' on line 3 has a decimal point; "
            "use one of them throughout the file");
  EXPECT_EQ(error_of("a;b\n1,5;2\n3;-1.234\n"),
            "t.csv, line 3: '-1.234' has a decimal point, but '1,5' on line 2 has a decimal comma; "
            "use one of them throughout the file");
}

TEST(Csv, ADecimalCommaIsTextWhereTheDelimiterIsNotASemicolon) {
  EXPECT_EQ(parse("a\tb\n1\t12,5\n").find("b")->first_text, "12,5");
  EXPECT_EQ(parse("a;b\n1;1.234,5\n").find("b")->first_text, "1.234,5");
}

TEST(Csv, RowsOnOneLineEachAreNumberedFromTheHeader) {
  const Table table = parse("a,b\n1,2\n3,4\n5,6\n");
  EXPECT_EQ(table.line_of(0), 2);
  EXPECT_EQ(table.line_of(2), 4);
  EXPECT_EQ(table.line_of(3), 0);
  EXPECT_EQ(table.line_of(-1), 0);
}

TEST(Csv, LinesAfterARowOverSeveralLinesAreRight) {
  const Table table = parse("\"a\nx\",b\n1,2\n\"p\nq\",4\n5,6\n7,8\n");
  EXPECT_EQ(table.line_of(0), 3);
  EXPECT_EQ(table.line_of(1), 4);
  EXPECT_EQ(table.line_of(2), 6);
  EXPECT_EQ(table.line_of(3), 7);
  EXPECT_EQ(error_of("a,b\n\"p\nq\",4\n5\n"), "t.csv, line 4: 1 field where the header has 2");
}

TEST(Csv, RowTextIsKeptOnlyOnRequest) {
  const std::string bytes = "a,b\r\n 1,\"x\r\ny\"\r\n3,4";
  const Table table = parse(bytes, {.keep_text = true});
  EXPECT_EQ(table.header_text(), "a,b");
  EXPECT_EQ(table.row_text(0), " 1,\"x\r\ny\"");
  EXPECT_EQ(table.row_text(1), "3,4");
  EXPECT_EQ(table.row_text(2), "");
  EXPECT_EQ(parse(bytes).row_text(0), "");
}

TEST(Csv, AFileThatIsNotThereIsAResourceError) {
  try {
    read_table("no/such/file.csv");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::resource);
    EXPECT_NE(std::string(error.what()).find("no/such/file.csv"), std::string::npos);
  }
}

TEST(Csv, AFileWithoutAHeaderTakesTheNamesItIsGiven) {
  const ReadOptions options{.names = {"a", "b"}};
  const Table table = parse_table("1,2\n3,4\n", "t.csv", options);
  ASSERT_EQ(table.rows(), 2);
  EXPECT_EQ(table.find("b")->values, (std::vector<double>{2, 4}));
  EXPECT_EQ(table.line_of(1), 2);
  EXPECT_THROW(parse_table("1,2\n3\n", "t.csv", options), Error);
  EXPECT_THROW(parse_table("", "t.csv", options), Error);
}

}  // namespace
}  // namespace pegnn
