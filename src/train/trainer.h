#pragma once
// Algorithm 1 of the paper, with early stopping and snapshots.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "model/inference.h"
#include "model/network.h"
#include "model/state.h"
#include "nn/optimiser.h"
#include "pegnn/run.h"
#include "table/dataset.h"
#include "train/batch.h"
#include "train/batch_order.h"
#include "train/snapshot.h"

namespace pegnn {

// One training run over the rows of a data set. `options` are resolved.
class Trainer {
 public:
  // `validation` holds the rows used only to decide when to stop; the rest is trained on.
  Trainer(const Dataset& data, const Scaler& scaler, const Options& options,
          std::span<const std::int64_t> train_rows, std::span<const std::int64_t> validation_rows,
          const ThreadPool& pool);

  // Runs to the last step or until validation stops getting better; leaves the best parameters.
  void run(const RunSettings& settings, const std::string& fingerprint);

  // One step of Algorithm 1; steps count from 0.
  StepLosses step(std::int64_t number);

  // Main loss on the validation rows with the current parameters, in scaled units.
  double validate();

  std::span<const float> parameters() const { return parameters_.span(); }
  const TrainingSet& set() const { return set_; }
  const Snapshot& progress() const { return now_; }
  std::int64_t work_bytes() const { return network_.work_bytes(); }
  // Whether prediction needs the labels of the training rows.
  bool reads_labels() const { return network_.local(); }

 private:
  void report(const RunSettings& settings, double seconds);
  void look_at_validation();
  void store(const RunSettings& settings);
  void restore(const RunSettings& settings, const std::string& fingerprint);
  bool keep_going() const;

  Options options_;
  const ThreadPool& pool_;
  Network<float> network_;
  TrainingSet set_;
  BatchOrder order_;
  Batch batch_;
  AlignedBuffer<float> parameters_, gradients_;
  Adam<float> adam_;
  // Validation; absent without such rows.
  std::unique_ptr<Inference> inference_;
  std::vector<Prepared> validation_;  // one, or on local graphs several of bounded size
  std::vector<float> validation_target_, validation_output_;
  LossFunction<float> loss_;
  Snapshot now_;  // where the run stands; parameters and moments are filled in when it is stored
};

}  // namespace pegnn
