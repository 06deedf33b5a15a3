#include "baseline/vecchia.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "base/aligned_buffer.h"
#include "base/array.h"
#include "baseline/mean_equations.h"
#include "baseline/side_correlations.h"
#include "linalg/small_systems.h"

namespace pegnn {
namespace {

// Sums over terms, in units of the variance.
struct Sums {
  Array<double> cross;  // of the conditional residuals of mean columns and label
  double log_determinant = 0;
  double scatter = 0;
  double repeated = 0;  // rows beyond the first of each place
  double log_counts = 0;

  void add(const Sums& other) {
    for (std::int64_t i = 0; i < std::ssize(cross); ++i) cross[i] += other.cross[i];
    log_determinant += other.log_determinant;
    scatter += other.scatter;
    repeated += other.repeated;
    log_counts += other.log_counts;
  }
};

// One block of terms, kSide of them side by side, with the memory they share.
class TermBlock {
 public:
  TermBlock(const Observations& observations, const VecchiaTerms& terms, const SpatialModel& shape)
      : o_(observations),
        terms_(terms),
        shape_(shape),
        correlations_(shape.kernel, shape.range, shape.share()),
        given_(terms.most_parents),
        width_(observations.mean_columns + 1),
        places_((given_ + 1) * 3 * kSide),
        // The triangle of the parents; the child's row, which continues it; a row for each column
        // of the mean and for the label.
        system_(triangle_at(given_, 0) + (1 + width_) * given_ * kSide),
        residuals_(width_ * kSide),
        cross_(width_ * width_ * kSide) {}

  Sums run(std::int64_t begin, std::int64_t end) {
    for (std::int64_t t = begin; t < end; t += kSide) add(t, std::min(kSide, end - t));
    sums_.cross.assign(width_ * width_, 0.0);
    for (std::int64_t i = 0; i < width_ * width_; ++i) {
      for (std::int64_t s = 0; s < kSide; ++s) {
        sums_.cross[i] += cross_[i * kSide + s];
      }
    }
    return std::move(sums_);
  }

 private:
  void add(std::int64_t first, std::int64_t count) {
    for (std::int64_t s = 0; s < kSide; ++s) fill(s, first + std::min(s, count - 1));
    double* a = system_.data();
    double* with_child = a + triangle_at(given_, 0);
    side_correlations(shape_, given_ + 1, places_.data(), a);
    eliminate(given_, kRedundant, a, 1 + width_, with_child);

    alignas(kAlignment) double known[kSide], weight[kSide];
    inverse_product(given_, a, with_child, with_child, known);
    for (std::int64_t s = 0; s < kSide; ++s) {
      const auto child = child_of(first + std::min(s, count - 1));
      const double variance = std::max(correlations_.own(o_.counts[child]) - known[s], kRedundant);
      weight[s] = s < count ? 1 / variance : 0.0;
      if (s >= count) continue;
      sums_.log_determinant += std::log(variance);
      sums_.scatter += o_.scatter[child];
      sums_.repeated += o_.counts[child] - 1;
      sums_.log_counts += std::log(o_.counts[child]);
    }
    for (std::int64_t c = 0; c < width_; ++c) {
      inverse_product(given_, a, with_child, with_child + (1 + c) * given_ * kSide, known);
      for (std::int64_t s = 0; s < kSide; ++s) residuals_[c * kSide + s] -= known[s];
    }
    for (std::int64_t p = 0; p < width_; ++p) {
      for (std::int64_t q = p; q < width_; ++q) {
        double* sum = cross_.data() + (p * width_ + q) * kSide;
        const double *left = residuals_.data() + p * kSide, *right = residuals_.data() + q * kSide;
        for (std::int64_t s = 0; s < kSide; ++s) sum[s] += left[s] * right[s] * weight[s];
      }
    }
  }

  // Term t as the system at `side`. A parent that is not there stands apart from all others, too
  // far for any correlation, and has nothing to tell.
  void fill(std::int64_t side, std::int64_t t) {
    const std::int32_t* parents = terms_.parents.data() + t * given_;
    const std::int64_t rows = triangle_at(given_, 0) + side;
    for (std::int64_t i = 0; i < given_; ++i) {
      const bool there = parents[i] >= 0;
      const std::int64_t parent = there ? parents[i] : 0;
      put_place(side, i,
                there ? o_.places[parent] : Place{1e200 * static_cast<double>(i + 1), 0, 0});
      system_[triangle_at(i, i) + side] = there ? correlations_.own(o_.counts[parent]) : 1.0;
      for (std::int64_t c = 0; c < width_; ++c) {
        system_[rows + ((1 + c) * given_ + i) * kSide] = there ? value(parent, c) : 0.0;
      }
    }
    const std::int64_t child = child_of(t);
    put_place(side, given_, o_.places[child]);
    for (std::int64_t c = 0; c < width_; ++c) residuals_[c * kSide + side] = value(child, c);
  }

  void put_place(std::int64_t side, std::int64_t i, const Place& place) {
    double* group = places_.data() + i * 3 * kSide + side;
    group[0] = place.x;
    group[kSide] = place.y;
    group[2 * kSide] = place.z;
  }
  std::int64_t child_of(std::int64_t t) const { return terms_.children[t]; }
  // Column c of the mean, the label after the last.
  double value(std::int64_t observation, std::int64_t c) const {
    return c < o_.mean_columns ? o_.columns[observation * o_.mean_columns + c]
                               : o_.labels[observation];
  }

  const Observations& o_;
  const VecchiaTerms& terms_;
  const SpatialModel& shape_;
  Correlations correlations_;
  std::int64_t given_, width_;
  AlignedBuffer<double> places_, system_, residuals_, cross_;
  Sums sums_;
};

}  // namespace

VecchiaFit vecchia_fit(const Observations& observations, const VecchiaTerms& terms,
                       const SpatialModel& shape, double variance, const ThreadPool& pool,
                       const FitProgress& progress) {
  constexpr std::int64_t kBlock = 256, kChunk = 1 << 16;  // terms per block, and between two checks
  Array<Sums> blocks((terms.size() + kBlock - 1) / kBlock);
  for (std::int64_t first = 0; first < terms.size(); first += kChunk) {
    progress.check();
    const std::int64_t count = std::min(kChunk, terms.size() - first);
    pool.for_blocks(count, kBlock, [&](std::int64_t begin, std::int64_t end) {
      blocks[(first + begin) / kBlock] =
          TermBlock(observations, terms, shape).run(first + begin, first + end);
    });
  }
  Sums sums = blocks[0];
  for (std::int64_t b = 1; b < std::ssize(blocks); ++b) sums.add(blocks[b]);

  auto rows = static_cast<double>(terms.size());
  const std::int64_t columns = observations.mean_columns;
  const bool shrunk = observations.slopes == Slopes::shrunk && columns > 1;
  MeanSolution solved = shrunk ? solve_shrunk_mean(std::move(sums.cross), columns, rows, variance)
                               : solve_mean(std::move(sums.cross), columns);
  VecchiaFit fit;
  fit.mean = std::move(solved.mean);
  double square = solved.square;
  double log_determinant = sums.log_determinant + solved.log_determinant;
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
