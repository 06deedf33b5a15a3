#include "io/encoding.h"

#include <string>

#include <gtest/gtest.h>

#include "pegnn/error.h"
#include "pegnn/table.h"

namespace pegnn {
namespace {

std::string all_of(ByteSource& source, std::size_t room) {
  std::string text, piece(room, '\0');
  while (const std::size_t got = source.read(piece.data(), room)) text.append(piece, 0, got);
  return text;
}

std::string decode(std::string bytes, const std::string& encoding, std::size_t room = 7) {
  return all_of(*decoded(memory_bytes(std::move(bytes)), encoding, "t.csv"), room);
}

std::string error_of(std::string bytes, const std::string& encoding, ErrorKind kind) {
  try {
    decode(std::move(bytes), encoding);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind);
    return error.what();
  }
  return "no error";
}

// "name;höhe" and so on in UTF-16 with a byte order mark.
std::string utf16(std::u16string_view text) {
  std::string bytes = "\xFF\xFE";
  for (const char16_t c : text) {
    bytes += static_cast<char>(c & 0xFF);
    bytes += static_cast<char>(c >> 8);
  }
  return bytes;
}

TEST(Encoding, Latin1AndWindows1252BecomeUtf8) {
  EXPECT_EQ(decode("h\xF6he,m\xB2", "latin1"), "h\xC3\xB6he,m\xC2\xB2");
  EXPECT_EQ(decode("\x80 5", "windows-1252"), "\xE2\x82\xAC 5");
  EXPECT_EQ(decode("plain", "UTF-8"), "plain");
  EXPECT_EQ(decode("", "latin1"), "");
}

TEST(Encoding, CharactersMayLieAcrossPieces) {
  std::u16string text;
  for (int i = 0; i < 40000; ++i)
    text += i % 3 == 0 ? u"a" : i % 3 == 1 ? u"\u00F6" : u"\U0001F30D";
  std::string expected;
  for (int i = 0; i < 40000; ++i) {
    expected += i % 3 == 0 ? "a" : i % 3 == 1 ? "\xC3\xB6" : "\xF0\x9F\x8C\x8D";
  }
  EXPECT_EQ(decode(utf16(text), "utf-16", 100000), expected);
  EXPECT_EQ(decode("x" + std::string(100001, '\xE9'), "latin1", 999).size(), 200003U);
}

// Windows-1258 waits for an accent that may follow; TSCII makes several characters of one byte.
TEST(Encoding, WhatIsHeldBackAndWhatGrowsArrivesWhole) {
  EXPECT_EQ(decode("1,2,Ha", "windows-1258"), "1,2,Ha");
  const std::string grown = decode("\x82", "TSCII");
  EXPECT_GT(grown.size(), 4U);
  EXPECT_EQ(decode(std::string(50000, '\x82'), "TSCII", 4096).size(), 50000 * grown.size());
}

TEST(Encoding, BytesThatAreNotOfItAreToldWithTheirPlace) {
  EXPECT_EQ(error_of("ab\xFF", "utf-8", ErrorKind::data),
            "t.csv: byte 3 (0xFF) is not utf-8; --encoding names another");
  EXPECT_EQ(error_of(utf16(u"ab") + "c", "utf-16", ErrorKind::data),
            "t.csv: byte 7 (0x63) is not utf-16; --encoding names another");
}

TEST(Encoding, OneThatNobodyKnowsIsRefused) {
  EXPECT_TRUE(error_of("a", "klingon", ErrorKind::usage)
                  .starts_with("--encoding: 'klingon' is not known here; there are utf-8, latin1"));
}

TEST(Encoding, TablesAreReadInIt) {
  const Table table =
      parse_table("lon;lat;h\xF6he\n1,5;2;3\n", "t.csv", {.keep_text = true, .encoding = "latin1"});
  ASSERT_NE(table.find("h\xC3\xB6he"), nullptr);
  EXPECT_EQ(table.find("lon")->values, std::vector<double>{1.5});
  EXPECT_EQ(table.header_text(), "lon;lat;h\xC3\xB6he");
  EXPECT_EQ(parse_table(utf16(u"a\tb\n1\t2\n"), "t.csv", {.encoding = "utf-16"}).find("b")->values,
            std::vector<double>{2});
}

}  // namespace
}  // namespace pegnn
