#pragma once
// Where the training of one network stands between two steps, and what is left of it at the end.

#include <cstdint>
#include <vector>

#include "base/array.h"
#include "pegnn/run.h"

namespace pegnn {

// Enough to go on to the same bits. Random numbers need no state: they depend on the step.
struct TrainState {
  std::int64_t step = 0;  // steps taken
  std::int64_t looks_without_gain = 0;
  std::int64_t best_step = 0;
  double best_validation = 0;  // NaN: no look yet
  double sums[3] = {0, 0, 0};  // losses since the last report: total, main, auxiliary
  std::int64_t summed = 0;
  Array<float> parameters, first_moment, second_moment, best_parameters, averaged;
  std::vector<TrainProgress> curve;
};

// What a network says of rows it was not trained on, scaled.
struct HeldAnswers {
  Array<std::int64_t> rows;    // of the table
  Array<std::int32_t> groups;  // errors in rows of one number go together; empty: each by itself
  Array<float> predicted;
  Array<float> smooth, gaps;  // the smoother's answers and gap_share of each row; with one only
};

struct TrainedNetwork {
  Array<float> parameters;
  HeldAnswers held;  // of the rows that said when to stop
  std::int64_t steps = 0, best_step = 0;
  double best_validation = 0;  // NaN: no rows were held back
  std::vector<TrainProgress> curve;
  std::int64_t work_bytes = 0;  // that training took beside rows and weights; not kept
};

}  // namespace pegnn
