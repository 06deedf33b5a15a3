#include "stats/moran.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/array.h"
#include "base/assert.h"
#include "base/philox.h"
#include "base/thread_pool.h"
#include "pegnn/error.h"
#include "stats/draw.h"

namespace pegnn {

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// Rows of one piece of work: small enough to spread 2,048 rows of a batch over a few threads, large
// enough that a piece outweighs handing it out.
constexpr std::int64_t kRowBlock = 512;
// Rows of one piece of the local test, which costs `permutations` times as much per row.
constexpr std::int64_t kTestBlock = 64;
// Shuffles of one piece of the global test; they share one copy of the values.
constexpr std::int64_t kShuffleBlock = 16;

// Sums of the same values in another order differ by rounding. Differences below this share of the
// largest possible sum are ties; rounding stays below it for any number of terms met here.
constexpr double kTie = 1e-12;

// Streams of random words: row numbers for the local test, these for the shuffles of the global
// one. Row numbers are below 2^31.
constexpr std::uint32_t kShuffleStreams = 0x80000000U;

// The statistics do not depend on the unit of the values; in this one their squares neither
// overflow nor vanish.
struct Moments {
  double mean = 0;
  double unit = 1;     // largest distance from the mean
  double squares = 0;  // sum ((y - mean) / unit)^2; 0 when the values are all equal

  double z(double v) const { return (v - mean) / unit; }
};

// Equality is looked for exactly: the rounded mean of equal values may differ from them.
Moments moments(Span<const double> y) {
  Moments m;
  if (y.empty()) return m;
  bool equal = true;
  double sum = 0;
  for (const double v : y) {
    equal = equal && v == y.front();
    sum += v;
  }
  m.mean = sum / static_cast<double>(y.size());
  if (equal) return m;
  if (!std::isfinite(m.mean)) {
    m.mean = 0;
    for (const double v : y) m.mean += v / static_cast<double>(y.size());
  }
  double farthest = 0;
  for (const double v : y) farthest = std::max(farthest, std::abs(v - m.mean));
  if (!(farthest > 0)) return m;  // differences below the last digit of the mean
  m.unit = farthest;
  for (const double v : y) m.squares += m.z(v) * m.z(v);
  return m;
}

void check(Span<const double> y, const NeighbourLists& neighbours) {
  PEGNN_ASSERT(neighbours.offsets.size() == y.size() + 1, "one list of neighbours per value");
  PEGNN_ASSERT(neighbours.offsets.back() == std::ssize(neighbours.columns),
               "the lists end where the columns end");
}

std::int64_t count_of(const NeighbourLists& neighbours, std::int64_t i) {
  return neighbours.offsets[i + 1] - neighbours.offsets[i];
}

// Sum of the neighbours' values.
double neighbour_sum(const double* z, const NeighbourLists& neighbours, std::int64_t i) {
  const std::int32_t* columns = neighbours.columns.data();
  double sum = 0;
  for (std::int64_t e = neighbours.offsets[i]; e < neighbours.offsets[i + 1]; ++e)
    sum += z[columns[e]];
  return sum;
}

// sum_ij w_ij z_i z_j, where w_ij = row_weight[i] for the neighbours j of i.
double cross_product(Span<const double> z, const NeighbourLists& neighbours,
                     Span<const double> row_weight) {
  double sum = 0;
  for (std::int64_t i = 0; i < std::ssize(z); ++i)
    sum += z[i] * row_weight[i] * neighbour_sum(z.data(), neighbours, i);
  return sum;
}

// `at_least` and `at_most`: how many simulated values are >= and <= the observed one.
double pseudo_p(std::int64_t at_least, std::int64_t at_most, std::int64_t permutations) {
  if (at_least == permutations && at_most == permutations) return 1;  // nothing ever differs
  const std::int64_t extreme = std::min(at_least, permutations - at_least);
  return static_cast<double>(extreme + 1) / static_cast<double>(permutations + 1);
}

// Calls f(begin, end) for blocks of [0, n). Where someone may want to stop, the calling thread asks
// between stretches of them, each of about a twentieth of a second; an item takes `work` random
// reads.
template <class F>
void for_blocks_until_stopped(std::int64_t n, std::int64_t block, double work,
                              const MoranOptions& options, const ThreadPool& pool, F&& f) {
  if (!options.stop) return pool.for_blocks(n, block, f);
  constexpr double kReads = 5e6;                 // at 10 ns each
  const auto share = static_cast<std::int64_t>(  // of a thread, in a few blocks
      std::clamp(kReads / work, 1.0, static_cast<double>(n)));
  const std::int64_t stretch = share * pool.threads();
  const std::int64_t smaller = std::clamp<std::int64_t>(share / 4, 1, block);
  for (std::int64_t first = 0; first < n; first += stretch) {
    pool.for_blocks(std::min(stretch, n - first), smaller,
                    [&](std::int64_t begin, std::int64_t end) { f(first + begin, first + end); });
    if (options.stop()) throw Error(ErrorKind::interrupted, "stopped before the last permutation");
  }
}

// The global test. `scale` is n / (S0 sum z^2): I = scale * cross product.
void test_global(Span<const double> row_weight, double scale, const NeighbourLists& neighbours,
                 const MoranOptions& options, const ThreadPool& pool, Moran& result) {
  const Rng rng{options.seed, Stream::permutation_test};
  Array<double> simulated(options.permutations);
  const auto reads = static_cast<double>(std::ssize(result.z) + neighbours.columns.size());
  const auto shuffle_some = [&](std::int64_t begin, std::int64_t end) {
    Array<double> z(result.z.size());
    for (std::int64_t p = begin; p < end; ++p) {
      z = result.z;
      WordStream words(rng, kShuffleStreams + static_cast<std::uint32_t>(p));
      shuffle_values(Span<double>(z), words);
      simulated[p] = scale * cross_product(z, neighbours, row_weight);
    }
  };
  for_blocks_until_stopped(options.permutations, kShuffleBlock, reads, options, pool, shuffle_some);

  std::int64_t at_least = 0, at_most = 0;
  double sum = 0;
  for (const double I : simulated) {
    at_least += I >= result.I - kTie;
    at_most += I <= result.I + kTie;
    sum += I;
  }
  const double count = static_cast<double>(simulated.size());
  const double mean = sum / count;
  double squares = 0;
  for (const double I : simulated) squares += (I - mean) * (I - mean);
  const double deviation = std::sqrt(squares / count);
  result.p_sim = pseudo_p(at_least, at_most, options.permutations);
  result.z_sim = deviation > kTie ? (result.I - mean) / deviation : kNaN;
}

// The local test of row i. The weight of a row is one number, so that only the sums of neighbours'
// values are compared; z_i decides which end of them makes I large.
double test_row(std::int64_t i, const NeighbourLists& neighbours, Span<const double> z,
                double largest, const MoranOptions& options, SubsetSampler& sampler) {
  const std::int64_t count = count_of(neighbours, i);
  if (count == 0) return kNaN;
  if (z[i] == 0) return 1;  // I is 0 whatever the neighbours
  const double observed = neighbour_sum(z.data(), neighbours, i);
  const double slack = kTie * static_cast<double>(count) * largest;
  const auto others = static_cast<std::uint32_t>(z.size() - 1);
  const auto self = static_cast<std::uint32_t>(i);
  WordStream words(Rng{options.seed, Stream::permutation_test}, self);

  std::int64_t above = 0, below = 0;  // simulated sums >= and <= the observed one
  for (int p = 0; p < options.permutations; ++p) {
    double sum = 0;
    for (const std::uint32_t drawn : sampler.draw(others, static_cast<std::uint32_t>(count), words))
      sum += z[drawn + (drawn >= self ? 1U : 0U)];
    above += sum >= observed - slack;
    below += sum <= observed + slack;
  }
  return z[i] > 0 ? pseudo_p(above, below, options.permutations)
                  : pseudo_p(below, above, options.permutations);
}

void test_local(const NeighbourLists& neighbours, const MoranOptions& options,
                const ThreadPool& pool, Moran& result) {
  double largest = 0;
  for (const double v : result.z) largest = std::max(largest, std::abs(v));
  const auto n = std::ssize(result.z);
  const double reads = static_cast<double>(options.permutations) *
                       static_cast<double>(neighbours.columns.size()) / static_cast<double>(n);
  const auto test_some = [&](std::int64_t begin, std::int64_t end) {
    SubsetSampler sampler;
    for (std::int64_t i = begin; i < end; ++i)
      Span(result.p)[i] = test_row(i, neighbours, result.z, largest, options, sampler);
  };
  for_blocks_until_stopped(n, kTestBlock, reads, options, pool, test_some);
}

int quadrant(double z, double lag) {
  if (lag > 0) return z > 0 ? 1 : 2;
  return z > 0 ? 4 : 3;
}

}  // namespace

void local_moran(Span<const double> y, NeighbourLists neighbours, Span<const double> weights,
                 const ThreadPool& pool, Span<double> out) {
  check(y, neighbours);
  PEGNN_ASSERT(weights.empty() || weights.size() == neighbours.columns.size(),
               "one weight per edge");
  PEGNN_ASSERT(out.size() == y.size(), "one result per value");
  const Moments m = moments(y);
  if (!(m.squares > 0)) {
    std::fill(out.begin(), out.end(), 0.0);
    return;
  }
  const double scale = static_cast<double>(y.size() - 1) / m.squares;
  const auto n = std::ssize(y);
  pool.for_blocks(n, kRowBlock, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      // In units of the values, and brought into that of z at the end: one division per point.
      double lag = 0;
      const std::int64_t begin_edge = neighbours.offsets[i];
      const std::int64_t end_edge = neighbours.offsets[i + 1];
      for (std::int64_t e = begin_edge; e < end_edge; ++e) {
        const double z = y[neighbours.columns[e]] - m.mean;
        lag += weights.empty() ? z : weights[e] * z;
      }
      out[i] = scale * m.z(y[i]) * (lag / m.unit);
    }
  });
}

void minmax_scale(Span<double> values) {
  if (values.empty()) return;
  const auto [lowest, highest] = std::minmax_element(values.begin(), values.end());
  const double lo = *lowest, range = *highest - lo;
  for (double& v : values) v = range > 0 ? (v - lo) / range : 0.0;
}

Moran moran(Span<const double> y, NeighbourLists neighbours, const MoranOptions& options,
            const ThreadPool& pool) {
  check(y, neighbours);
  PEGNN_ASSERT(y.size() < kShuffleStreams, "rows are numbered with 31 bits");
  PEGNN_ASSERT(options.permutations >= 0, "the caller has checked the number of permutations");
  const std::int64_t n = y.size();
  const Moments m = moments(y);

  Moran result;
  result.I = result.p_sim = result.z_sim = kNaN;
  result.EI = n < 2 ? kNaN : -1.0 / static_cast<double>(n - 1);
  for (auto* values : {&result.Is, &result.lag, &result.z}) values->assign(as_size(n), 0.0);
  result.p.assign(as_size(n), kNaN);
  result.q.assign(as_size(n), 0);
  if (n < 3 || !(m.squares > 0)) return result;

  const double deviation = std::sqrt(m.squares / static_cast<double>(n));
  const Span z(result.z), lag(result.lag), local(result.Is);
  double squares = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    z[i] = m.z(y[i]) / deviation;
    squares += z[i] * z[i];
  }

  Array<double> row_weight(n);
  double total_weight = 0;  // S0
  for (std::int64_t i = 0; i < n; ++i) {
    const auto count = static_cast<double>(count_of(neighbours, i));
    PEGNN_ASSERT(count < static_cast<double>(n), "a point has at most n - 1 neighbours");
    if (count == 0) continue;
    row_weight[i] = options.weights == MoranWeights::binary ? 1.0 : 1.0 / count;
    total_weight += row_weight[i] * count;
    lag[i] = row_weight[i] * neighbour_sum(z.data(), neighbours, i);
    local[i] = static_cast<double>(n - 1) * z[i] * lag[i] / squares;
    Span(result.q)[i] = quadrant(z[i], lag[i]);
  }
  if (!(total_weight > 0)) return result;

  const double scale = static_cast<double>(n) / total_weight / squares;
  result.I = scale * cross_product(result.z, neighbours, row_weight);
  if (options.permutations > 0) {
    test_global(row_weight, scale, neighbours, options, pool, result);
    test_local(neighbours, options, pool, result);
  }
  return result;
}

}  // namespace pegnn
