// Writes the table that scripts/synthetic describes: synthetic ROWS [SEED]. One row at a time, so
// that any number of rows takes the same memory.

#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace {

// Uniform and normal draws as Python's `random` makes them, number for number, so that a seed names
// the same table it always did: the Mersenne Twister of Matsumoto and Nishimura (ACM TOMACS 8,
// 1998) seeded by an array, two of its words for a uniform number, Box and Muller for normal ones.
class Draw {
 public:
  explicit Draw(std::uint64_t seed) {
    fill(19650218);
    std::vector<std::uint32_t> key = {static_cast<std::uint32_t>(seed)};
    if (seed >> 32 != 0) key.push_back(static_cast<std::uint32_t>(seed >> 32));
    std::size_t i = 1, j = 0;
    const auto step = [&](std::uint32_t factor) {
      const std::uint32_t before = state_[i - 1];
      state_[i] ^= (before ^ (before >> 30)) * factor;
    };
    const auto next = [&] {
      if (++i < kSize) return;
      state_[0] = state_[kSize - 1];
      i = 1;
    };
    for (std::size_t n = 0; n < kSize; ++n) {
      step(1664525);
      state_[i] += key[j] + static_cast<std::uint32_t>(j);
      if (++j == key.size()) j = 0;
      next();
    }
    for (std::size_t n = 0; n + 1 < kSize; ++n) {
      step(1566083941);
      state_[i] -= static_cast<std::uint32_t>(i);
      next();
    }
    state_[0] = 0x80000000U;
  }

  // In [0, 1), with 53 random bits.
  double uniform() {
    const std::uint32_t high = word() >> 5, low = word() >> 6;
    return (high * 67108864.0 + low) / 9007199254740992.0;
  }
  double uniform(double from, double to) { return from + (to - from) * uniform(); }

  double normal(double deviation) {
    double z = spare_;
    if (!has_spare_) {
      const double angle = uniform() * (2 * 3.141592653589793);
      const double radius = std::sqrt(-2 * std::log(1 - uniform()));
      z = std::cos(angle) * radius;
      spare_ = std::sin(angle) * radius;
    }
    has_spare_ = !has_spare_;
    return z * deviation;
  }

  // One of [0, n), n below 2^32: words cut to the bits of n until one is small enough.
  std::size_t below(std::size_t n) {
    int bits = 0;
    while (n >> bits != 0) ++bits;
    std::size_t drawn = n;
    while (drawn >= n) drawn = word() >> (32 - bits);
    return drawn;
  }

 private:
  static constexpr std::size_t kSize = 624, kShift = 397;

  void fill(std::uint32_t seed) {
    state_[0] = seed;
    for (std::size_t i = 1; i < kSize; ++i) {
      state_[i] =
          1812433253U * (state_[i - 1] ^ (state_[i - 1] >> 30)) + static_cast<std::uint32_t>(i);
    }
  }

  std::uint32_t word() {
    if (at_ == kSize) {
      for (std::size_t i = 0; i < kSize; ++i) {
        const std::uint32_t both =
            (state_[i] & 0x80000000U) | (state_[(i + 1) % kSize] & 0x7FFFFFFFU);
        state_[i] =
            state_[(i + kShift) % kSize] ^ (both >> 1) ^ ((both & 1) != 0 ? 0x9908B0DFU : 0U);
      }
      at_ = 0;
    }
    std::uint32_t y = state_[at_++];
    y ^= y >> 11;
    y ^= (y << 7) & 0x9D2C5680U;
    y ^= (y << 15) & 0xEFC60000U;
    return y ^ (y >> 18);
  }

  std::uint32_t state_[kSize];
  std::size_t at_ = kSize;
  double spare_ = 0;
  bool has_spare_ = false;
};

struct Road {
  double centre, bends, phase;
};

double field(double x, double y) {
  return std::sin(7 * x) * std::cos(5 * y) + 0.5 * std::sin(31 * x + 17 * y) +
         0.2 * std::sin(150 * x) * std::sin(130 * y);
}

void append(std::string& text, double value, int decimals, char end) {
  char buffer[64];
  const auto stop =
      std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed, decimals).ptr;
  text.append(buffer, stop);
  text += end;
}

bool print(std::string& text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  text.clear();
  return written;
}

int cannot_write() {
  std::fprintf(stderr, "synthetic: cannot write the table: %s\n", std::strerror(errno));
  return 1;
}

constexpr const char* kUsage =
    "usage: scripts/synthetic ROWS [SEED] > table.csv\n"
    "ROWS: a whole number from 1 to 9999999999; SEED: a whole number from 0 to 2^64 - 1, else 1\n";

// Whether the whole word is a number; it is put into `value`.
bool read(std::string_view word, std::uint64_t& value) {
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  return error == std::errc() && end == word.data() + word.size();
}

}  // namespace

int main(int count, char** arguments) {
  for (int i = 1; i < count; ++i) {
    const std::string_view word = arguments[i];
    if (word == "-h" || word == "--help") {
      std::fputs(kUsage, stdout);
      return 0;
    }
  }
  constexpr std::uint64_t kTooMany = 10'000'000'000;
  std::uint64_t rows = 0, seed = 1;
  if (count < 2 || count > 3 || !read(arguments[1], rows) || rows < 1 || rows >= kTooMany ||
      (count > 2 && !read(arguments[2], seed))) {
    std::fputs(kUsage, stderr);
    return 2;
  }
  Draw draw(seed);
  std::vector<Road> roads(60);
  for (Road& road : roads) {
    road.centre = draw.uniform();
    road.bends = draw.uniform(1, 9);
    road.phase = draw.uniform(0, 7);
  }
  constexpr std::size_t kEnough = 1 << 16;  // bytes worth a call of the system
  std::string text = "longitude,latitude,z\n";
  for (std::uint64_t i = 0; i < rows; ++i) {
    const double x = 2 * draw.uniform();
    double y = draw.uniform();
    if (i % 2 == 0) {
      const Road& road = roads[draw.below(roads.size())];
      const double middle = road.centre + 0.05 * std::sin(road.bends * x + road.phase);
      y = std::fmin(1, std::fmax(0, middle + draw.normal(0.002)));
    }
    append(text, 9 + x, 6, ',');
    append(text, 56 + y, 6, ',');
    append(text, field(x, y) + draw.normal(0.1), 5, '\n');
    if (text.size() >= kEnough && !print(text)) return cannot_write();
  }
  return print(text) && std::fflush(stdout) == 0 ? 0 : cannot_write();
}
