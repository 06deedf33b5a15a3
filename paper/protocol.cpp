#include "paper/protocol.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "pegnn/train.h"

namespace pegnn {
namespace {

// Points of a curve, whatever the number of steps.
constexpr std::int64_t kCurvePoints = 150;
// Of any network in a quick run.
constexpr std::int64_t kQuickSteps = 150;

const ModelRow kFurther[] = {
    {"mean", "mean", kNotThere, false},
    {"kNN", "knn", kNotThere, false},
    {"IDW", "idw", kNotThere, false},
    {"kriging", "kriging", kNotThere, false},
    {"nearest-neighbour GP", "nngp", kNotThere, false},
    {"approximate GP, Matérn 3/2", "svgp", kNotThere, false},
    {"exact GP, Matérn 3/2", "gp", kNotThere, false},
    {"boosting", "boosting", kNotThere, false},
    {"boosting with labels", "boosting_labels", kNotThere, false},
    {"pegnn default", "default", kNotThere, false},
};

bool large(const PaperRows& rows) { return rows.training_rows() >= 10'000; }

// Steps of the paper's networks. The paper does not say; with these the independent runs were made.
std::int64_t steps_for(const PaperRows& rows, const Effort& effort) {
  if (effort.steps > 0) return effort.steps;
  if (effort.quick) return kQuickSteps;
  return large(rows) ? 6000 : 3000;
}

// Section 4.3.2: 2,048 points for California Housing and 3D Road, 1,024 for the others.
std::int64_t batch_for(const PaperRows& rows) {
  const std::string_view name = rows.data.entry->name;
  return name == "california-housing" || name == "3d-road" ? 2048 : 1024;
}

// What takes long and shows little of how the page will look.
void hurry(Options& o, std::int64_t most_steps) {
  o.members = 1;
  o.part.set("far-members", 0);
  o.choose = "none";
  o.gp_rows = 512;
  o.gp_steps = 10;
  o.inducing = 100;
  o.trees = 100;
  o.steps = std::min(o.steps, most_steps);
}

Options options_of(const ModelRow& model, const PaperRows& rows, const Effort& effort) {
  Options o;
  if (model.model == "default") {
    o = preset("default");
  } else if (!model.in_paper) {
    o = named_model(model.model);
  } else {
    o = named_model(model.model, effort.preset);
    o.lambda = std::isnan(model.lambda) ? 0 : model.lambda;
    o.batch = batch_for(rows);
    o.steps = steps_for(rows, effort);
    o.kernel = "gaussian";
    // Where looks decide when to stop they stay as they are.
    if (o.validation == 0) o.evaluate_every = std::max<std::int64_t>(1, o.steps / kCurvePoints);
  }
  if (effort.quick) hurry(o, effort.steps > 0 ? effort.steps : kQuickSteps);
  return o;
}

}  // namespace

std::span<const ModelRow> further_rows() { return kFurther; }

RunSpec table_run(const ModelRow& model, const PaperRows& rows, Task task, std::int64_t seed,
                  const Effort& effort) {
  RunSpec spec{.name = model.name,
               .dataset = std::string(rows.data.entry->name),
               .task = task,
               .options = options_of(model, rows, effort)};
  spec.options.seed = seed;
  // Figure 2 shows them on a map.
  spec.keeps_predictions = spec.dataset == "california-housing" && task == Task::regression &&
                           model.model.ends_with("sage") && seed == 0;
  return spec;
}

std::vector<std::int64_t> sensitivity_neighbours() { return {2, 5, 10, 20}; }

std::vector<std::int64_t> sensitivity_batches(const Effort& effort) {
  if (effort.quick) return {512, 2048};
  return {512, 1024, 2048, 4096};
}

RunSpec sensitivity_run(const ModelRow& model, const PaperRows& rows, std::int64_t k,
                        std::int64_t batch, const Effort& effort) {
  RunSpec spec = table_run(model, rows, Task::interpolation, 0, effort);
  // Left to the model, five neighbours are taken: the run of the tables serves here too.
  if (k != 5) spec.options.k = k;
  spec.options.batch = batch;
  spec.name += fmt::format(", k = {}, batch {}", k, batch);
  return spec;
}

RunSpec uncertainty_run(const PaperRows& rows, const Effort& effort) {
  RunSpec spec =
      table_run({"PE-GCN, uncertainty weights", "pe-gcn", 0}, rows, Task::regression, 0, effort);
  spec.options.uncertainty_weights = true;
  spec.options.uncertainty_form = "paper";
  return spec;
}

RunSpec timed_run(const PublishedStep& step, const PaperRows& rows, int threads,
                  const Effort& effort) {
  const ModelRow model{std::string(step.name), std::string(step.model), step.lambda};
  RunSpec spec = table_run(model, rows, Task::regression, 0, effort);
  spec.options.batch = 0;
  spec.options.steps = effort.quick ? 10 : 100;
  spec.options.evaluate_every = spec.options.steps / 10;
  spec.options.validation = 0;
  spec.options.patience = 0;
  spec.keeps_predictions = false;
  spec.timed_threads = threads;
  return spec;
}

std::int64_t bar_runs(const Effort& effort) {
  return effort.quick ? std::min<std::int64_t>(effort.runs, 3) : effort.runs;
}

}  // namespace pegnn
