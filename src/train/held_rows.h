#pragma once
// Hold-out rows of the ensemble: how far it is shrunk towards kriging, and what is reported.

#include <cstdint>
#include <vector>

#include "base/array.h"
#include "model/state.h"
#include "table/dataset.h"
#include "train/train_state.h"

namespace pegnn {

// Each row is predicted by those members that held it back.
class HeldRows {
 public:
  // `gaps`: these members answer in gaps between the training points (extrapolation), else in their
  // midst.
  HeldRows(const Dataset& data, bool gaps);

  // Answers of a member to rows held back.
  void add(const HeldAnswers& answers, const Scaler& scaler);
  bool empty() const;

  // Shrinkage: how much of the network's corrections to keep. 1 where there is no smoother, 0 where
  // few groups judge, else
  //
  //   blend = min(1, sum_i w_i c_i r_i / sum_i w_i c_i^2) * clamp(z - q, 0, 1)
  //
  //   c_i  mean correction of row i by the members that held it back
  //   r_i  residual of the smoother there: the target less its prediction
  //   w_i  share of these members in the answer there, times the weight of the row
  //   z    mean gain of a group over its standard error
  //   q    what is taken off z: min(1, 16 / sqrt(rows)), or 1/2 where groups are blocks
  //
  // The first factor would have been best on these rows; the second keeps the less of it the less
  // the gain stands out from its noise. The weights of a member were chosen on the very rows that
  // judge it, and of pure noise make a z of about 1.3. What they spoil then is much on small tables
  // and little on large ones, while targets with long tails rarely give a large z: hence q falls
  // with the number of rows. Blocks are few and each of many rows, to which weights fit themselves
  // less.
  double blend() const;

  // These rows, what was observed there and what these members predict, with the blend that `state`
  // holds. In gaps the model also asks far members, which learned from these rows.
  void show(const ModelState& state, Array<std::int64_t>& rows, Array<double>& observed,
            Array<double>& predicted) const;

 private:
  // Sums over the answers to one row.
  struct Row {
    int count = 0;
    double predicted = 0, smooth = 0, share = 0;
    double target = 0;  // scaled
    std::int64_t group = 0;
  };

  const Dataset& data_;
  bool gaps_;
  bool smoothed_ = false;
  Array<Row> rows_;
};

}  // namespace pegnn
