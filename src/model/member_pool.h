#pragma once
// The answer of an ensemble, from those of its members.

#include <cstdint>
#include <vector>

#include "base/array.h"
#include "base/matrix.h"
#include "pegnn/answer.h"

namespace pegnn {

// Pools column by column, in scaled units:
//
//   mean, quantile, probability   their mean over the members
//   deviation                     that of the mixture, s^2 = 1/M sum_m (s_m^2 + mean_m^2) - mean^2
//
// Buffers are kept from one ensemble to the next.
class MemberPool {
 public:
  explicit MemberPool(std::vector<OutputColumn> columns) : columns_(std::move(columns)) {}

  const std::vector<OutputColumn>& columns() const { return columns_; }

  // An ensemble of that many members, whose answers come one after the other; `out` is the same in
  // all three calls.   answers, out: rows x columns
  void begin(std::int64_t members, Mat<float> out);
  void add(Mat<const float> answers, Mat<float> out);
  void finish(Mat<float> out);

 private:
  std::vector<OutputColumn> columns_;
  std::int64_t members_ = 1;
  Array<double> mean_, square_;  // of the mixture, where there is a deviation
};

}  // namespace pegnn
