#pragma once
// Counter-based random numbers: Philox 4x32 (Salmon et al., "Parallel random numbers: as easy as
// 1, 2, 3", SC 2011). A value depends on its key and counter alone, never on what was drawn before,
// so any thread can draw any of them and a resumed run draws the same ones.

#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace pegnn {

// What a stream of random numbers is for. Streams of one seed are independent of each other.
enum class Stream : std::uint32_t {
  initial_weights = 1,
  batch_order = 2,
  dropout = 3,
  split = 4,
  permutation_test = 5,
  sample = 6,
  neighbours = 7,
};

using PhiloxBlock = std::array<std::uint32_t, 4>;

// Multipliers and Weyl increments of the paper.
inline constexpr std::uint32_t kPhiloxM0 = 0xD2511F53U, kPhiloxM1 = 0xCD9E8D57U;
inline constexpr std::uint32_t kPhiloxW0 = 0x9E3779B9U, kPhiloxW1 = 0xBB67AE85U;

// Ten rounds are the paper's choice; seven are the fewest that pass its tests of randomness.
template <int kRounds = 10>
constexpr PhiloxBlock philox(PhiloxBlock counter, std::uint32_t key0, std::uint32_t key1) {
  for (int round = 0; round < kRounds; ++round) {
    const std::uint64_t p0 = std::uint64_t{kPhiloxM0} * counter[0];
    const std::uint64_t p1 = std::uint64_t{kPhiloxM1} * counter[2];
    counter = {
        static_cast<std::uint32_t>(p1 >> 32) ^ counter[1] ^ key0, static_cast<std::uint32_t>(p1),
        static_cast<std::uint32_t>(p0 >> 32) ^ counter[3] ^ key1, static_cast<std::uint32_t>(p0)};
    key0 += kPhiloxW0;
    key1 += kPhiloxW1;
  }
  return counter;
}

// Random numbers keyed by (seed, stream) and addressed by (a, b): typically step and row.
struct Rng {
  std::uint64_t seed = 0;
  Stream stream = Stream::sample;

  // Four 32-bit words for the address (a, b); `b` is taken modulo 2^32.
  PhiloxBlock words(std::uint64_t a, std::uint64_t b) const {
    return philox({static_cast<std::uint32_t>(b), static_cast<std::uint32_t>(stream),
                   static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(a >> 32)},
                  static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32));
  }
  std::uint64_t bits(std::uint64_t a, std::uint64_t b) const {
    const PhiloxBlock w = words(a, b);
    return (std::uint64_t{w[1]} << 32) | w[0];
  }
  // Uniform in [0, 1).
  double uniform(std::uint64_t a, std::uint64_t b) const {
    return static_cast<double>(bits(a, b) >> 11) * 0x1.0p-53;
  }
  // Uniform in {0, ..., n - 1}; the bias of n / 2^64 is far below anything measurable.
  std::uint64_t below(std::uint64_t n, std::uint64_t a, std::uint64_t b) const {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>((static_cast<Wide>(bits(a, b)) * n) >> 64);
  }
  // Standard normal (Box-Muller).
  double normal(std::uint64_t a, std::uint64_t b) const {
    const PhiloxBlock w = words(a, b);
    const double u = (static_cast<double>(w[0]) + 1.0) * 0x1.0p-32;
    const double v = static_cast<double>(w[1]) * 0x1.0p-32;
    return std::sqrt(-2.0 * std::log(u)) * std::cos(2.0 * std::numbers::pi * v);
  }
};

// Shuffles [first, first + n) with the draws (a, 0), (a, 1), ... (Fisher and Yates).
template <class T>
void shuffle(T* first, std::int64_t n, const Rng& rng, std::uint64_t a) {
  for (std::int64_t i = n - 1; i > 0; --i) {
    const auto j = static_cast<std::int64_t>(
        rng.below(static_cast<std::uint64_t>(i) + 1, a, static_cast<std::uint64_t>(i)));
    const T keep = first[i];
    first[i] = first[j];
    first[j] = keep;
  }
}

}  // namespace pegnn
