#include "train/trainer.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>
#include <limits>
#include <numbers>

#include <fmt/core.h>

#include "base/array.h"
#include "base/text.h"
#include "pegnn/error.h"
#include "pegnn/log.h"
#include "table/split.h"

namespace pegnn {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// One-cycle: the step size rises over this share of the steps, from this part of its height.
constexpr double kRise = 0.1, kStartingPart = 0.04;

// How often the caller hears of a step that brings no new figures, in seconds.
constexpr double kProgressInterval = 0.1;

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// The rows that a network with rows of its own learns from.
std::shared_ptr<const CommonRows> own_rows(const Dataset& data, Span<const std::int64_t> rows,
                                           const Scaler& scaler, const LabelModel& labels) {
  auto own = std::make_shared<CommonRows>();
  own->set = make_training_set(data, rows, scaler);
  own->set.model = labels;
  return own;
}

// Rows of a set that a network learns from; empty: all. `listed`: those that its neighbourhood
// knows, ascending; empty: all. Of shared rows it learns from those in `train`.
Array<std::int32_t> rows_to_learn_from(bool shared, Span<const std::int64_t> train,
                                       Span<const std::int32_t> listed) {
  if (!shared) return {listed.begin(), listed.end()};
  Array<std::int32_t> rows(train.begin(), train.end());
  std::ranges::sort(rows);
  if (listed.empty()) return rows;
  Array<std::int32_t> both;
  std::ranges::set_intersection(rows, listed, std::back_inserter(both));
  return both;
}

}  // namespace

Trainer::Trainer(const Dataset& data, const Scaler& scaler, const Options& options,
                 Span<const std::int64_t> train_rows, Span<const std::int64_t> validation_rows,
                 const LabelModel& labels, const Backend<float>& backend,
                 std::shared_ptr<const CommonRows> shared)
    : options_(options),
      backend_(backend),
      network_(options, scaler.width()),
      schedule_(backend.queue(network_.gradient_bytes())),
      rows_(shared != nullptr ? shared : own_rows(data, train_rows, scaler, labels)),
      set_(rows_->set),
      basis_(keep_basis(network_.encoder(), backend, kMostBasisBytes, set_)),
      inference_(options, data.space, set_.training_points(), rows_->common),
      scratch_(inference_.scratch(backend)),
      learned_from_(rows_to_learn_from(shared != nullptr, train_rows,
                                       inference_.neighbourhood()->rows_learned_from())),
      order_(learned_from_.empty() ? set_.rows() : learned_from_.size(), options.batch,
             static_cast<std::uint64_t>(options.seed)),
      source_(set_, basis_, options, data.space, inference_.neighbourhood(), network_.auxiliary(),
              order_.batch(), backend),
      parameters_(backend.buffer(network_.layout().size())),
      gradients_(backend.buffer(network_.layout().size())),
      averaged_(backend.buffer(options.averaging > 0 ? network_.layout().size() : 0)),
      adam_(backend,
            {.learning_rate = options.learning_rate,
             .weight_decay = options.weight_decay,
             .decoupled = options.optimiser == "adamw"},
            network_.layout().size()) {
  network_.initialise(static_cast<std::uint64_t>(options.seed), parameters_.span());
  std::copy_n(parameters_.data(), averaged_.size(), averaged_.data());
  network_.reserve(backend, source_.size.nodes, source_.size.edges, true);
  // A full batch stays as it is, unless its rows listen to others in every step.
  const bool changes = order_.batch() < set_.rows() || source_.neighbourhood->changes_by_step();
  for (int i = 0; i < (changes ? 2 : 1); ++i) batches_.emplace_back(source_);
  now_.best_validation = kNan;
  const TrainingSet held = make_training_set(data, validation_rows, scaler);
  validation_ = shared != nullptr ? prepare_own(held, validation_rows) : prepare(held);
}

// Prepared once, as the rows and their neighbours stay the same: some tens of MB. In parts, so that
// a look takes little work memory.
Trainer::PreparedRows Trainer::prepare(const TrainingSet& rows) {
  PreparedRows prepared;
  const std::int64_t all = rows.points.size();
  const std::int64_t chunk = inference_.chunk(all);
  for (std::int64_t first = 0; first < all; first += chunk) {
    const std::int64_t count = std::min(chunk, all - first);
    const auto points = Span(rows.points).subspan(first, count);
    const Mat<const float> features = rows.feature_matrix().block(first, count);
    inference_.prepare(points, features, *scratch_, prepared.parts.emplace_back());
  }
  prepared.target = rows.labels;
  prepared.weight = rows.weight;
  prepared.output.resize(all * network_.head().outputs());
  return prepared;
}

// The same for rows of the set itself, which have these numbers in it.
Trainer::PreparedRows Trainer::prepare_own(const TrainingSet& rows,
                                           Span<const std::int64_t> numbers) {
  PreparedRows prepared{.parts = {}, .target = rows.labels, .weight = rows.weight, .output = {}};
  const std::int64_t all = numbers.size();
  const std::int64_t chunk = inference_.neighbourhood()->most_own(all);
  for (std::int64_t first = 0; first < all; first += chunk) {
    const auto some = numbers.subspan(first, std::min(chunk, all - first));
    inference_.prepare_own(Array<std::int32_t>(some.begin(), some.end()), *scratch_,
                           prepared.parts.emplace_back());
  }
  prepared.output.resize(all * network_.head().outputs());
  return prepared;
}

void Trainer::watch(const Dataset& rows, const Scaler& scaler) {
  watched_ = prepare(make_training_set(rows, all_rows(rows.rows()), scaler));
  watched_.weight.clear();
}

// Samples a batch, builds its graph, computes Moran's I of its outcomes on that graph, unless that
// was done ahead.
Batch& Trainer::batch_of(std::int64_t number) {
  const auto place = number % batches_.size();
  if (prepared_[place] != number) {
    prepared_[place] = -1;  // should it fail
    Span<const std::int32_t> rows = order_.rows_of(number);
    if (!learned_from_.empty()) {
      drawn_.resize(rows.size());
      std::transform(rows.begin(), rows.end(), drawn_.begin(),
                     [&](std::int32_t row) { return learned_from_[row]; });
      rows = drawn_;
    }
    batches_[place].assemble(rows, number, network_.encoder());
    prepared_[place] = number;
  }
  return batches_[place];
}

StepLosses Trainer::step(std::int64_t number) {
  const Batch& batch = batch_of(number);
  // Beside this step the next batch is made ready. A full one stays as it is.
  const auto prepare_next = [&] { batch_of(number + 1); };
  ThreadPool::BackgroundTask next(backend_.pool);
  if (batches_.size() > 1) next.start(prepare_next);
  // Predict outcome and Moran's I, compute the loss and its gradient.
  gradients_.fill(0);
  const Pass<float> pass{.kernels = backend_.kernels,
                         .schedule = schedule_,
                         .work = network_.work(),
                         .parameters = parameters_.data(),
                         .gradients = gradients_.data(),
                         .training = true,
                         .seed = static_cast<std::uint64_t>(options_.seed),
                         .step = static_cast<std::uint64_t>(number)};
  const StepLosses losses = network_.step(pass, batch.input(), batch.target());
  // Update the parameters of encoder, backbone and heads.
  if (options_.clip > 0) backend_.kernels.clip(backend_.pool, options_.clip, gradients_.span());
  adam_.set_learning_rate(learning_rate(number));
  adam_.step(gradients_.span(), parameters_.span());
  if (averaged_.size() > 0) average_parameters();
  next.wait();
  return losses;
}

double Trainer::learning_rate(std::int64_t step) const {
  if (options_.schedule != "one-cycle") return options_.learning_rate;
  const double done = static_cast<double>(step) / static_cast<double>(options_.steps);
  const auto half_wave = [](double part) { return 0.5 - 0.5 * std::cos(std::numbers::pi * part); };
  if (done < kRise) {
    return options_.learning_rate * (kStartingPart + (1 - kStartingPart) * half_wave(done / kRise));
  }
  return options_.learning_rate * (1 - half_wave((done - kRise) / (1 - kRise)));
}

// The first steps count less: the average would remember where training began.
void Trainer::average_parameters() {
  const auto taken = static_cast<double>(adam_.steps());
  const double kept = std::min(options_.averaging, (1 + taken) / (10 + taken));
  backend_.kernels.average(backend_.pool, kept, parameters_.span(), averaged_.span());
}

Span<const float> Trainer::weights() const {
  return averaged_.size() > 0 ? averaged_.span() : parameters_.span();
}

Array<float> Trainer::predict_validation() {
  validate();
  const std::int64_t rows = validation_.target.size(), outputs = network_.head().outputs();
  const std::int64_t columns = std::ssize(inference_.columns());
  Array<float> answers(rows * columns), mean(rows);
  network_.head().answer({validation_.output.data(), rows, outputs},
                         {answers.data(), rows, columns});
  for (std::int64_t i = 0; i < rows; ++i) mean[i] = answers[i * columns];
  return mean;
}

double Trainer::validate() { return loss_on(validation_); }

double Trainer::loss_on(PreparedRows& rows) {
  const std::int64_t outputs = network_.head().outputs();
  const Mat<float> out(rows.output.data(), std::ssize(rows.target), outputs);
  std::int64_t first = 0;
  for (const Prepared& part : rows.parts) {
    const Mat<const float> found = inference_.outputs(part, weights(), *scratch_);
    for (std::int64_t i = 0; i < found.rows; ++i) {
      std::copy_n(found.row(i), outputs, out.row(first + i));
    }
    first += found.rows;
  }
  return mean_loss<float>(network_.loss(), out, rows.target, rows.weight, 1.0, {});
}

bool Trainer::keep_going() const {
  const bool patient = options_.patience == 0 || now_.looks_without_gain < options_.patience;
  return now_.step < options_.steps && (patient || !validates());
}

void Trainer::look_at_validation() {
  if (!validates()) return;
  const double validation = validate();
  now_.curve.back().validation = validation;
  if (!std::isfinite(validation)) return;
  if (std::isnan(now_.best_validation) || validation < now_.best_validation) {
    now_.best_validation = validation;
    now_.best_step = now_.step;
    now_.best_parameters.assign(weights().begin(), weights().end());
    now_.looks_without_gain = 0;
  } else {
    ++now_.looks_without_gain;
  }
}

void Trainer::report(const RunSettings& settings, const KeepState& keep, double seconds) {
  const double n = std::max(1.0, static_cast<double>(now_.summed));
  TrainProgress p{.step = now_.step,
                  .steps = options_.steps,
                  .loss = now_.sums[0] / n,
                  .main = now_.sums[1] / n,
                  .auxiliary = network_.auxiliary() ? now_.sums[2] / n : kNan,
                  .seconds = seconds,
                  .measured = true};
  if (network_.task_weights().learned()) {
    const Pass<float> pass{.kernels = backend_.kernels,
                           .schedule = schedule_,
                           .work = network_.work(),
                           .parameters = parameters_.data()};
    p.sigma_main = network_.task_weights().deviation(pass, 0);
    p.sigma_auxiliary = network_.task_weights().deviation(pass, 1);
  }
  now_.curve.push_back(p);
  for (double& sum : now_.sums) sum = 0;
  now_.summed = 0;
  look_at_validation();
  if (validates() && !std::isfinite(now_.curve.back().validation)) {
    give_up(keep, now_.step, "loss of the rows held back is no longer a number");
  }
  remember(keep);
  if (!watched_.parts.empty()) now_.curve.back().watched = loss_on(watched_);
  if (settings.progress) settings.progress(now_.curve.back());
}

void Trainer::copy_weights(TrainState& out) {
  out.parameters.assign(parameters_.span().begin(), parameters_.span().end());
  out.first_moment.assign(adam_.first_moment().begin(), adam_.first_moment().end());
  out.second_moment.assign(adam_.second_moment().begin(), adam_.second_moment().end());
  out.averaged.assign(averaged_.span().begin(), averaged_.span().end());
}

void Trainer::store(const KeepState& keep) {
  if (!keep) return;
  if (!sound()) give_up(keep, now_.step, "weights are no longer numbers");
  copy_weights(now_);
  if (now_.best_parameters.empty()) now_.best_parameters = now_.parameters;
  keep(now_, false);
  remember(keep);
}

bool Trainer::sound() {
  const auto finite = [&](Span<const float> values) {
    return backend_.kernels.all_finite(backend_.pool, values);
  };
  return finite(parameters_.span()) && finite(adam_.first_moment()) &&
         finite(adam_.second_moment()) && finite(averaged_.span());
}

void Trainer::remember(const KeepState& keep) {
  if (!keep || !sound()) return;
  good_.step = now_.step;
  good_.looks_without_gain = now_.looks_without_gain;
  good_.best_step = now_.best_step;
  good_.best_validation = now_.best_validation;
  good_.best_parameters = now_.best_parameters;
  std::copy_n(now_.sums, 3, good_.sums);
  good_.summed = now_.summed;
  good_curve_ = now_.curve.size();
  copy_weights(good_);
}

void Trainer::give_up(const KeepState& keep, std::int64_t step, const char* what) {
  const std::string fault =
      fmt::format("step {}: the {} at learning rate {}; ", step, what,
                  format_short(learning_rate(std::max<std::int64_t>(0, step - 1))));
  if (good_.step == 0) {
    throw Error(
        ErrorKind::failure,
        fmt::format("{}try a smaller <option:learning-rate> than {}, or <option:scaling> minmax",
                    fault, format_short(options_.learning_rate)));
  }
  now_.curve.resize(good_curve_);
  good_.curve = std::move(now_.curve);
  if (good_.best_parameters.empty()) good_.best_parameters = good_.parameters;
  keep(good_, true);
  throw Error(ErrorKind::failure,
              fmt::format("{}the weights of step {} are kept: continue from them with "
                          "<option:resume> and a smaller <option:learning-rate> than {}",
                          fault, good_.step, format_short(options_.learning_rate)));
}

void Trainer::restore(TrainState loaded, const std::filesystem::path& file) {
  if (std::ssize(loaded.parameters) != parameters_.size() ||
      std::ssize(loaded.averaged) != averaged_.size()) {
    throw Error(ErrorKind::model,
                fmt::format("{}: the weights are not those of this network", file.string()));
  }
  if (loaded.step > options_.steps) {
    throw Error(ErrorKind::usage, fmt::format("'{}' is at step {} already; give <option:steps> {} "
                                              "or more, or start anew with <option:overwrite>",
                                              file.string(), loaded.step, loaded.step));
  }
  std::copy(loaded.parameters.begin(), loaded.parameters.end(), parameters_.data());
  std::copy(loaded.averaged.begin(), loaded.averaged.end(), averaged_.data());
  std::copy(loaded.first_moment.begin(), loaded.first_moment.end(), adam_.first_moment().begin());
  std::copy(loaded.second_moment.begin(), loaded.second_moment.end(),
            adam_.second_moment().begin());
  adam_.set_steps(loaded.step);
  good_ = loaded;
  good_curve_ = loaded.curve.size();
  now_ = std::move(loaded);
}

TrainedNetwork Trainer::finished() {
  TrainedNetwork run{.parameters = {parameters_.span().begin(), parameters_.span().end()},
                     .held = {},
                     .steps = now_.step,
                     .best_step = now_.best_step,
                     .best_validation = now_.best_validation,
                     .curve = now_.curve,
                     .work_bytes = work_bytes()};
  if (!validates()) return run;
  run.held.predicted = predict_validation();
  for (const Prepared& part : validation_.parts) {
    const NeighbourhoodView& view = part.view;
    if (view.smooth.empty()) continue;
    run.held.smooth.insert(run.held.smooth.end(), view.smooth.begin(), view.smooth.end());
    run.held.gaps.insert(run.held.gaps.end(), view.gaps.begin(), view.gaps.end());
  }
  return run;
}

void Trainer::run(const RunSettings& settings, const KeepState& keep) {
  const double before = now_.curve.empty() ? 0.0 : now_.curve.back().seconds;
  const auto start = std::chrono::steady_clock::now();
  double last_word = 0;
  // Where training starts from something good, that may be the best there is.
  const BackboneEntry& backbone = find_part(backbones(), "backbone", options_.backbone);
  if (backbone.starts_well && now_.step == 0) report(settings, keep, before);
  while (keep_going()) {
    const StepLosses losses = step(now_.step);
    if (!std::isfinite(losses.total)) {
      give_up(keep, now_.step + 1, "loss is no longer a number");
    }
    ++now_.step;
    now_.sums[0] += losses.total;
    now_.sums[1] += losses.main;
    now_.sums[2] += losses.auxiliary;
    ++now_.summed;

    const double seconds = before + seconds_since(start);
    const bool look = now_.step % options_.evaluate_every == 0 || now_.step == options_.steps;
    if (look) {
      report(settings, keep, seconds);
      last_word = seconds;
    } else if (settings.progress && seconds - last_word > kProgressInterval) {
      settings.progress({.step = now_.step,
                         .steps = options_.steps,
                         .loss = losses.total,
                         .main = losses.main,
                         .auxiliary = losses.auxiliary,
                         .seconds = seconds});
      last_word = seconds;
    }
    if (settings.snapshot_every > 0 && now_.step % settings.snapshot_every == 0) store(keep);
    if (settings.stopped()) {
      store(keep);
      throw Error(ErrorKind::interrupted,
                  fmt::format("stopped after step {}{}", now_.step, keep ? kHowToContinue : ""));
    }
  }
  // A run resumed at its very last step has not looked there yet.
  if (now_.summed > 0) report(settings, keep, before + seconds_since(start));
  if (validates() && !now_.best_parameters.empty()) {
    std::copy(now_.best_parameters.begin(), now_.best_parameters.end(), parameters_.data());
  } else {
    now_.best_step = now_.step;
    std::copy(weights().begin(), weights().end(), parameters_.data());
  }
  std::copy_n(parameters_.data(), averaged_.size(), averaged_.data());
}

}  // namespace pegnn
