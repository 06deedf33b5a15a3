// Training a network: Algorithm 1 of the paper, then a look at the rows shown.

#include <algorithm>

#include <fmt/core.h>
#include <xxhash.h>

#include "base/memory.h"
#include "base/options.h"
#include "base/text.h"
#include "pegnn/log.h"
#include "pegnn/version.h"
#include "train/fit.h"
#include "train/resolve.h"
#include "train/trainer.h"

namespace pegnn {
namespace {

// What a snapshot must agree with: the data, every option but the number of steps (a longer run may
// continue a shorter one), and the version.
std::string fingerprint_of(const std::string& data_hash, Options options) {
  options.steps = 1;
  std::string text = data_hash;
  for (const OptionText& option : option_texts(options)) text += "|" + option.value;
  return fmt::format("{}-{:016x}", version(), XXH64(text.data(), text.size(), 0));
}

// The options with what the training rows decide filled in.
Options resolved(const Dataset& data, const Split& split, const Options& options,
                 const ThreadPool& pool, Log& log) {
  if (split.test.empty()) {
    return resolve_options(options, data.points, data.y, data.space, pool, log);
  }
  std::vector<Point> points;
  std::vector<double> target;
  points.reserve(split.train.size());
  target.reserve(split.train.size());
  for (const std::int64_t row : split.train) {
    points.push_back(data.points[static_cast<std::size_t>(row)]);
    target.push_back(data.y[static_cast<std::size_t>(row)]);
  }
  return resolve_options(options, points, target, data.space, pool, log);
}

// What a run will take is known before it starts: work memory for a batch, and what grows with the
// training rows. Better said now than to be killed an hour later.
void require_room(const Options& o, std::int64_t rows, std::int64_t features) {
  // A point, its target, its places in the index and in the order of batches, as measured on 10
  // million rows; then the distances and numbers of its neighbours and its features.
  const double per_row =
      150.0 + 12.0 * static_cast<double>(o.k) + 4.0 * static_cast<double>(features);
  const Network<float> network(o, features);
  const std::int64_t batch = o.batch == 0 ? rows : std::min(o.batch, rows);
  const std::int64_t nodes = network.local() ? batch * (o.k + 1) : batch;
  // Two batches: the next one is made ready beside the step.
  const double inputs = 2 * 4.0 * static_cast<double>(nodes) *
                        static_cast<double>(features + network.encoder().basis_width());
  const double gradients = static_cast<double>(network.gradient_bytes()) *
                           static_cast<double>(Schedule::slabs_for(network.gradient_bytes()));
  require_memory(
      per_row * static_cast<double>(rows) + inputs + gradients +
          network.bytes_for(nodes, nodes * o.k, true),
      fmt::format("training on {} rows in batches of {}", format_count(rows), format_count(batch)),
      "a smaller --batch, --width or --k, or fewer rows take less");
}

// Training rows as they are predicted from their neighbours among those shown or, where labels are
// read, among all others. Without validation rows training rows have the numbers of the data's.
std::vector<float> predict_own(Trainer& trainer, std::span<const std::int64_t> rows) {
  Inference& inference = trainer.inference();
  const std::size_t chunk = trainer.reads_labels() ? inference.chunk(rows.size()) : rows.size();
  std::vector<float> scaled(rows.size());
  Prepared prepared;
  for (std::size_t first = 0; first < rows.size(); first += chunk) {
    const std::span<const std::int64_t> some =
        rows.subspan(first, std::min(chunk, rows.size() - first));
    inference.prepare_own(std::vector<std::int32_t>(some.begin(), some.end()), prepared);
    inference.run(prepared, trainer.parameters(), std::span(scaled).subspan(first, some.size()));
  }
  return scaled;
}

// What the kept weights predict on the rows shown in the report: the validation rows, attached as
// new points are; without any, some of the training rows.
void predict_shown(const Dataset& data, const Split& split, Trainer& trainer, Fit& fit) {
  std::vector<float> own;
  std::span<const float> scaled;
  if (split.test.empty()) {
    fit.shown = ShownRows::training;
    fit.shown_rows = some_rows(split.train, kMostValidationRows, fit.state.options.seed);
    own = predict_own(trainer, fit.shown_rows);
    scaled = own;
  } else {
    fit.shown = ShownRows::validation;
    fit.shown_rows = split.test;
    scaled = trainer.predict_validation();
  }
  for (std::size_t i = 0; i < scaled.size(); ++i) {
    fit.predicted.push_back(target_of(fit.state, static_cast<double>(scaled[i])));
    fit.observed.push_back(data.y[static_cast<std::size_t>(fit.shown_rows[i])]);
  }
}

}  // namespace

void fit_network(const Dataset& data, const Split& split, const ThreadPool& pool,
                 const RunSettings& run, Fit& fit) {
  Log& log = run.log != nullptr ? *run.log : silent_log();
  ModelState& state = fit.state;
  state.options = resolved(data, split, state.options, pool, log);
  require_room(state.options, state.training_rows, data.features());

  Trainer trainer(data, state.scaler, state.options, split.train, split.test, pool);
  trainer.run(run, fingerprint_of(state.provenance.table_hash, state.options));
  log.detail(fmt::format("work memory of the network: {} MB",
                         format_short(static_cast<double>(trainer.work_bytes()) / 1e6, 3)));
  predict_shown(data, split, trainer, fit);

  state.parameters = {trainer.parameters().begin(), trainer.parameters().end()};
  state.steps = trainer.progress().step;
  state.best_step = trainer.progress().best_step;
  state.best_validation = trainer.progress().best_validation;
  fit.curve = trainer.progress().curve;
  const bool reads_labels = trainer.reads_labels();
  TrainingSet set = trainer.take_set();
  state.points = std::move(set.points);
  state.features = std::move(set.features);
  if (reads_labels) state.labels = std::move(set.labels);
}

}  // namespace pegnn
