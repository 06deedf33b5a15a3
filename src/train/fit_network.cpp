// Training a network: Algorithm 1 of the paper, then a look at the rows shown.

#include <algorithm>

#include <fmt/core.h>
#include <xxhash.h>

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

// What the kept weights predict on the rows shown in the report: the validation rows, attached as
// new points are; without any, the training rows, each with its neighbours among the others.
void predict_shown(const Dataset& data, const Trainer& trainer, const ThreadPool& pool, Fit& fit) {
  const ModelState& state = fit.state;
  Inference inference(state.options, state.space, trainer.set().training_points(), pool);
  const std::size_t rows = fit.shown_rows.size();
  const std::size_t chunk = trainer.reads_labels() ? inference.chunk(rows) : rows;
  std::vector<float> scaled(rows);
  Prepared prepared;
  for (std::size_t first = 0; first < rows; first += chunk) {
    const std::size_t count = std::min(chunk, rows - first);
    const std::span<const std::int64_t> some = std::span(fit.shown_rows).subspan(first, count);
    if (fit.shown == ShownRows::validation) {
      const TrainingSet shown = make_training_set(data, some, state.scaler);
      inference.prepare(shown.points, shown.feature_matrix(), prepared);
    } else {
      // Without validation rows the training rows are those of the table, in their order.
      inference.prepare_own(std::vector<std::int32_t>(some.begin(), some.end()), prepared);
    }
    inference.run(prepared, state.parameters, std::span(scaled).subspan(first, count));
  }
  for (std::size_t i = 0; i < scaled.size(); ++i) {
    fit.predicted.push_back(target_of(state, static_cast<double>(scaled[i])));
    fit.observed.push_back(data.y[static_cast<std::size_t>(fit.shown_rows[i])]);
  }
}

}  // namespace

void fit_network(const Dataset& data, const Split& split, const ThreadPool& pool,
                 const RunSettings& run, Fit& fit) {
  Log& log = run.log != nullptr ? *run.log : silent_log();
  ModelState& state = fit.state;
  const Dataset train_data = subset(data, split.train);
  state.options =
      resolve_options(state.options, train_data.points, train_data.y, data.space, pool, log);

  Trainer trainer(data, state.scaler, state.options, split.train, split.test, pool);
  trainer.run(run, fingerprint_of(state.provenance.table_hash, state.options));
  log.detail(fmt::format("work memory of the network: {} MB",
                         format_short(static_cast<double>(trainer.work_bytes()) / 1e6, 3)));

  const TrainingSet& set = trainer.set();
  state.points = set.points;
  state.features = set.features;
  if (trainer.reads_labels()) state.labels = set.labels;
  state.parameters = {trainer.parameters().begin(), trainer.parameters().end()};
  state.steps = trainer.progress().step;
  state.best_step = trainer.progress().best_step;
  state.best_validation = trainer.progress().best_validation;
  fit.curve = trainer.progress().curve;
  fit.shown = split.test.empty() ? ShownRows::training : ShownRows::validation;
  fit.shown_rows = some_rows(split.test.empty() ? split.train : split.test, kMostValidationRows,
                             state.options.seed);
  predict_shown(data, trainer, pool, fit);
}

}  // namespace pegnn
