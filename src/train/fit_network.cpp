// Training a network: Algorithm 1 of the paper, then a look at the rows shown.

#include <algorithm>

#include <fmt/core.h>
#include <xxhash.h>

#include "base/array.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/text.h"
#include "pegnn/log.h"
#include "pegnn/version.h"
#include "train/fit.h"
#include "train/held_rows.h"
#include "train/runs.h"
#include "train/settings.h"
#include "train/trainer.h"

namespace pegnn {
namespace {

// What a snapshot must agree with: the data, every option but the number of steps where it shapes
// no step before the last (a longer run may then continue a shorter one), and the version.
std::string fingerprint_of(const std::string& data_hash, Options options) {
  const bool one_run =
      options.members == 1 && far_members(options) == 0 && options.choose == "none";
  if (options.schedule == "constant" && one_run) options.steps = 1;
  std::string text = data_hash;
  for (const OptionText& option : option_texts(options)) text += "|" + option.value;
  return fmt::format("{}-{:016x}", version(), XXH64(text.data(), text.size(), 0));
}

// What a run will take is known before it starts: work memory for a batch, and what grows with the
// training rows. Better said now than to be killed an hour later.
void require_room(const Options& o, std::int64_t rows, std::int64_t features) {
  const Network<float> network(o, features);
  const bool labelled = network.neighbourhood() == Neighbourhood::labels;
  // A point, its target, its places in the index and in the order of batches, as measured on 10
  // million rows; then the distances and numbers of its neighbours, or its place and residual, and
  // its features.
  const double per_row = 150.0 + (labelled ? 60.0 : 12.0 * static_cast<double>(o.k)) +
                         (labelled ? 20.0 : 4.0) * static_cast<double>(features);
  // Neighbours with their weights, eight bytes for each of at most six lists of LabelLists.
  const double lists = labelled ? 48.0 * static_cast<double>(o.k) *
                                      static_cast<double>(std::min(rows, LabelLists::kMostRows))
                                : 0.0;
  const std::int64_t batch = o.batch == 0 ? rows : std::min(o.batch, rows);
  const std::int64_t nodes = network.local() ? batch * (o.k + 1) : batch;
  // Two batches: the next one is made ready beside the step.
  const double inputs = 2 * 4.0 * static_cast<double>(nodes) *
                        static_cast<double>(features + network.encoder().basis_width());
  const double gradients = static_cast<double>(network.gradient_bytes()) *
                           static_cast<double>(Schedule::slabs_for(network.gradient_bytes()));
  require_memory(
      per_row * static_cast<double>(rows) + lists + inputs + gradients +
          network.bytes_for(nodes, nodes * o.k, true),
      fmt::format("training on {} rows in batches of {}", format_count(rows), format_count(batch)),
      "a smaller <option:batch>, <option:width> or <option:k>, or fewer rows take less");
}

// Means of training rows as they are predicted from their neighbours among those shown or, where labels are
// read, among all others.
Array<float> predict_own(Inference& inference, bool reads_labels, const MemberWeights& weights,
                         Span<const std::int64_t> rows) {
  const std::int64_t chunk = reads_labels ? inference.chunk(rows.size()) : rows.size();
  const std::int64_t columns = std::ssize(inference.columns());
  Array<float> answers(rows.size() * columns), scaled(rows.size());
  Prepared prepared;
  for (std::int64_t first = 0; first < rows.size(); first += chunk) {
    const Span<const std::int64_t> some = rows.subspan(first, std::min(chunk, rows.size() - first));
    inference.prepare_own(Array<std::int32_t>(some.begin(), some.end()), prepared);
    inference.run(prepared, weights, {answers.data() + first * columns, some.size(), columns});
  }
  for (std::int64_t i = 0; i < rows.size(); ++i) scaled[i] = answers[i * columns];
  return scaled;
}

// Without rows held back, some of the training rows are shown.
void show_own(const Dataset& data, Inference& inference, bool reads_labels, Fit& fit) {
  fit.shown = ShownRows::training;
  fit.shown_rows = some_rows(all_rows(data.rows()), kMostValidationRows, fit.state.options.seed);
  const Array<float> scaled =
      predict_own(inference, reads_labels, fit.state.weights(), fit.shown_rows);
  for (std::int64_t i = 0; i < std::ssize(scaled); ++i) {
    fit.predicted.push_back(target_of(fit.state, static_cast<double>(scaled[i])));
    fit.observed.push_back(data.y[fit.shown_rows[i]]);
  }
}

// The members that are still to be trained after the first, and the far members: their weights, and
// how much of their corrections is kept. Returns what the members say of the rows they held back.
HeldRows train_members(const Dataset& data, const Split& split, const FinishedRun& first,
                       Runs& runs, Log& log, ModelState& state) {
  const std::int64_t members = state.options.members, far = far_members(state.options);
  const auto keep = [&](const FinishedRun& trained, Array<float>& parameters,
                        const std::string& name, std::int64_t of) {
    parameters.insert(parameters.end(), trained.parameters.begin(), trained.parameters.end());
    if (of == 1) return;
    log.note(fmt::format("{}: best at step {} of {}", name, format_count(trained.best_step),
                         format_count(trained.steps)));
  };
  HeldRows held(data, false), held_far(data, true);
  keep(first, state.parameters, fmt::format("member 1 of {}", members), members);
  held.add(split.test, first.held, state.scaler);
  for (std::int64_t m = 1; m < members; ++m) {
    const std::string name = fmt::format("member {} of {}", m + 1, members);
    Options own = state.options;
    own.seed += m;
    const Split rows = hold_back(data.rows(), own, !split.test.empty());
    const FinishedRun& trained = runs.train(data, state.scaler, own, rows, state.label_model, name);
    keep(trained, state.parameters, name, members);
    held.add(rows.test, trained.held, state.scaler);
  }
  for (std::int64_t m = 0; m < far; ++m) {
    const std::string name = fmt::format("far member {} of {}", m + 1, far);
    Options own = far_options(state.options);
    own.seed += members + m;
    const HeldBlocks blocks = hold_back_blocks(data, own, !split.test.empty());
    const FinishedRun& trained =
        runs.train(data, state.scaler, own, blocks.rows, state.label_model, name);
    keep(trained, state.far_parameters, name, far);
    held_far.add(blocks.rows.test, trained.held, state.scaler, blocks.block);
  }
  if (!held.empty()) state.label_model.blend = held.blend();
  if (!held_far.empty()) state.label_model.far_blend = held_far.blend();
  if (attends_to_labels(state.options)) {
    log.detail(fmt::format("corrections of kriging kept: {}, in gaps {}",
                           format_short(state.label_model.blend, 3),
                           format_short(state.label_model.far_blend, 3)));
  }
  return held;
}

}  // namespace

void fit_network(const Dataset& data, const Split& split, const Scaler* given,
                 const Dataset* watched, const Context& context, Fit& fit) {
  ModelState& state = fit.state;
  const Options asked = state.options;
  const Neighbourhood neighbourhood =
      find_part(backbones(), "backbone", asked.backbone).neighbourhood;
  // All rows are there for a prediction where labels are listened to, and where members held back
  // rows of their own.
  const bool keeps_all = neighbourhood == Neighbourhood::labels || asked.members > 1;
  const Array<std::int64_t> kept = keeps_all ? all_rows(data.rows()) : split.train;
  state.training_rows = std::ssize(kept);
  Options any_rate = asked;
  any_rate.learning_rate = 0;
  const std::string& hash = state.provenance.table_hash;
  Runs runs(context, fingerprint_of(hash, asked), fingerprint_of(hash, any_rate), watched);
  Setting first = make_setting(data, kept, asked, given, context);
  require_room(first.options, state.training_rows, first.scaler.width());
  Chosen chosen = choose_setting(data, kept, split, std::move(first), given, context, runs);
  state.options = chosen.setting.options;
  state.options.choose = "none";
  state.scaler = std::move(chosen.setting.scaler);
  state.label_model = std::move(chosen.setting.labels);
  state.steps = chosen.run.steps;
  state.best_step = chosen.run.best_step;
  state.best_validation = chosen.run.best_validation;
  fit.curve = std::move(chosen.run.curve);

  const HeldRows held = train_members(data, split, chosen.run, runs, context.log, state);
  TrainingSet set = make_training_set(data, kept, state.scaler);
  set.model = state.label_model;
  const bool reads_labels = neighbourhood != Neighbourhood::points;
  if (held.empty()) {
    Inference inference(state.options, data.space, set.training_points(), context.backend);
    show_own(data, inference, reads_labels, fit);
  } else {
    held.show(fit);
  }
  state.points = std::move(set.points);
  state.features = std::move(set.features);
  if (reads_labels) state.labels = std::move(set.labels);
}

}  // namespace pegnn
