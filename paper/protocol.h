#pragma once
// How every model of the tables and figures is trained.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "paper/training_run.h"

namespace pegnn {

// How much is to be done.
struct Effort {
  std::string preset = "reference";  // of the paper's models: reference or paper
  std::int64_t seeds = 1;            // training runs behind each number of the tables
  std::int64_t runs = 10;            // behind each bar of Figure 3
  std::int64_t steps = 0;            // of the paper's networks; 0: the protocol's number
  bool quick = false;                // far fewer steps, so that the whole takes minutes
  int threads = 1;                   // for the step times beside those of one thread
};

// A row of the tables: one of the paper's, or one of ours.
struct ModelRow {
  std::string name, model;  // "PE-GCN λ=0.25", "pe-gcn"
  double lambda = kNotThere;
  bool in_paper = true;
};

// Our baselines and the default model, which follow the paper's rows.
std::span<const ModelRow> further_rows();

// The run of that model with that seed. The paper's Gaussian processes have a Gaussian covariance,
// by which the published errors of the exact one can be matched.
RunSpec table_run(const ModelRow& model, const PaperRows& rows, Task task, std::int64_t seed,
                  const Effort& effort);

// Figure 4: the same with other neighbours and batches.
std::vector<std::int64_t> sensitivity_neighbours();
std::vector<std::int64_t> sensitivity_batches(const Effort& effort);
RunSpec sensitivity_run(const ModelRow& model, const PaperRows& rows, std::int64_t k,
                        std::int64_t batch, const Effort& effort);

// Figure 5: weights of the tasks learned.
RunSpec uncertainty_run(const PaperRows& rows, const Effort& effort);

// Steps on all training rows, on so many threads.
RunSpec timed_run(const PublishedStep& step, const PaperRows& rows, int threads,
                  const Effort& effort);

// Training runs behind a bar of Figure 3.
std::int64_t bar_runs(const Effort& effort);

}  // namespace pegnn
