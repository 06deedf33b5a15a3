#include "io/gzip.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include "pegnn/error.h"
#include "pegnn/table.h"

namespace pegnn {
namespace {

std::string gzip(const std::string& plain) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string packed(deflateBound(&stream, plain.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(plain.data()));
  stream.avail_in = static_cast<uInt>(plain.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

std::string gunzip(const std::string& packed, const UnpackLimits& limits = {}) {
  const std::unique_ptr<ByteSource> bytes = gunzip_bytes(memory_bytes(packed), "t.gz", limits);
  std::string plain, piece(1000, '\0');
  while (const std::size_t got = bytes->read(piece.data(), piece.size()))
    plain.append(piece, 0, got);
  return plain;
}

std::string error_of(const std::string& packed, const UnpackLimits& limits = {}) {
  try {
    gunzip(packed, limits);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data);
    return error.what();
  }
  return "no error";
}

std::string varied_text(std::size_t lines) {
  std::string text;
  for (std::size_t i = 0; i < lines; ++i) text += std::to_string(i * 7919 % 100003) + ",1\n";
  return text;
}

TEST(Gzip, UnpacksWhatWasPacked) {
  for (const std::string& text : {std::string(), std::string("a"), varied_text(50000)}) {
    EXPECT_EQ(gunzip(gzip(text)), text);
  }
}

TEST(Gzip, JoinsMembers) {
  const std::string packed = gzip("a,b\n") + gzip("") + gzip("1,2\n3,4\n");
  EXPECT_EQ(gunzip(packed), "a,b\n1,2\n3,4\n");
}

TEST(Gzip, EveryTruncationIsRefused) {
  const std::string packed = gzip(varied_text(100)) + gzip("x");
  const std::size_t first = gzip(varied_text(100)).size();
  for (std::size_t length = 2; length < packed.size(); ++length) {
    const std::string message = error_of(packed.substr(0, length));
    if (length == first) {
      EXPECT_EQ(message, "no error");  // ends between two members: a whole file
    } else if (length == first + 1) {
      EXPECT_NE(message.find("are not gzip"), std::string::npos) << message;
    } else {
      EXPECT_EQ(message, "t.gz: the gzip data is truncated") << length;
    }
  }
}

TEST(Gzip, DamageIsRefused) {
  std::string packed = gzip(varied_text(1000));
  packed[packed.size() - 6] = static_cast<char>(packed[packed.size() - 6] ^ 1);  // in the CRC
  EXPECT_NE(error_of(packed).find("t.gz: the gzip data is damaged near byte"), std::string::npos);
}

TEST(Gzip, BytesAfterTheEndAreRefused) {
  EXPECT_EQ(error_of(gzip("a,b\n") + "tail"),
            "t.gz: 4 bytes after the end of the gzip data are not gzip");
}

TEST(Gzip, ABombIsRefusedByRatioAndBySize) {
  const std::string packed = gzip(std::string(1 << 20, '0'));  // about 1000 : 1
  const std::string by_ratio = error_of(packed, {.free_bytes = 1 << 16, .most_ratio = 250});
  EXPECT_NE(by_ratio.find("unpack to more than 250 times as many"), std::string::npos) << by_ratio;
  const std::string by_size =
      error_of(packed, {.free_bytes = 0, .most_ratio = 5000, .most_bytes = 100000});
  EXPECT_NE(by_size.find("unpack to more than 100,000 bytes"), std::string::npos) << by_size;
  EXPECT_EQ(error_of(packed, {.free_bytes = 1 << 20, .most_ratio = 250}), "no error");
}

TEST(Gzip, ATableMayBePacked) {
  const Table table = parse_table(gzip("\xEF\xBB\xBFlon,lat\n1,2\n3,4\n"), "t.csv.gz");
  EXPECT_EQ(table.rows(), 2);
  EXPECT_EQ(table.find("lon")->values, (std::vector<double>{1, 3}));
}

}  // namespace
}  // namespace pegnn
