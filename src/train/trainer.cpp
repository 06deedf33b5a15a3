#include "train/trainer.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include <fmt/core.h>

#include "base/text.h"
#include "pegnn/error.h"
#include "pegnn/log.h"

namespace pegnn {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// The encoder's basis of all rows is kept while it takes no more than this; above, each batch
// computes its own.
constexpr std::int64_t kMaxBasisBytes = std::int64_t{512} << 20;

// How often the caller hears of a step that brings no new figures, in seconds.
constexpr double kProgressInterval = 0.1;

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

TrainingSet training_set(const Dataset& data, std::span<const std::int64_t> rows,
                         const Scaler& scaler, const Encoder<float>& encoder,
                         const ThreadPool& pool) {
  TrainingSet set = make_training_set(data, rows, scaler);
  keep_basis(encoder, pool, kMaxBasisBytes, set);
  return set;
}

}  // namespace

Trainer::Trainer(const Dataset& data, const Scaler& scaler, const Options& options,
                 std::span<const std::int64_t> train_rows,
                 std::span<const std::int64_t> validation_rows, const ThreadPool& pool)
    : options_(options),
      pool_(pool),
      network_(options, data.features()),
      schedule_(pool, Schedule::slabs_for(network_.gradient_bytes())),
      set_(training_set(data, train_rows, scaler, network_.encoder(), pool)),
      order_(set_.rows(), options.batch, static_cast<std::uint64_t>(options.seed)),
      batches_(1, Batch(set_, options, data.space,
                        {.messages = network_.hops() > 0,
                         .local = network_.local(),
                         .auxiliary = network_.auxiliary()},
                        order_.batch(), pool)),
      parameters_(network_.layout().size()),
      gradients_(network_.layout().size()),
      adam_({.learning_rate = options.learning_rate,
             .weight_decay = options.weight_decay,
             .decoupled = options.optimiser == "adamw"},
            network_.layout().size()),
      inference_(options, data.space, set_.training_points(), pool),
      loss_(find_loss<float>(options.loss)) {
  network_.initialise(static_cast<std::uint64_t>(options.seed), parameters_.span());
  network_.reserve(batches_[0].most_nodes(), batches_[0].most_edges(), true);
  if (order_.batch() < set_.rows()) batches_.push_back(batches_[0]);
  now_.best_validation = kNan;
  prepare_validation(make_training_set(data, validation_rows, scaler));
}

// Prepared once, as the rows held back and their neighbours stay the same: some tens of MB. In
// parts, so that a look takes little work memory.
void Trainer::prepare_validation(const TrainingSet& held) {
  const std::size_t rows = held.points.size();
  const std::size_t chunk = inference_.chunk(rows);
  for (std::size_t first = 0; first < rows; first += chunk) {
    const std::size_t count = std::min(chunk, rows - first);
    inference_.prepare(std::span(held.points).subspan(first, count),
                       held.feature_matrix().block(static_cast<std::int64_t>(first),
                                                   static_cast<std::int64_t>(count)),
                       validation_.emplace_back());
  }
  validation_target_ = held.labels;
  validation_output_.resize(rows);
}

// Samples a batch, builds its graph, computes Moran's I of its outcomes on that graph, unless that
// was done ahead.
Batch& Trainer::batch_of(std::int64_t number) {
  const auto place = static_cast<std::size_t>(number) % batches_.size();
  if (prepared_[place] != number) {
    prepared_[place] = -1;  // should it fail
    batches_[place].assemble(order_.rows_of(number), network_.encoder(), pool_);
    prepared_[place] = number;
  }
  return batches_[place];
}

StepLosses Trainer::step(std::int64_t number) {
  const Batch& batch = batch_of(number);
  // Beside this step the next batch is made ready. A full one stays as it is.
  const auto prepare_next = [&] { batch_of(number + 1); };
  ThreadPool::Aside next(pool_);
  if (batches_.size() > 1) next.start(prepare_next);
  // Predict outcome and Moran's I, compute the loss and its gradient.
  gradients_.fill(0);
  const Pass<float> pass{.kernels = best_kernels<float>(),
                         .schedule = schedule_,
                         .work = network_.work(),
                         .parameters = parameters_.data(),
                         .gradients = gradients_.data(),
                         .training = true,
                         .seed = static_cast<std::uint64_t>(options_.seed),
                         .step = static_cast<std::uint64_t>(number)};
  const StepLosses losses = network_.step(pass, batch.input(), batch.target());
  // Update the parameters of encoder, backbone and heads.
  adam_.step(pass.kernels, pool_, gradients_.span(), parameters_.span());
  next.wait();
  return losses;
}

std::span<const float> Trainer::predict_validation() {
  std::span<float> out(validation_output_);
  for (const Prepared& part : validation_) {
    const auto count = static_cast<std::size_t>(part.attached.queries);
    inference_.run(part, parameters_.span(), out.first(count));
    out = out.subspan(count);
  }
  return validation_output_;
}

double Trainer::validate() { return loss_(predict_validation(), validation_target_, 1.0, {}); }

bool Trainer::keep_going() const {
  const bool patient = options_.patience == 0 || now_.looks_without_gain < options_.patience;
  return now_.step < options_.steps && (patient || !validates());
}

void Trainer::look_at_validation() {
  if (!validates()) return;
  const double validation = validate();
  now_.curve.back().validation = validation;
  if (std::isnan(now_.best_validation) || validation < now_.best_validation) {
    now_.best_validation = validation;
    now_.best_step = now_.step;
    now_.best_parameters.assign(parameters_.span().begin(), parameters_.span().end());
    now_.looks_without_gain = 0;
  } else {
    ++now_.looks_without_gain;
  }
}

void Trainer::report(const RunSettings& settings, double seconds) {
  const double n = static_cast<double>(now_.summed);
  TrainProgress p{.step = now_.step,
                  .steps = options_.steps,
                  .loss = now_.sums[0] / n,
                  .main = now_.sums[1] / n,
                  .auxiliary = network_.auxiliary() ? now_.sums[2] / n : kNan,
                  .seconds = seconds,
                  .measured = true};
  if (network_.task_weights().learned()) {
    const Pass<float> pass{.kernels = best_kernels<float>(),
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
  if (settings.progress) settings.progress(now_.curve.back());
}

void Trainer::store(const RunSettings& settings) {
  if (settings.snapshot.empty()) return;
  now_.parameters.assign(parameters_.span().begin(), parameters_.span().end());
  now_.first_moment.assign(adam_.first_moment().begin(), adam_.first_moment().end());
  now_.second_moment.assign(adam_.second_moment().begin(), adam_.second_moment().end());
  if (now_.best_parameters.empty()) now_.best_parameters = now_.parameters;
  save_snapshot(now_, settings.snapshot);
}

void Trainer::restore(const RunSettings& settings, const std::string& fingerprint) {
  Snapshot loaded = load_snapshot(settings.snapshot, network_.layout().size());
  if (loaded.fingerprint != fingerprint) {
    throw Error(ErrorKind::usage,
                fmt::format("'{}' belongs to a run on other data or with other options; resume "
                            "with the same ones, or start anew with --overwrite",
                            settings.snapshot.string()));
  }
  if (loaded.step > options_.steps) {
    throw Error(
        ErrorKind::usage,
        fmt::format("'{}' is at step {} already; give --steps {} or more, or start anew with "
                    "--overwrite",
                    settings.snapshot.string(), loaded.step, loaded.step));
  }
  std::copy(loaded.parameters.begin(), loaded.parameters.end(), parameters_.data());
  std::copy(loaded.first_moment.begin(), loaded.first_moment.end(), adam_.first_moment().begin());
  std::copy(loaded.second_moment.begin(), loaded.second_moment.end(),
            adam_.second_moment().begin());
  adam_.set_steps(loaded.step);
  now_ = std::move(loaded);
}

void Trainer::run(const RunSettings& settings, const std::string& fingerprint) {
  now_.fingerprint = fingerprint;
  if (settings.resume) restore(settings, fingerprint);
  const double before = now_.curve.empty() ? 0.0 : now_.curve.back().seconds;
  const auto start = std::chrono::steady_clock::now();
  double last_word = 0;
  while (keep_going()) {
    const StepLosses losses = step(now_.step);
    if (!std::isfinite(losses.total)) {
      throw Error(ErrorKind::failure,
                  fmt::format("step {}: the loss is no longer a number; try a smaller "
                              "--learning-rate than {}, or --scaling minmax",
                              now_.step + 1, format_short(options_.learning_rate)));
    }
    ++now_.step;
    now_.sums[0] += losses.total;
    now_.sums[1] += losses.main;
    now_.sums[2] += losses.auxiliary;
    ++now_.summed;

    const double seconds = before + seconds_since(start);
    const bool look = now_.step % options_.evaluate_every == 0 || now_.step == options_.steps;
    if (look) {
      report(settings, seconds);
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
    if (settings.snapshot_every > 0 && now_.step % settings.snapshot_every == 0) store(settings);
    if (settings.stop && settings.stop()) {
      store(settings);
      throw Error(
          ErrorKind::interrupted,
          fmt::format("stopped after step {}{}", now_.step,
                      settings.snapshot.empty() ? std::string()
                                                : "; continue with the same command and --resume"));
    }
  }
  // A run resumed at its very last step has not looked there yet.
  if (now_.summed > 0) report(settings, before + seconds_since(start));
  if (validates() && !now_.best_parameters.empty()) {
    std::copy(now_.best_parameters.begin(), now_.best_parameters.end(), parameters_.data());
  } else {
    now_.best_step = now_.step;
  }
}

}  // namespace pegnn
