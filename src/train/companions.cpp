#include "train/companions.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include <fmt/core.h>

#include "base/array.h"
#include "baseline/baseline.h"
#include "baseline/tree_learner.h"
#include "geo/nearest.h"
#include "model/baseline_model.h"
#include "model/fitted.h"
#include "model/model_kind.h"
#include "model/remoteness.h"
#include "pegnn/error.h"
#include "train/hold_out.h"
#include "train/scaled_rows.h"
#include "train/side_by_side.h"
#include "train/trainer.h"

namespace pegnn {
namespace {

// A companion learns from no more rows than these: beyond, time grows and errors hardly fall.
constexpr std::int64_t kMostRows = 65'536;

// Rows held out one by one of how many members: on small tables one tenth of the rows says little.
std::int64_t near_folds(std::int64_t rows) { return rows < 2'000 ? 3 : rows < 8'192 ? 2 : 1; }

// A short process: under spatial blocks it is no worse than one of 500 points and steps, at a tenth
// of the time (docs/decisions/0042).
Options process_options(const Options& network, std::int64_t rows) {
  constexpr std::int64_t kFewest = 50, kMost = 200, kRowsEach = 2;
  Options o = network;
  o.model = "svgp";
  o.gp_steps = 100;
  o.inducing = std::clamp(rows / kRowsEach, kFewest, kMost);
  o.batch = 512;
  return o;
}

Options trees_options(const Options& network) {
  Options o = network;
  o.model = "boosting";
  o.tree_rate = 0.15;
  o.tree_leaves = 15;
  return o;
}

// What is the network's own is as in a plain model.
Options plain(Options o, const Options& network) {
  const Options usual;
  o.metric = network.metric;
  o.scaling = usual.scaling;
  o.scale_over = usual.scale_over;
  o.ranks = usual.ranks;
  o.target_transform = usual.target_transform;
  o.members = usual.members;
  o.choose = usual.choose;
  o.combine = usual.combine;
  if (o.validation == 0) o.validation = usual.validation;
  return o;
}

// Trees jump from leaf to leaf: where there are places alone a map would show it.
std::vector<Options> companions_for(const Dataset& data, const Options& network) {
  std::vector<Options> all;
  if (data.weight.empty()) all.push_back(plain(process_options(network, data.rows()), network));
  if (data.features() > 0 && can_learn_trees()) {
    all.push_back(plain(trees_options(network), network));
  }
  return all;
}

// The rows of a fold and those that it leaves to learn from.
struct Fold {
  const HeldFold* held;
  Array<std::int64_t> kept;
};

std::vector<Fold> folds_of(const Dataset& data, const Fit& network) {
  std::vector<Fold> folds;
  std::int64_t near = 0;
  for (const HeldFold& fold : network.folds) {
    if (fold.rows.empty() || (!fold.far && near++ >= near_folds(data.rows()))) continue;
    Split rows =
        fold.far ? hold_back_blocks(data, fold.options).rows : hold_back(data.rows(), fold.options);
    folds.push_back({&fold, std::move(rows.train)});
  }
  return folds;
}

bool enough(const std::vector<Fold>& folds) {
  std::int64_t near = 0, far = 0;
  for (const Fold& fold : folds) (fold.held->far ? far : near) += fold.held->rows.size();
  return near >= kFewestHeldOut && far >= kFewestHeldOut;
}

Array<std::int64_t> few(const Array<std::int64_t>& rows, std::int64_t seed) {
  return some_rows(rows, kMostRows, seed);
}

// A model that learned from these rows.
ModelState learn(const Dataset& data, Span<const std::int64_t> rows, const Roles& roles,
                 const Options& options, const RunSettings& run) {
  return fit_model(subset(data, rows), roles, options, nullptr, run).state;
}

Array<double> ask(const ModelState& state, const Dataset& data, Span<const std::int64_t> rows,
                  const RunSettings& run) {
  const Context context(run);
  const auto model = kind_of(state).make(state, {}, context.pool);
  const auto scratch = model->scratch(context);
  const Dataset asked = subset(data, rows);
  Array<double> answers(rows.size());
  model->answer({asked.points, {asked.x.data(), asked.rows(), asked.features()}}, *scratch,
                {answers.data(), 1, rows.size()});
  return answers;
}

// A companion on all rows and its answers to those of every fold, in pieces of work that may be
// done side by side: first the model itself, then each fold.
class Companion {
 public:
  Companion(const Dataset& data, const Roles& roles, Options options,
            const std::vector<Fold>& folds)
      : data_(data), roles_(roles), options_(std::move(options)), folds_(folds) {
    answers_.resize(folds.size());
    // Where parameters and rows can be told apart, the folds are asked of the model itself.
    apart_ = options_.model != "svgp";
  }

  std::int64_t pieces() const { return 1 + (apart_ ? std::ssize(folds_) : 0); }

  void work(std::int64_t piece, const RunSettings& run) {
    const std::int64_t seed = options_.seed;
    if (piece > 0) {
      const Fold& fold = folds_[as_size(piece - 1)];
      const ModelState state = learn(data_, few(fold.kept, seed), roles_, options_, run);
      answers_[as_size(piece - 1)] = ask(state, data_, fold.held->rows, run);
      return;
    }
    state_ = learn(data_, few(all_rows(data_.rows()), seed), roles_, options_, run);
    if (apart_) return;
    const ThreadPool pool(run.threads);
    const BaselineEntry& entry = baseline_entry(state_);
    const auto model = entry.make(baseline_spec(state_));
    model->restore(ArrayReader(state_.arrays, "model"), pool);
    for (std::size_t f = 0; f < folds_.size(); ++f) {
      const ScaledRows kept(data_, few(folds_[f].kept, seed), state_.scaler);
      const ScaledRows held(data_, folds_[f].held->rows, state_.scaler);
      Array<double>& mean = answers_[f];
      mean.resize(held.points.size());
      const auto told = model->conditioned_on(kept.view(), pool);
      told->predict(held.view(), pool, mean, {});
      for (double& value : mean) value = target_of(state_, value);
    }
  }

  ModelState& state() { return state_; }
  const Array<double>& answers(std::size_t fold) const { return answers_[fold]; }

 private:
  const Dataset& data_;
  const Roles& roles_;
  Options options_;
  const std::vector<Fold>& folds_;
  bool apart_ = true;
  ModelState state_;
  std::vector<Array<double>> answers_;
};

// The share of the squared error of one member that the mean of all does without: what members
// differ in, on rows that two of them held out,
//
//   (1 - 1/M) sum (p_1 - p_2)^2 / sum ((y - p_1)^2 + (y - p_2)^2)
double taken_by_averaging(const Dataset& data, const std::vector<HeldFold>& folds) {
  constexpr std::int64_t kFewestPairs = 20;
  constexpr double kMost = 0.9;
  Array<double> seen(data.rows(), std::numeric_limits<double>::quiet_NaN());
  double apart = 0, error = 0;
  std::int64_t members = 0, pairs = 0;
  for (const HeldFold& fold : folds) {
    if (fold.far) continue;
    ++members;
    for (std::int64_t i = 0; i < fold.rows.size(); ++i) {
      double& other = seen[fold.rows[i]];
      const double own = fold.predicted[i], y = data.y[fold.rows[i]];
      if (!std::isnan(other)) {
        ++pairs;
        apart += (own - other) * (own - other);
        error += (y - own) * (y - own) + (y - other) * (y - other);
      }
      other = own;
    }
  }
  if (pairs < kFewestPairs || !(error > 0)) return 0;
  const double share = (1 - 1 / static_cast<double>(members)) * apart / error;
  return std::isfinite(share) ? std::min(share, kMost) : 0;
}

// Distances from rows held out to the nearest that are not.
void add_distances(const Dataset& data, const Fold& fold, const ThreadPool& pool, OutOfFold& out) {
  constexpr std::int64_t k = Remoteness::kNeighbours;
  const Array<Point> asked = gather(data.points, fold.held->rows);
  NearestIndex index;
  Neighbours found;
  // Those held out one by one are among all others when they are asked for.
  const bool among = !fold.held->far;
  const Array<Point> kept = among ? Array<Point>() : gather(data.points, fold.kept);
  index.build(among ? Span<const Point>(data.points) : kept, data.space, pool);
  index.search(asked, k + (among ? 1 : 0), false, pool, found);
  const std::int64_t skipped = among ? 1 : 0;  // the row itself, or another at its place
  out.neighbours = std::min(k, found.k - skipped);
  for (std::int64_t i = 0; i < std::ssize(asked); ++i) {
    const double* first = found.distances.data() + i * found.k + skipped;
    out.distances.insert(out.distances.end(), first, first + out.neighbours);
  }
}

}  // namespace

Companions fit_companions(const Dataset& data, const Fit& network, const Context& context) {
  Companions all;
  const std::vector<Fold> folds = folds_of(data, network);
  const std::vector<Options> options = companions_for(data, network.state.options);
  if (!enough(folds) || options.empty()) return all;
  std::vector<std::unique_ptr<Companion>> companions;
  std::vector<std::pair<std::size_t, std::int64_t>> pieces;
  for (std::size_t c = 0; c < options.size(); ++c) {
    companions.push_back(std::make_unique<Companion>(data, network.state.roles, options[c], folds));
    for (std::int64_t p = 0; p < companions[c]->pieces(); ++p) pieces.emplace_back(c, p);
  }
  const SideBySide work{.tasks = std::ssize(pieces),
                        .jobs = std::min<std::int64_t>(context.pool.threads(), std::ssize(pieces)),
                        .work =
                            [&](std::int64_t i, const RunSettings& own) {
                              RunSettings quiet = own;
                              quiet.progress = {};
                              const auto [c, piece] = pieces[as_size(i)];
                              companions[c]->work(piece, quiet);
                            },
                        .finished = [](std::int64_t) {}};
  const Error stopped(ErrorKind::interrupted,
                      fmt::format("stopped before the models beside the network were done{}",
                                  context.run.snapshot.empty() ? "" : kHowToContinue));
  try {
    if (!run_side_by_side(work, context.run)) throw stopped;
  } catch (const Error& error) {
    // Its networks are in the snapshot; where in its steps a companion was does not matter.
    if (error.kind() == ErrorKind::interrupted) throw stopped;
    throw;
  }
  OutOfFold& held = all.held;
  held.predicted.resize(1 + companions.size());
  held.averaged = taken_by_averaging(data, network.folds);
  std::int32_t group = 0;
  for (std::size_t f = 0; f < folds.size(); ++f) {
    const HeldFold& fold = *folds[f].held;
    held.far.push_back(fold.far);
    add_distances(data, folds[f], context.pool, held);
    for (std::int64_t i = 0; i < std::ssize(fold.rows); ++i) {
      held.rows.push_back(fold.rows[i]);
      held.folds.push_back(static_cast<std::int32_t>(f));
      held.groups.push_back(fold.groups.empty() ? group++ : fold.groups[i]);
      held.observed.push_back(data.y[fold.rows[i]]);
      held.predicted[0].push_back(fold.predicted[i]);
      for (std::size_t c = 0; c < companions.size(); ++c) {
        held.predicted[c + 1].push_back(companions[c]->answers(f)[i]);
      }
    }
  }
  for (const auto& companion : companions) all.states.push_back(std::move(companion->state()));
  return all;
}

}  // namespace pegnn
