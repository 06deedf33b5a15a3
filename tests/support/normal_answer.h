#pragma once
// Answers with a normal distribution in each row.

#include <vector>

#include "pegnn/metrics.h"

namespace pegnn::test {

inline Answer normal_answer(const std::vector<double>& mean, const std::vector<double>& deviation) {
  Answer answer({{.kind = OutputKind::mean}, {.kind = OutputKind::deviation}},
                static_cast<std::int64_t>(mean.size()));
  std::copy(mean.begin(), mean.end(), answer.values.begin());
  std::copy(deviation.begin(), deviation.end(), answer.values.begin() + std::ssize(mean));
  return answer;
}

inline Metrics scores(const std::vector<double>& observed, const std::vector<double>& mean,
                      const std::vector<double>& deviation) {
  return compute_metrics(observed, normal_answer(mean, deviation), 0, 1);
}

}  // namespace pegnn::test
