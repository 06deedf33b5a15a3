#include "report/png.h"

#include <array>
#include <cstddef>
#include <cstdlib>
#include <string_view>

#include <zlib.h>

#include "base/assert.h"
#include "pegnn/error.h"

namespace pegnn {
namespace {

constexpr std::size_t kChannels = 3;

void append_word(std::string& out, std::uint32_t word) {
  for (const unsigned shift : {24U, 16U, 8U, 0U}) out += static_cast<char>((word >> shift) & 255U);
}

// Length, name, data, and the check sum of name and data.
void append_chunk(std::string& out, std::string_view name, std::string_view data) {
  append_word(out, static_cast<std::uint32_t>(data.size()));
  const std::size_t begin = out.size();
  out += name;
  out += data;
  const uLong sum = crc32(0, reinterpret_cast<const Bytef*>(out.data() + begin),
                          static_cast<uInt>(out.size() - begin));
  append_word(out, static_cast<std::uint32_t>(sum));
}

// What a pixel is expected to be, from its neighbours to the left, above and between (section 9 of
// the standard).
enum class Filter : std::uint8_t { none, left, above, mean, paeth };

std::uint8_t expected(Filter filter, int left, int above, int corner) {
  switch (filter) {
    case Filter::none:
      return 0;
    case Filter::left:
      return static_cast<std::uint8_t>(left);
    case Filter::above:
      return static_cast<std::uint8_t>(above);
    case Filter::mean:
      return static_cast<std::uint8_t>((left + above) / 2);
    case Filter::paeth:
      break;
  }
  const int guess = left + above - corner;
  const int to_left = std::abs(guess - left), to_above = std::abs(guess - above),
            to_corner = std::abs(guess - corner);
  if (to_left <= to_above && to_left <= to_corner) return static_cast<std::uint8_t>(left);
  return static_cast<std::uint8_t>(to_above <= to_corner ? above : corner);
}

// One row as differences from what is expected, behind the number of the filter.
std::string filtered(const std::uint8_t* row, const std::uint8_t* before, std::size_t bytes,
                     Filter filter) {
  std::string out(1, static_cast<char>(filter));
  out.reserve(bytes + 1);
  for (std::size_t i = 0; i < bytes; ++i) {
    const int left = i < kChannels ? 0 : row[i - kChannels];
    const int above = before == nullptr ? 0 : before[i];
    const int corner = i < kChannels || before == nullptr ? 0 : before[i - kChannels];
    out += static_cast<char>(row[i] - expected(filter, left, above, corner));
  }
  return out;
}

// Small differences pack well: the filter with the least sum of them is taken for each row, as the
// standard advises.
std::string best_filtered(const std::uint8_t* row, const std::uint8_t* before, std::size_t bytes) {
  std::string best;
  std::int64_t least = -1;
  for (const Filter filter :
       {Filter::none, Filter::left, Filter::above, Filter::mean, Filter::paeth}) {
    std::string line = filtered(row, before, bytes, filter);
    std::int64_t sum = 0;
    for (const char c : std::string_view(line).substr(1)) {
      sum += std::abs(static_cast<int>(static_cast<signed char>(c)));
    }
    if (least < 0 || sum < least) {
      least = sum;
      best = std::move(line);
    }
  }
  return best;
}

std::string packed(std::string_view plain) {
  uLongf size = compressBound(static_cast<uLong>(plain.size()));
  std::string out(size, '\0');
  const int status =
      compress2(reinterpret_cast<Bytef*>(out.data()), &size,
                reinterpret_cast<const Bytef*>(plain.data()), static_cast<uLong>(plain.size()), 6);
  if (status != Z_OK) throw Error(ErrorKind::memory, "not enough memory to pack a PNG picture");
  out.resize(size);
  return out;
}

}  // namespace

Image::Image(std::int64_t columns, std::int64_t rows)
    : width(columns),
      height(rows),
      rgb(static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows) * kChannels, 255) {}

std::string png_bytes(const Image& image) {
  const std::size_t bytes = static_cast<std::size_t>(image.width) * kChannels;
  PEGNN_ASSERT(image.width > 0 && image.height > 0 &&
                   image.rgb.size() == bytes * static_cast<std::size_t>(image.height),
               "an image has pixels, and three bytes for each");
  std::string differences, plain;
  for (std::size_t y = 0; y < static_cast<std::size_t>(image.height); ++y) {
    const std::uint8_t* row = image.rgb.data() + y * bytes;
    const std::uint8_t* before = y == 0 ? nullptr : row - bytes;
    differences += best_filtered(row, before, bytes);
    plain += filtered(row, before, bytes, Filter::none);
  }
  std::string header;
  append_word(header, static_cast<std::uint32_t>(image.width));
  append_word(header, static_cast<std::uint32_t>(image.height));
  // Bits per sample, truecolour, deflate, the five filters, no interlacing.
  for (const char field : std::array<char, 5>{8, 2, 0, 0, 0}) header += field;
  std::string out = "\x89PNG\r\n\x1a\n";
  append_chunk(out, "IHDR", header);
  append_chunk(out, "sRGB", std::string_view("\0", 1));  // the colours are those of the web
  // Even areas and text pack better as they are, gradients as differences.
  const std::string data = packed(differences), other = packed(plain);
  append_chunk(out, "IDAT", data.size() < other.size() ? data : other);
  append_chunk(out, "IEND", {});
  return out;
}

}  // namespace pegnn
