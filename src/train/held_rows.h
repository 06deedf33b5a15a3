#pragma once
// Rows that members held back: what they say of the model, and how they are shown.

#include <cstdint>
#include <vector>

#include "base/array.h"
#include "train/fit.h"
#include "train/snapshot.h"

namespace pegnn {

// Each row is predicted by those members that held it back.
class HeldRows {
 public:
  // `gaps`: these members have their say in gaps of the training points, else in their midst.
  HeldRows(const Dataset& data, bool gaps);

  // Answers of a member to rows held back. `groups` holds a number for each row of the table;
  // errors in rows of one number go together. Empty: every row errs by itself.
  void add(Span<const std::int64_t> rows, const HeldAnswers& answers, const Scaler& scaler,
           Span<const std::int32_t> groups = {});
  bool empty() const;

  // How much of the network's corrections to keep: what would have been best on these rows where
  // the members have their say, and the less of it the less the gain stands out from its noise. 1
  // where there is no smoother, 0 where few groups judge.
  //
  // With c_i the mean correction of row i, l_i what the smoother lacked there and w_i the say,
  // times the weight of the row where rows have such: b = sum w c l / sum w c c, at most 1, times z
  // - q within [0, 1]. z is the gain of a group, on average, over its standard error. The weights
  // of a member were chosen on the very rows that judge it, and of pure noise make a z of
  // about 1.3. What they spoil then is much on small tables and little on large ones, while targets
  // with long tails rarely give a large z: q falls from 1 with the root of the number of rows.
  // Blocks are few and each of many rows, to which weights fit themselves less: q is 1/2.
  double blend() const;

  // Observed and predicted by these members, with the blend that `fit.state` holds. In gaps the
  // model also asks far members, which learned from these rows.
  void show(Fit& fit) const;

 private:
  // Sums over the answers to one row.
  struct Row {
    int count = 0;
    double predicted = 0, smooth = 0, say = 0;
    double target = 0;  // scaled
    std::int64_t group = 0;
  };

  const Dataset& data_;
  bool gaps_;
  bool smoothed_ = false;
  Array<Row> rows_;
};

}  // namespace pegnn
