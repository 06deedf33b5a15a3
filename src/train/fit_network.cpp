// Training a network: Algorithm 1 of the paper, then a look at the rows shown.

#include <algorithm>

#include <fmt/core.h>
#include <xxhash.h>

#include "base/array.h"
#include "base/options.h"
#include "base/text.h"
#include "model/combination.h"
#include "model/inference.h"
#include "neighbourhood/neighbourhood.h"
#include "pegnn/error.h"
#include "pegnn/log.h"
#include "pegnn/version.h"
#include "train/choose.h"
#include "train/fit.h"
#include "train/held_rows.h"
#include "train/room.h"
#include "train/task_runner.h"
#include "train/training_set.h"

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

// Means of training rows as they are predicted from their neighbours among those shown or, where
// labels are read, among all others.
Array<float> predict_own(const Inference& inference, const MemberWeights& weights,
                         Span<const std::int64_t> rows, const Backend<float>& backend) {
  const std::int64_t chunk = inference.neighbourhood()->most_own(rows.size());
  const auto scratch = inference.scratch(backend);
  const std::int64_t columns = std::ssize(inference.columns());
  Array<float> answers(rows.size() * columns), scaled(rows.size());
  Prepared prepared;
  for (std::int64_t first = 0; first < rows.size(); first += chunk) {
    const Span<const std::int64_t> some = rows.subspan(first, std::min(chunk, rows.size() - first));
    inference.prepare_own(Array<std::int32_t>(some.begin(), some.end()), *scratch, prepared);
    inference.run(prepared, weights, *scratch,
                  {answers.data() + first * columns, some.size(), columns});
  }
  for (std::int64_t i = 0; i < rows.size(); ++i) scaled[i] = answers[i * columns];
  return scaled;
}

// Without rows held back, some of the training rows are shown.
void show_own(const Dataset& data, const Inference& inference, const Backend<float>& backend,
              Fit& fit) {
  fit.shown = ShownRows::training;
  fit.shown_rows = some_rows(all_rows(data.rows()), kMostValidationRows, fit.state.options.seed);
  const Array<float> scaled = predict_own(inference, fit.state.weights(), fit.shown_rows, backend);
  for (std::int64_t i = 0; i < std::ssize(scaled); ++i) {
    fit.predicted.push_back(target_of(fit.state, static_cast<double>(scaled[i])));
    fit.observed.push_back(data.y[fit.shown_rows[i]]);
  }
}

// The tasks of a model whose setting is chosen: that of the choice, which is its first member, the
// other members with seeds of their own, and the far members.
Array<TrainTask> tasks_of(const TrainTask& first) {
  const Options& options = first.setting.options;
  const std::int64_t members = options.members, far = far_members(options);
  Array<TrainTask> tasks{first};
  for (std::int64_t m = 1; m < members; ++m) {
    TrainTask& task = tasks.emplace_back(first);
    task.key = fmt::format("member {}", m + 1);
    task.part = fmt::format("{} of {}", task.key, members);
    task.setting.options.seed += m;
  }
  for (std::int64_t m = 0; m < far; ++m) {
    TrainTask& task = tasks.emplace_back(first);
    task.key = fmt::format("far member {}", m + 1);
    task.part = fmt::format("{} of {}", task.key, far);
    task.setting.options = far_options(options);
    task.setting.options.seed += members + m;
    task.blocks = true;
    task.shared = nullptr;  // they do not listen to the blocks they hold back
  }
  return tasks;
}

// What a network says of the rows it held back, with the part of its corrections that is kept.
HeldFold fold_of(const TrainTask& task, const HeldAnswers& held, double kept,
                 const ModelState& state) {
  HeldFold fold{.far = task.blocks,
                .options = task.setting.options,
                .rows = held.rows,
                .groups = held.groups,
                .predicted = {}};
  for (std::int64_t i = 0; i < held.predicted.size(); ++i) {
    const auto predicted = static_cast<double>(held.predicted[i]);
    const double smooth = held.smooth.empty() ? 0.0 : static_cast<double>(held.smooth[i]);
    const double scaled = held.smooth.empty() ? predicted : smooth + kept * (predicted - smooth);
    fold.predicted.push_back(target_of(state, scaled));
  }
  return fold;
}

// Trains them: the weights of members and far members, and how much of their corrections is kept.
// Returns what the members say of the rows they held back.
HeldRows train_members(const Dataset& data, const TrainTask& first, TaskRunner& runner, Log& log,
                       Fit& fit) {
  ModelState& state = fit.state;
  const std::int64_t members = state.options.members, far = far_members(state.options);
  const Array<TrainTask> tasks = tasks_of(first);
  const auto note = [&](std::int64_t task, const TrainedNetwork& network) {
    if ((task < members ? members : far) == 1) return;
    log.note(fmt::format("{}: best at step {} of {}",
                         task == 0 ? fmt::format("member 1 of {}", members) : tasks[task].part,
                         format_count(network.best_step), format_count(network.steps)));
  };
  const Array<TrainedNetwork> networks = runner.run(tasks, note);
  state.steps = networks[0].steps;
  state.best_step = networks[0].best_step;
  state.best_validation = networks[0].best_validation;
  fit.curve = networks[0].curve;
  HeldRows held(data, false), held_far(data, true);
  for (std::int64_t i = 0; i < networks.size(); ++i) {
    const Array<float>& weights = networks[i].parameters;
    Array<float>& all = i < members ? state.parameters : state.far_parameters;
    all.insert(all.end(), weights.begin(), weights.end());
    (i < members ? held : held_far).add(networks[i].held, state.scaler);
  }
  if (!held.empty()) state.label_model.blend = held.blend();
  if (!held_far.empty()) state.label_model.far_blend = held_far.blend();
  if (neighbourhood_of(state.options).fit != nullptr) {
    log.detail(fmt::format("corrections of kriging kept: {}, in gaps {}",
                           format_short(state.label_model.blend, 3),
                           format_short(state.label_model.far_blend, 3)));
  }
  for (std::int64_t i = 0; i < networks.size(); ++i) {
    const LabelModel& labels = state.label_model;
    fit.folds.push_back(
        fold_of(tasks[i], networks[i].held, i < members ? labels.blend : labels.far_blend, state));
  }
  return held;
}

// What comes next may be stopped. The networks are done: a run does not fail for want of a snapshot
// any more.
void keep_networks(const TaskRunner& runner, Log& log) {
  try {
    runner.save();
  } catch (const Error& error) {
    log.warn(
        fmt::format("the snapshot could not be written: {}", error.message(log.option_style())));
  }
}

}  // namespace

void fit_network(const Dataset& data, Split split, const Scaler* given, const Dataset* watched,
                 const Context& context, Fit& fit) {
  ModelState& state = fit.state;
  const Options asked = state.options;
  const NeighbourhoodEntry& neighbourhood = neighbourhood_of(asked);
  // All rows are there for a prediction where new points listen to all of them, and where members
  // held back rows of their own.
  const bool keeps_all = neighbourhood.uses_held_back || asked.members != 1;
  const std::int64_t held_back = split.test.size();
  const Array<std::int64_t> kept = keeps_all ? all_rows(data.rows()) : std::move(split.train);
  split = {};
  state.training_rows = std::ssize(kept);
  Options any_rate = asked;
  any_rate.learning_rate = 0;
  const std::string& hash = state.provenance.table_hash;
  TaskRunner runner(data, watched, context,
                    {fingerprint_of(hash, asked), fingerprint_of(hash, any_rate)});
  Setting first = make_setting(data, kept, asked, given, context);
  require_room(first.options, state.training_rows, first.scaler.width());
  const TrainTask chosen =
      choose_setting(data, kept, held_back, std::move(first), given, context, runner);
  state.options = chosen.setting.options;
  state.options.choose = "none";
  state.scaler = chosen.setting.scaler;
  state.label_model = chosen.setting.labels;
  const HeldRows held = train_members(data, chosen, runner, context.log, fit);
  if (combines(asked)) keep_networks(runner, context.log);

  TrainingSet set = make_training_set(data, kept, state.scaler);
  set.model = state.label_model;
  if (held.empty()) {
    const Inference inference(state.options, data.space, set.training_points());
    show_own(data, inference, context.backend, fit);
  } else {
    fit.shown = ShownRows::validation;
    held.show(state, fit.shown_rows, fit.observed, fit.predicted);
  }
  state.points = std::move(set.points);
  state.features = std::move(set.features);
  if (neighbourhood.reads_labels) state.labels = std::move(set.labels);
}

}  // namespace pegnn
