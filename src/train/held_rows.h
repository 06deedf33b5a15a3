#pragma once
// Rows that members held back: what they say of the model, and how they are shown.

#include <cstdint>
#include <span>
#include <vector>

#include "train/fit.h"
#include "train/snapshot.h"

namespace pegnn {

// Each row is predicted by those members that held it back.
class HeldRows {
 public:
  explicit HeldRows(const Dataset& data);

  void add(std::span<const std::int64_t> rows, const FinishedRun& run, const Scaler& scaler);
  bool empty() const { return held_ == 0; }

  // How much of the network's corrections to keep: what would have been best on these rows, and the
  // less of it the less the gain stands out from its noise. 1 where there is no smoother.
  double blend() const;

  // Observed and predicted, with the blend that `fit.state` holds.
  void show(Fit& fit) const;

 private:
  const Dataset& data_;
  std::int64_t held_ = 0;
  std::vector<double> sums_, correction_sums_;  // of each row
  std::vector<int> counts_;
  std::vector<double> corrections_, lacks_;  // of each time a row was held back
};

}  // namespace pegnn
