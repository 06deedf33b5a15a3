#include "metric/metric.h"

#include <algorithm>
#include <limits>

#include "base/assert.h"

namespace pegnn {

#define METRIC(name) extern const MetricEntry name##_metric;
#include "metric/metrics.def"
#undef METRIC

Span<const MetricEntry* const> metrics() {
  static constexpr const MetricEntry* kList[] = {
#define METRIC(name) &name##_metric,
#include "metric/metrics.def"
#undef METRIC
  };
  return kList;
}

std::span<const std::string_view> metric_figures() {
  static const std::vector<std::string_view> names = [] {
    std::vector<std::string_view> all;
    for (const MetricEntry* metric : metrics()) {
      all.insert(all.end(), metric->figures.begin(), metric->figures.end());
    }
    return all;
  }();
  return names;
}

namespace {

std::size_t place_of(std::string_view figure) {
  const auto names = metric_figures();
  const auto found = std::ranges::find(names, figure);
  if (found == names.end()) {
    const std::vector<std::string> known(names.begin(), names.end());
    throw Error(ErrorKind::usage, unknown_word("figure", figure, known));
  }
  return static_cast<std::size_t>(found - names.begin());
}

}  // namespace

bool scores_distribution(std::string_view figure) {
  std::size_t place = place_of(figure);
  for (const MetricEntry* metric : metrics()) {
    const auto count = as_size(metric->figures.size());
    if (place < count) return metric->applies != nullptr;
    place -= count;
  }
  return false;
}

Metrics::Metrics() : values(metric_figures().size(), std::numeric_limits<double>::quiet_NaN()) {}

double Metrics::operator[](std::string_view figure) const { return values[place_of(figure)]; }
double& Metrics::operator[](std::string_view figure) { return values[place_of(figure)]; }

Metrics compute_metrics(std::span<const double> observed, const Answer& answer, double lo,
                        double hi) {
  PEGNN_ASSERT(std::ssize(observed) == answer.rows, "one answer per observation");
  Metrics found;
  found.rows = answer.rows;
  if (observed.empty()) return found;
  std::int64_t next = 0;
  for (const MetricEntry* metric : metrics()) {
    const Span<double> figures = Span(found.values).subspan(next, metric->figures.size());
    next += metric->figures.size();
    if (metric->applies != nullptr && !metric->applies(answer.columns)) continue;
    metric->compute({observed, answer, lo, hi}, figures);
  }
  return found;
}

Metrics compute_metrics(std::span<const double> observed, std::span<const double> predicted,
                        double lo, double hi) {
  Answer mean({{.kind = OutputKind::mean}}, std::ssize(predicted));
  std::ranges::copy(predicted, mean.values.begin());
  return compute_metrics(observed, mean, lo, hi);
}

}  // namespace pegnn
