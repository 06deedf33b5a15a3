// New points asked of a trained network, attached to 16,512 training points.

#include <string>
#include <utility>
#include <vector>

#include "backbone/backbone.h"
#include "bench/bench.h"
#include "bench/data.h"
#include "pegnn/model.h"
#include "train/fit.h"

namespace pegnn::bench {
namespace {

// One step is enough: the time of a prediction does not depend on the weights.
Model make_model(const std::string& backbone) {
  const Dataset data = make_data(kRows);
  const Roles roles{.x = "longitude",
                    .y = "latitude",
                    .geographic = true,
                    .target = "y",
                    .features = data.feature_names};
  Options options = step_options(backbone, kBatch);
  options.graph = "train";
  options.steps = 1;
  return Model(std::move(fit_model(data, roles, options, nullptr, {.threads = threads()}).state));
}

void measure_predict(benchmark::State& state, const std::string& backbone, std::int64_t rows) {
  const Model model = make_model(backbone);
  const std::vector<Point> points = make_points(rows, Places::uniform, 2);
  const std::vector<double> features(static_cast<std::size_t>(rows * kFeatures), 0.5);
  for (auto _ : state) {
    benchmark::DoNotOptimize(model.predict(points, features, {.threads = threads()}));
  }
  count_rows(state, rows);
}

void add(const std::string& backbone, std::int64_t rows) {
  add_case("predict/" + backbone + "/" + std::to_string(rows), benchmark::kMillisecond,
           [=](benchmark::State& state) { measure_predict(state, backbone, rows); });
}

}  // namespace

void add_predict_cases() {
  for (const std::int64_t rows : growth_sizes()) add("gcn", rows);
  for (const BackboneEntry* entry : backbones()) {
    if (entry->info.name != "gcn") add(std::string(entry->info.name), 10'000);
  }
}

}  // namespace pegnn::bench
