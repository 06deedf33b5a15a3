#pragma once
// What the repeats of a plan share: which rows were held out in any, and how much of the difference
// of two models is chance of the training rather than of places.

#include <cstdint>
#include <utility>

#include "base/array.h"
#include "evaluate/splits.h"

namespace pegnn {

class Repeats {
 public:
  // Blocks of about equal numbers of the rows held out, as the test of a lead has them at its
  // coarsest (stats/paired.h).
  static constexpr std::int64_t kBlocks = 16;

  // For the repeats of that plan of splitting `points`, the rows of the data.
  Repeats(const SplitPlan& plan, Span<const Point> points, Space space);

  // Rows of the data held out in any repeat, ascending.
  const Array<std::int64_t>& held() const { return held_; }
  // The block, below kBlocks, of each row of the data; 0 for rows that were never held out.
  const Array<std::int32_t>& block_of() const { return block_of_; }

  // The standard deviation of the difference of two models' mean errors that comes from trainings
  // that did all rows good, or harm, together. What a training does to the rows of one place and
  // not to those of another is no part of it: the signs of blocks account for that.
  //
  // `loss` is the difference by row of the data, `blocks` by repeat and block (Score). Of a row
  // that several repeats held out the mean is known. What a block's difference in one repeat lies
  // off that of the means of its rows, e_rb, is the doing of that repeat's training. Were blocks
  // alike by chance alone, the square of their sum would be the sum of their squares; what it is
  // more, is common to all. With s_r of variance s^2 done to all rows of repeat r, e_rb = sum_q
  // (d_rq w_rb - A_rqb) s_q, where w_rb is the weight of the rows of block b held out in repeat r,
  // and A_rqb is that of those that q held out too, each by q's share among the repeats that did.
  // So s^2 = (sum_r (sum_b e_rb)^2 - sum_rb e_rb^2) / f, with the same sums of these factors for f,
  // and the mean of n repeats has s^2 / n. At least 0; 0 too where repeats share too few rows to
  // tell, as one does. Of many redrawn repeats the first 64 are looked at.
  double noise(Span<const double> loss, Span<const double> blocks) const;

 private:
  using Weighted = Array<std::pair<std::int64_t, double>>;  // rows, and what each counts

  std::int64_t repeats_;
  Array<std::int64_t> held_;
  Array<std::int32_t> block_of_;
  Array<double> weight_;    // of each row, over all repeats
  Array<Weighted> looked_;  // by repeat; one where all hold the same rows
  double freedom_ = 0;      // f
};

}  // namespace pegnn
