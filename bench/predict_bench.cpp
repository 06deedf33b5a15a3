// New points asked of trained networks attached to 16,512 training points, and of the default model
// in the midst of 7,000.

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "backbone/backbone.h"
#include "bench/bench.h"
#include "bench/data.h"
#include "pegnn/model.h"
#include "pegnn/train.h"
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

// The default model of a field with some noise, with so many members and far ones.
Model make_default(std::int64_t members, std::int64_t far_members) {
  constexpr std::int64_t kFieldRows = 7'000;
  Dataset field = make_data(kFieldRows);
  field.x.clear();
  field.feature_names.clear();
  for (std::int64_t i = 0; i < kFieldRows; ++i) {
    field.y[i] =
        0.2 * field.y[i] + std::sin(3 * field.points[i].x) * std::cos(4 * field.points[i].y);
  }
  Options options = preset("default");
  options.steps = 1;
  options.members = members;
  options.part.set("far-members", far_members);
  options.choose = "none";
  const Roles roles{
      .x = "longitude", .y = "latitude", .geographic = true, .target = "y", .features = {}};
  ModelState state =
      std::move(fit_model(field, roles, options, nullptr, {.threads = threads()}).state);
  // After a single step none has earned a say, and who has none is not asked.
  state.label_model.blend = state.label_model.far_blend = 1;
  return Model(std::move(state));
}

void measure_default(benchmark::State& state, std::int64_t members, std::int64_t far_members,
                     std::int64_t rows) {
  const Model model = make_default(members, far_members);
  const std::vector<Point> points = make_points(rows, Places::uniform, 2);
  for (auto _ : state) {
    benchmark::DoNotOptimize(model.predict(points, {}, {.threads = threads()}));
  }
  count_rows(state, rows);
}

void add_default(const std::string& name, std::int64_t members, std::int64_t far_members) {
  constexpr std::int64_t kPoints = 200'000;
  add_case("predict/default/" + name, benchmark::kMillisecond,
           [=](benchmark::State& state) { measure_default(state, members, far_members, kPoints); });
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
  add_default("one_member", 1, 0);
  add_default("all_members", 6, 2);
}

}  // namespace pegnn::bench
