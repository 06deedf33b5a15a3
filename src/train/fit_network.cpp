// Training a network: Algorithm 1 of the paper, then a look at the rows shown.

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/core.h>
#include <xxhash.h>

#include "base/memory.h"
#include "base/options.h"
#include "base/text.h"
#include "pegnn/log.h"
#include "pegnn/version.h"
#include "train/fit.h"
#include "train/runs.h"
#include "train/settings.h"
#include "train/trainer.h"

namespace pegnn {
namespace {

// What a snapshot must agree with: the data, every option but the number of steps where it shapes
// no step before the last (a longer run may then continue a shorter one), and the version.
std::string fingerprint_of(const std::string& data_hash, Options options) {
  const bool one_run = options.members == 1 && options.choose == "none";
  if (options.schedule == "constant" && one_run) options.steps = 1;
  std::string text = data_hash;
  for (const OptionText& option : option_texts(options)) text += "|" + option.value;
  return fmt::format("{}-{:016x}", version(), XXH64(text.data(), text.size(), 0));
}

// Rows by their numbers, ascending.
std::vector<std::int64_t> all_rows(const Dataset& data) {
  std::vector<std::int64_t> rows(static_cast<std::size_t>(data.rows()));
  std::iota(rows.begin(), rows.end(), 0);
  return rows;
}

// What a run will take is known before it starts: work memory for a batch, and what grows with the
// training rows. Better said now than to be killed an hour later.
void require_room(const Options& o, std::int64_t rows, std::int64_t features) {
  // A point, its target, its places in the index and in the order of batches, as measured on 10
  // million rows; then the distances and numbers of its neighbours and its features.
  const Network<float> network(o, features);
  const bool labelled = network.listens() == Listens::to_labels;
  const double per_row = 150.0 + (labelled ? 60.0 : 12.0 * static_cast<double>(o.k)) +
                         (labelled ? 20.0 : 4.0) * static_cast<double>(features);
  // Neighbours with their weights, for each list of LabelLists.
  const double lists = labelled ? 72.0 * static_cast<double>(o.k) *
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
      "a smaller --batch, --width or --k, or fewer rows take less");
}

// Training rows as they are predicted from their neighbours among those shown or, where labels are
// read, among all others.
std::vector<float> predict_own(Inference& inference, bool reads_labels,
                               std::span<const float> parameters,
                               std::span<const std::int64_t> rows) {
  const std::size_t chunk = reads_labels ? inference.chunk(rows.size()) : rows.size();
  std::vector<float> scaled(rows.size());
  Prepared prepared;
  for (std::size_t first = 0; first < rows.size(); first += chunk) {
    const std::span<const std::int64_t> some =
        rows.subspan(first, std::min(chunk, rows.size() - first));
    inference.prepare_own(std::vector<std::int32_t>(some.begin(), some.end()), prepared);
    inference.run(prepared, parameters, std::span(scaled).subspan(first, some.size()));
  }
  return scaled;
}

// Rows that members held back, each predicted by those that did.
class HeldRows {
 public:
  explicit HeldRows(const Dataset& data)
      : data_(data),
        sums_(data.y.size(), 0.0),
        correction_sums_(data.y.size(), 0.0),
        counts_(data.y.size(), 0) {}

  void add(std::span<const std::int64_t> rows, const FinishedRun& run, const Scaler& scaler) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto row = static_cast<std::size_t>(rows[i]);
      sums_[row] += static_cast<double>(run.predicted[i]);
      ++counts_[row];
      if (run.smooth.empty()) continue;
      const double smooth = static_cast<double>(run.smooth[i]);
      corrections_.push_back(static_cast<double>(run.predicted[i]) - smooth);
      correction_sums_[row] += corrections_.back();
      lacks_.push_back(scaler.target.apply(data_.y[row]) - smooth);
    }
  }
  bool empty() const { return std::ranges::max(counts_) == 0; }

  // How much of the network's corrections to keep: what would have been best on these rows, and the
  // less of it the less the gain stands out from its noise. 1 where there is no smoother.
  double blend() const {
    if (corrections_.empty()) return 1;
    double product = 0, square = 0;
    for (std::size_t i = 0; i < lacks_.size(); ++i) {
      product += corrections_[i] * lacks_[i];
      square += corrections_[i] * corrections_[i];
    }
    if (!(square > 0) || !(product > 0)) return 0;
    const double best = std::min(1.0, product / square);
    const auto n = static_cast<double>(lacks_.size());
    double mean = 0, spread = 0;
    const auto gain = [&](std::size_t i) {
      const double left = lacks_[i] - best * corrections_[i];
      return lacks_[i] * lacks_[i] - left * left;
    };
    for (std::size_t i = 0; i < lacks_.size(); ++i) mean += gain(i) / n;
    for (std::size_t i = 0; i < lacks_.size(); ++i) spread += (gain(i) - mean) * (gain(i) - mean);
    const double error = std::sqrt(spread) / n;
    return error > 0 ? best * std::clamp(mean / error, 0.0, 1.0) : best;
  }

  // With the model's blend, which `fit.state` holds.
  void show(Fit& fit) const {
    fit.shown = ShownRows::validation;
    const double left_out = 1 - fit.state.label_model.blend;
    for (std::size_t row = 0; row < counts_.size(); ++row) {
      if (counts_[row] == 0) continue;
      fit.shown_rows.push_back(static_cast<std::int64_t>(row));
      const double sum = sums_[row] - left_out * correction_sums_[row];
      fit.predicted.push_back(target_of(fit.state, sum / counts_[row]));
      fit.observed.push_back(data_.y[row]);
    }
  }

 private:
  const Dataset& data_;
  std::vector<double> sums_, correction_sums_;  // of each row
  std::vector<int> counts_;
  std::vector<double> corrections_, lacks_;
};

// Without rows held back, some of the training rows are shown.
void show_own(const Dataset& data, Inference& inference, bool reads_labels, Fit& fit) {
  fit.shown = ShownRows::training;
  fit.shown_rows = some_rows(all_rows(data), kMostValidationRows, fit.state.options.seed);
  const std::vector<float> scaled =
      predict_own(inference, reads_labels, fit.state.parameters, fit.shown_rows);
  for (std::size_t i = 0; i < scaled.size(); ++i) {
    fit.predicted.push_back(target_of(fit.state, static_cast<double>(scaled[i])));
    fit.observed.push_back(data.y[static_cast<std::size_t>(fit.shown_rows[i])]);
  }
}

}  // namespace

void fit_network(const Dataset& data, const Split& split, const Scaler* given,
                 const ThreadPool& pool, const RunSettings& run, Fit& fit) {
  Log& log = run.log != nullptr ? *run.log : silent_log();
  ModelState& state = fit.state;
  const Options asked = state.options;
  const Listens listens = find_part(backbones(), "backbone", asked.backbone).listens;
  // All rows are there for a prediction where labels are listened to, and where members held back
  // rows of their own.
  const bool keeps_all = listens == Listens::to_labels || asked.members > 1;
  const std::vector<std::int64_t> kept = keeps_all ? all_rows(data) : split.train;
  state.training_rows = static_cast<std::int64_t>(kept.size());
  Runs runs(run, fingerprint_of(state.provenance.table_hash, asked));
  Setting first = make_setting(data, kept, asked, given, pool, run);
  require_room(first.options, state.training_rows, first.scaler.width());
  Chosen chosen = choose_setting(data, split, std::move(first), given, pool, run, runs);
  state.options = chosen.setting.options;
  state.options.choose = "none";
  state.scaler = std::move(chosen.setting.scaler);
  state.label_model = std::move(chosen.setting.labels);
  state.steps = chosen.run.steps;
  state.best_step = chosen.run.best_step;
  state.best_validation = chosen.run.best_validation;
  fit.curve = std::move(chosen.run.curve);

  HeldRows held(data);
  const auto take = [&](std::int64_t member, const Split& own, const FinishedRun& trained) {
    state.parameters.insert(state.parameters.end(), trained.parameters.begin(),
                            trained.parameters.end());
    held.add(own.test, trained, state.scaler);
    if (asked.members == 1) return;
    log.note(fmt::format("member {} of {}: best at step {} of {}", member + 1, asked.members,
                         format_count(trained.best_step), format_count(trained.steps)));
  };
  take(0, split, chosen.run);
  for (std::int64_t m = 1; m < asked.members; ++m) {
    Options own = state.options;
    own.seed += m;
    const Split own_split = hold_back(data.rows(), own, !split.test.empty());
    take(m, own_split,
         runs.train(data, state.scaler, own, own_split, state.label_model,
                    fmt::format("member {} of {}", m + 1, asked.members), pool));
  }
  if (!held.empty()) state.label_model.blend = held.blend();

  TrainingSet set = make_training_set(data, kept, state.scaler);
  set.model = state.label_model;
  const bool reads_labels = listens != Listens::to_points;
  if (held.empty()) {
    Inference inference(state.options, data.space, set.training_points(), pool);
    show_own(data, inference, reads_labels, fit);
  } else {
    held.show(fit);
  }
  state.points = std::move(set.points);
  state.features = std::move(set.features);
  if (reads_labels) state.labels = std::move(set.labels);
}

}  // namespace pegnn
