#include "paper/split.h"

#include <bit>
#include <cmath>
#include <numeric>
#include <random>
#include <utility>

namespace pegnn {
namespace {

// NumPy's legacy generator: a number in [0, most], by rejection from the bits that `most` takes.
std::uint32_t drawn(std::mt19937& generator, std::uint32_t most) {
  if (most == 0) return 0;
  const std::uint32_t mask = 0xffffffffU >> std::countl_zero(most);
  std::uint32_t value = 0;
  do {
    value = static_cast<std::uint32_t>(generator()) & mask;
  } while (value > most);
  return value;
}

}  // namespace

std::vector<std::int64_t> paper_test_rows(std::int64_t rows, std::uint32_t seed) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(rows));
  std::iota(order.begin(), order.end(), std::int64_t{0});
  std::mt19937 generator(seed);
  for (std::size_t i = order.size(); i-- > 1;) {
    std::swap(order[i], order[drawn(generator, static_cast<std::uint32_t>(i))]);
  }
  const double share = 1 - 0.8;
  order.resize(static_cast<std::size_t>(std::ceil(share * static_cast<double>(rows))));
  return order;
}

}  // namespace pegnn
