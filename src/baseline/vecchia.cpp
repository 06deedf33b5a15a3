#include "baseline/vecchia.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

#include "base/philox.h"
#include "geo/nearest.h"

namespace pegnn {
namespace {

// Finds parents in a random order of the observations.
class ParentSearch {
 public:
  ParentSearch(const Observations& observations, std::int64_t most_parents, std::uint64_t seed,
               const ThreadPool& pool)
      : o_(observations), pool_(pool), most_parents_(most_parents) {
    order_.resize(observations.points.size());
    std::iota(order_.begin(), order_.end(), 0);
    shuffle(order_.data(), observations.size(), Rng{seed, Stream::sample}, 0);
    for (const std::int32_t i : order_) points_.push_back(o_.points[static_cast<std::size_t>(i)]);
  }

  std::int32_t observation(std::int32_t position) const {
    return order_[static_cast<std::size_t>(position)];
  }

  // Among all before each position: for the first ones, where a search structure does not pay.
  void one_by_one(std::span<const std::int32_t> positions, std::int32_t* parents) const {
    constexpr std::int64_t kBlock = 16;
    pool_.for_blocks(static_cast<std::int64_t>(positions.size()), kBlock,
                     [&](std::int64_t begin, std::int64_t end) {
                       for (std::int64_t q = begin; q < end; ++q) {
                         one(positions[static_cast<std::size_t>(q)], parents + q * most_parents_);
                       }
                     });
  }

  // Among the first `known`, at least most_parents, which stand before all of the positions.
  void among_first(std::int64_t known, std::span<const std::int32_t> positions,
                   std::int32_t* parents) {
    queries_.clear();
    for (const std::int32_t i : positions) queries_.push_back(points_[static_cast<std::size_t>(i)]);
    index_.build({points_.data(), static_cast<std::size_t>(known)}, o_.space, pool_);
    index_.search(queries_, most_parents_, false, pool_, found_);
    std::transform(found_.rows.begin(), found_.rows.end(), parents,
                   [&](std::int32_t position) { return observation(position); });
  }

 private:
  void one(std::int32_t position, std::int32_t* parents) const {
    const auto place = [&](std::int32_t i) { return o_.places[static_cast<std::size_t>(i)]; };
    const Place own = place(observation(position));
    std::vector<std::pair<double, std::int32_t>> earlier;
    for (std::int32_t i = 0; i < position; ++i) {
      earlier.emplace_back(squared_distance(own, place(observation(i))), observation(i));
    }
    std::sort(earlier.begin(), earlier.end());
    const auto count = std::min(static_cast<std::size_t>(most_parents_), earlier.size());
    for (std::size_t j = 0; j < count; ++j) parents[j] = earlier[j].second;
  }

  const Observations& o_;
  const ThreadPool& pool_;
  std::int64_t most_parents_;
  std::vector<std::int32_t> order_;  // the observation at each position
  std::vector<Point> points_;        // in that order
  NearestIndex index_;
  Neighbours found_;
  std::vector<Point> queries_;
};

// Sums over terms, in units of the variance.
struct Sums {
  std::vector<double> cross;  // of the conditional residuals of mean columns and label
  double log_determinant = 0;
  double scatter = 0;
  double repeated = 0;  // rows beyond the first of each place
  double log_counts = 0;

  void add(const Sums& other) {
    for (std::size_t i = 0; i < cross.size(); ++i) cross[i] += other.cross[i];
    log_determinant += other.log_determinant;
    scatter += other.scatter;
    repeated += other.repeated;
    log_counts += other.log_counts;
  }
};

// One block of terms, with the memory they share.
class TermBlock {
 public:
  TermBlock(const Observations& observations, const VecchiaTerms& terms, const SpatialModel& shape)
      : o_(observations),
        terms_(terms),
        correlations_(shape.kernel, shape.range, shape.share()),
        width_(observations.mean_columns + 1),
        memory_(static_cast<std::size_t>((terms.most_parents + 1) *
                                         (terms.most_parents + 1 + width_))) {
    sums_.cross.assign(static_cast<std::size_t>(width_ * width_), 0.0);
  }

  Sums run(std::int64_t begin, std::int64_t end) {
    for (std::int64_t t = begin; t < end; ++t) add(t);
    return std::move(sums_);
  }

 private:
  void add(std::int64_t t) {
    const std::int32_t* parents = terms_.parents.data() + t * terms_.most_parents;
    const auto given =
        static_cast<std::int64_t>(std::find(parents, parents + terms_.most_parents, -1) - parents);
    const Mat<double> a(memory_.data(), given + 1, given + 1 + width_);
    const auto child = static_cast<std::size_t>(terms_.children[static_cast<std::size_t>(t)]);
    for (std::int64_t i = 0; i < given; ++i)
      fill(a, i, static_cast<std::size_t>(parents[i]), parents, child);
    fill(a, given, child, parents, child);
    condition(a, given);

    const double variance = std::max(a(given, given), kRedundant);
    const double* residual = a.row(given) + given + 1;
    for (std::int64_t p = 0; p < width_; ++p) {
      for (std::int64_t q = p; q < width_; ++q) {
        sums_.cross[static_cast<std::size_t>(p * width_ + q)] +=
            residual[p] * residual[q] / variance;
      }
    }
    sums_.log_determinant += std::log(variance);
    sums_.scatter += o_.scatter[child];
    sums_.repeated += o_.counts[child] - 1;
    sums_.log_counts += std::log(o_.counts[child]);
  }

  // Row i of the system: correlations with what comes after, then mean columns and label.
  void fill(Mat<double> a, std::int64_t i, std::size_t observation, const std::int32_t* parents,
            std::size_t child) const {
    const std::int64_t given = a.rows - 1;
    double* row = a.row(i);
    row[i] = correlations_.own(o_.counts[observation]);
    for (std::int64_t j = i + 1; j <= given; ++j) {
      const std::size_t other = j < given ? static_cast<std::size_t>(parents[j]) : child;
      row[j] = correlations_(o_.places[observation], o_.places[other]);
    }
    const double* columns =
        o_.columns.data() + observation * static_cast<std::size_t>(o_.mean_columns);
    std::copy(columns, columns + o_.mean_columns, row + given + 1);
    row[given + 1 + o_.mean_columns] = o_.labels[observation];
  }

  const Observations& o_;
  const VecchiaTerms& terms_;
  Correlations correlations_;
  std::int64_t width_;
  std::vector<double> memory_;
  Sums sums_;
};

// Solves the normal equations in `cross` (p columns of the mean, then the label). Returns what
// remains of the label's sum of squares.
double solve_mean(std::vector<double>& cross, std::vector<double>& mean) {
  const auto p = static_cast<std::int64_t>(mean.size());
  const Mat<double> a(cross.data(), p + 1, p + 1);
  std::vector<double> scale(mean.size());  // to a unit diagonal, for which `condition` is made
  for (std::int64_t i = 0; i < p; ++i) {
    scale[static_cast<std::size_t>(i)] = a(i, i) > 0 ? 1 / std::sqrt(a(i, i)) : 0.0;
  }
  for (std::int64_t i = 0; i < p; ++i) {
    for (std::int64_t j = i; j <= p; ++j) {
      a(i, j) *=
          scale[static_cast<std::size_t>(i)] * (j < p ? scale[static_cast<std::size_t>(j)] : 1.0);
    }
  }
  condition(a, p);
  for (std::int64_t i = p; i-- > 0;) {
    double sum = a(i, p);
    for (std::int64_t j = i + 1; j < p; ++j) sum -= a(i, j) * mean[static_cast<std::size_t>(j)];
    mean[static_cast<std::size_t>(i)] = std::abs(a(i, i)) <= kRedundant ? 0.0 : sum / a(i, i);
  }
  for (std::size_t i = 0; i < mean.size(); ++i) mean[i] *= scale[i];
  return std::max(a(p, p), 0.0);
}

}  // namespace

VecchiaTerms vecchia_terms(const Observations& observations, std::int64_t most_parents,
                           std::int64_t most_terms, std::uint64_t seed, const ThreadPool& pool,
                           const FitProgress& progress) {
  const std::int64_t n = observations.size();
  const std::vector<std::int32_t> positions = draw_sample(n, most_terms, seed, 1);
  VecchiaTerms terms;
  terms.most_parents = std::min(most_parents, n - 1);
  terms.parents.assign(positions.size() * static_cast<std::size_t>(terms.most_parents), -1);
  ParentSearch search(observations, terms.most_parents, seed, pool);
  for (const std::int32_t i : positions) terms.children.push_back(search.observation(i));

  std::int64_t known = 0;
  std::int64_t next = std::max<std::int64_t>(64, 4 * terms.most_parents);
  for (auto first = positions.begin(); first != positions.end();) {
    progress.check();
    const auto last = std::lower_bound(first, positions.end(), next);
    std::int32_t* parents = terms.parents.data() + (first - positions.begin()) * terms.most_parents;
    if (known == 0) {
      search.one_by_one({first, last}, parents);
    } else if (first != last) {
      search.among_first(known, {first, last}, parents);
    }
    first = last;
    known = next;
    next += next / 4;
  }
  return terms;
}

VecchiaFit vecchia_fit(const Observations& observations, const VecchiaTerms& terms,
                       const SpatialModel& shape, double variance, const ThreadPool& pool,
                       const FitProgress& progress) {
  constexpr std::int64_t kBlock = 256, kChunk = 1 << 16;  // terms per block, and between two checks
  std::vector<Sums> blocks(static_cast<std::size_t>((terms.size() + kBlock - 1) / kBlock));
  for (std::int64_t first = 0; first < terms.size(); first += kChunk) {
    progress.check();
    const std::int64_t count = std::min(kChunk, terms.size() - first);
    pool.for_blocks(count, kBlock, [&](std::int64_t begin, std::int64_t end) {
      blocks[static_cast<std::size_t>((first + begin) / kBlock)] =
          TermBlock(observations, terms, shape).run(first + begin, first + end);
    });
  }
  Sums sums = blocks[0];
  for (std::size_t b = 1; b < blocks.size(); ++b) sums.add(blocks[b]);

  VecchiaFit fit;
  fit.mean.resize(static_cast<std::size_t>(observations.mean_columns));
  double square = solve_mean(sums.cross, fit.mean);
  auto rows = static_cast<double>(terms.size());
  double log_determinant = sums.log_determinant;
  // k rows at one place are their mean, and k - 1 differences that are noise alone; without noise
  // they have no density.
  const double share = shape.share();
  if (share > 0) {
    square += sums.scatter / share;
    rows += sums.repeated;
    log_determinant += sums.repeated * std::log(share) + sums.log_counts;
  }
  const double least = 1e-14 * observations.label_variance();
  fit.variance = variance > 0 ? variance : std::max(square / rows, least);
  fit.log_likelihood = -0.5 * (rows * std::log(2 * std::numbers::pi * fit.variance) +
                               log_determinant + square / fit.variance);
  return fit;
}

}  // namespace pegnn
