#include "baseline/ubjson.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace pegnn {
namespace {

using namespace std::string_literals;

// A value from its bytes, which it keeps.
struct Read {
  explicit Read(const std::string& text) : bytes(text.begin(), text.end()), value(bytes) {}
  std::vector<std::uint8_t> bytes;
  UbjsonValue value;
};

std::string length(std::size_t n) {
  std::string out = "L";
  for (int shift = 56; shift >= 0; shift -= 8) out += static_cast<char>(n >> shift);
  return out;
}
std::string name(std::string_view text) { return length(text.size()) + std::string(text); }
std::string list(std::size_t count, std::string_view items) {
  return "[#" + length(count) + std::string(items);
}

TEST(Ubjson, ReadsObjectsListsTextsAndNumbers) {
  const Read all("{" + name("a") + list(2, "i\xff" + ("S" + name("b"))) + name("c") + "{}}");
  const UbjsonValue::Members members = all.value.members();
  ASSERT_EQ(members.size(), 2U);
  EXPECT_EQ(members[0].first, "a");
  EXPECT_EQ(members[0].second.items().at(0).integer(), -1);
  EXPECT_EQ(members[0].second.items().at(1).text(), "b");
  EXPECT_EQ(members[1].first, "c");
  EXPECT_TRUE(members[1].second.members().empty());
}

TEST(Ubjson, ReadsWholeNumbersOfEveryWidth) {
  EXPECT_EQ(Read("U\xff").value.integer(), 255);
  EXPECT_EQ(Read("I\xff\x00"s).value.integer(), -256);
  EXPECT_EQ(Read("l\x00\x01\x00\x00"s).value.integer(), 65536);
  EXPECT_EQ(Read(length(1ULL << 40)).value.integer(), 1LL << 40);
}

TEST(Ubjson, ReadsNumbersOfOneTypeHighestByteFirst) {
  const Read whole("[$l#" + length(2) + "\x00\x00\x01\x02\xff\xff\xff\xfe"s);
  const auto numbers = whole.value.numbers<std::int32_t>();
  ASSERT_EQ(numbers.size(), 2U);
  EXPECT_EQ(numbers[0], 258);
  EXPECT_EQ(numbers[1], -2);
  const Read real("[$d#" + length(1) + "\xc0\x20\x00\x00"s);
  EXPECT_EQ(real.value.numbers<float>()[0], -2.5F);
  EXPECT_THROW(real.value.numbers<std::int32_t>(), UbjsonFault);
  EXPECT_THROW(real.value.items(), UbjsonFault);
}

TEST(Ubjson, RefusesEveryBeginningOfAValue) {
  const std::string all = "{" + name("a") + list(1, "S" + name("b")) + name("c") + "[$d#" +
                          length(1) + "\xc0\x20\x00\x00}"s;
  EXPECT_NO_THROW(Read{all});
  for (std::size_t size = 0; size < all.size(); ++size) {
    EXPECT_THROW(Read{all.substr(0, size)}, UbjsonFault) << size;
  }
}

TEST(Ubjson, RefusesWhatAnotherReaderMightReadOtherwise) {
  const Read twice("{" + name("a") + "i\x01" + name("a") + "i\x02}");
  EXPECT_THROW(twice.value.members(), UbjsonFault);
  for (const std::string& odd : {"{}i\x01"s, "N{}"s, "[]"s, "D\x00\x00\x00\x00\x00\x00\x00\x00"s,
                                 "Z"s, "T"s, "{i\x01" + "ai\x01}"s, "{\"a\":1}"s}) {
    EXPECT_THROW(Read{odd}, UbjsonFault) << odd;
  }
}

TEST(Ubjson, TakesNoMemoryForCountsThatTheBytesDoNotHold) {
  for (const std::size_t count : {3UL, 1UL << 40, 1UL << 61, ~0UL}) {
    EXPECT_THROW(Read{"[#" + length(count) + "i\x01i\x01"}, UbjsonFault) << count;
    EXPECT_THROW(Read{"[$l#" + length(count) + "\x00\x00\x00\x01"s}, UbjsonFault) << count;
    EXPECT_THROW(Read{"S" + length(count) + "ab"}, UbjsonFault) << count;
    EXPECT_THROW(Read{"[$Z#" + length(count)}, UbjsonFault) << count;
  }
}

TEST(Ubjson, RefusesValuesWithinValuesWithoutEnd) {
  std::string deep = "i\x01";
  for (int i = 0; i < 15; ++i) deep = list(1, deep);
  EXPECT_NO_THROW(Read{deep});
  EXPECT_THROW(Read{list(1, deep)}, UbjsonFault);
  std::string deeper;
  for (int i = 0; i < 1'000'000; ++i) deeper += "{L\0\0\0\0\0\0\0\0"s;
  EXPECT_THROW(Read{deeper}, UbjsonFault);
}

TEST(Ubjson, RefusesTooManyMembersAndTooLongTexts) {
  std::string members = "{";
  for (int i = 0; i < 65; ++i) members += name("member " + std::to_string(i)) + "i\x01";
  EXPECT_THROW(Read(members + "}").value.members(), UbjsonFault);
  EXPECT_EQ(Read("S" + name(std::string(256, 'a'))).value.text().size(), 256U);
  EXPECT_THROW(Read("S" + name(std::string(257, 'a'))), UbjsonFault);
}

}  // namespace
}  // namespace pegnn
