#pragma once
// Algorithm 1 of the paper, with early stopping and snapshots.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/array.h"
#include "model/inference.h"
#include "model/network.h"
#include "model/state.h"
#include "nn/optimiser.h"
#include "pegnn/run.h"
#include "table/dataset.h"
#include "train/batch.h"
#include "train/batch_order.h"
#include "train/train_state.h"

namespace pegnn {

// Takes the state of a run to where it is kept; with `diverged`, that at its last finite losses.
using KeepState = std::function<void(const TrainState& state, bool diverged)>;

// Ends the message of a run that was stopped and whose state is kept.
inline constexpr const char* kHowToContinue =
    "; continue with the same command and <option:resume>";

// One training run over the rows of a data set. `options` are resolved.
class Trainer {
 public:
  // `validation` holds the rows used only to decide when to stop; the rest is trained on. `labels`
  // is what is known of the rows already, for networks that listen to labels. With `shared`, made
  // from all rows of the data by `LazyRows`, the network listens to all of them.
  Trainer(const Dataset& data, const Scaler& scaler, const Options& options,
          Span<const std::int64_t> train_rows, Span<const std::int64_t> validation_rows,
          const LabelModel& labels, const Backend<float>& backend,
          std::shared_ptr<const CommonRows> shared = nullptr);

  // Goes on from where another run stood. Error{model} when it was one of another network,
  // Error{usage} when it has taken more steps already.
  void restore(TrainState state, const std::filesystem::path& file);

  // The loss on these rows, scaled by `scaler`, is measured with every report; it decides nothing,
  // and all of them count alike.
  void watch(const Dataset& rows, const Scaler& scaler);

  // Runs to the last step or until validation stops getting better; leaves the best parameters.
  // With `keep`, its state is kept every so many steps and when it is stopped. Error{failure} as
  // soon as a loss is no longer a number; kept is then the last look at which all weights and
  // losses were finite.
  void run(const RunSettings& settings, const KeepState& keep);

  // One step of Algorithm 1; steps count from 0.
  StepLosses step(std::int64_t number);

  // Predicted means of the validation rows with the current parameters, in scaled units.
  Array<float> predict_validation();
  // Main loss on them: the mean, by the weights of the rows where there are such.
  double validate();

  Span<const float> parameters() const { return parameters_.span(); }
  const TrainState& progress() const { return now_; }
  std::int64_t work_bytes() const { return network_.work_bytes() + schedule_.bytes(); }
  // What is left of it when it has run.
  TrainedNetwork finished();

 private:
  Batch& batch_of(std::int64_t number);
  void report(const RunSettings& settings, const KeepState& keep, double seconds);
  // Rows that are predicted again and again, in parts of bounded size.
  struct PreparedRows {
    Array<Prepared> parts;
    Array<float> target, weight, output;  // of the head: rows x outputs
  };
  PreparedRows prepare(const TrainingSet& rows);
  PreparedRows prepare_own(const TrainingSet& rows, Span<const std::int64_t> numbers);
  double loss_on(PreparedRows& rows);
  void look_at_validation();
  void store(const KeepState& keep);
  void copy_weights(TrainState& out);
  // Whether all weights and moments are finite; if so, and where states are kept, `remember` makes
  // them what to go back to.
  bool sound();
  void remember(const KeepState& keep);
  // `step` is the one whose `what` is no longer a number: back to what was remembered.
  [[noreturn]] void give_up(const KeepState& keep, std::int64_t step, const char* what);
  bool keep_going() const;
  double learning_rate(std::int64_t step) const;
  void average_parameters();
  // The weights that predict: the averaged ones, where there are such.
  Span<const float> weights() const;
  bool validates() const { return !validation_.parts.empty(); }

  Options options_;
  Backend<float> backend_;
  Network<float> network_;
  Schedule schedule_;
  std::shared_ptr<const CommonRows> rows_;
  const TrainingSet& set_;
  KeptBasis basis_;
  Inference inference_;
  std::unique_ptr<Inference::Scratch> scratch_;
  Array<std::int32_t> learned_from_;  // rows of the set; empty: all of them
  BatchOrder order_;
  Array<std::int32_t> drawn_;
  BatchSource source_;
  // The batch of this step and, but for a full one, that of the next; and which steps they are for.
  Array<Batch> batches_;
  std::int64_t prepared_[2] = {-1, -1};
  Buffer<float> parameters_, gradients_, averaged_;
  Adam<float> adam_;
  PreparedRows validation_, watched_;
  // What a run that diverges falls back to: the state at the last finite losses, without its curve,
  // which is cut to `good_curve_` entries.
  TrainState good_;
  std::size_t good_curve_ = 0;
  TrainState now_;  // where the run stands; parameters and moments are filled in when it is stored
};

}  // namespace pegnn
