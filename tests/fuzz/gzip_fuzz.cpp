// Gzip files beside zlib's own reader: the same bytes or none, whatever pieces they come in, and
// never more of them than the limits allow.

#include <algorithm>
#include <memory>
#include <vector>

#include <zlib.h>

#include "fuzz.h"
#include "io/gzip.h"

namespace pegnn::fuzz {
namespace {

// Hands out a few bytes at a time and does not know how many there are.
class Drops final : public ByteSource {
 public:
  Drops(std::string bytes, std::size_t most) : bytes_(std::move(bytes)), most_(most) {}
  std::size_t read(char* out, std::size_t room) override {
    const std::size_t count = std::min({room, most_, bytes_.size() - at_});
    std::copy_n(bytes_.data() + at_, count, out);
    at_ += count;
    return count;
  }

 private:
  std::string bytes_;
  std::size_t most_, at_ = 0;
};

struct Unpacked {
  Refusal refusal;
  std::string bytes;
};

Unpacked unpack(std::unique_ptr<ByteSource> packed, std::size_t room, const UnpackLimits& limits) {
  Unpacked result;
  result.refusal = refusal_of([&] {
    const auto source = gunzip_bytes(std::move(packed), "t.gz", limits);
    std::string piece(room, '\0');
    while (const std::size_t got = source->read(piece.data(), room)) {
      result.bytes.append(piece, 0, got);
      must(result.bytes.size() <= limits.most_bytes + room, "no more is unpacked than allowed");
    }
  });
  return result;
}

// One member after the other by zlib; false when a byte is not as it should be.
bool unpack_by_zlib(const std::string& packed, std::string& out) {
  z_stream stream{};
  if (inflateInit2(&stream, 15 + 16) != Z_OK) return false;
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  int status = Z_OK;
  char piece[512];
  do {
    stream.next_out = reinterpret_cast<Bytef*>(piece);
    stream.avail_out = sizeof piece;
    status = inflate(&stream, Z_NO_FLUSH);
    out.append(piece, sizeof piece - stream.avail_out);
    if (status == Z_STREAM_END && stream.avail_in > 0) status = inflateReset(&stream);
  } while (status == Z_OK);
  inflateEnd(&stream);
  return status == Z_STREAM_END;
}

std::string pack(const std::string& text, int level, int window) {
  z_stream stream{};
  if (deflateInit2(&stream, level, Z_DEFLATED, window + 16, 1, Z_DEFAULT_STRATEGY) != Z_OK)
    return {};
  std::string out(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

void check(Bytes bytes) {
  const std::size_t drop = 1 + bytes.ConsumeIntegral<std::uint8_t>() % 40U;
  const std::size_t room = 1 + bytes.ConsumeIntegral<std::uint8_t>() % 100U;
  const std::uint8_t way = bytes.ConsumeIntegral<std::uint8_t>();
  const std::size_t at = bytes.ConsumeIntegral<std::uint8_t>();
  const std::string text = bytes.ConsumeRemainingBytesAsString();

  // As it is; or packed, once or twice, and perhaps damaged.
  std::string packed = text;
  if (way % 4 != 0) {
    packed = pack(text, way % 10, 9 + way % 7);
    if (way % 4 == 2) packed += pack(text.substr(text.size() / 2), 1, 9);
    if (way % 4 == 3 && !packed.empty())
      packed[at % packed.size()] ^= static_cast<char>(1 + way / 16);
  }
  const UnpackLimits limits{.free_bytes = 4096, .most_ratio = 250, .most_bytes = 65536};
  const Unpacked whole = unpack(memory_bytes(packed), 4096, limits);
  const Unpacked pieces = unpack(std::make_unique<Drops>(packed, drop), room, limits);
  accepted(whole.refusal, ErrorKind::data);
  accepted(pieces.refusal, ErrorKind::data);
  if (packed.empty()) return;

  std::string expected;
  const bool sound = unpack_by_zlib(packed, expected);
  if (expected.size() > limits.free_bytes) return;  // perhaps refused for its size
  must(sound == !whole.refusal.refused && sound == !pieces.refusal.refused,
       "gzip is refused where zlib refuses it", whole.refusal.message);
  if (!sound) return;
  must(whole.bytes == expected && pieces.bytes == expected,
       "it unpacks to the bytes that zlib gives");
  must(way % 4 != 1 || expected == text, "what was packed comes back");
}

}  // namespace
}  // namespace pegnn::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  pegnn::fuzz::check({data, size});
  return 0;
}
