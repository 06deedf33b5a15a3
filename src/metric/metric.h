#pragma once
// Metrics: figures that say how good answers are, one file each, listed in `metrics.def`.

#include <span>
#include <string_view>

#include "base/array.h"
#include "base/part.h"
#include "pegnn/answer.h"
#include "pegnn/metrics.h"

namespace pegnn {

// What was observed and what was said; as many rows in both, and at least one.
struct ScoredRows {
  Span<const double> observed;
  const Answer& answer;
  double lo = 0, hi = 0;  // range of the target

  std::int64_t rows() const { return observed.size(); }
};

struct MetricEntry {
  PartInfo info;
  Span<const std::string_view>
      figures;  // their names; a metric may have several, of several levels
  // Whether an answer with these columns has what it takes; null: it always has, there is a mean.
  bool (*applies)(std::span<const OutputColumn> columns) = nullptr;
  void (*compute)(const ScoredRows& rows, Span<double> figures);  // as many as `figures`
};

Span<const MetricEntry* const> metrics();

}  // namespace pegnn
