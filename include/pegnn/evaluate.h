#pragma once
// Honest evaluation: train on some rows, score on others.

#include <cstdint>
#include <string>
#include <vector>

#include "pegnn/options.h"
#include "pegnn/run.h"
#include "pegnn/stats.h"
#include "pegnn/table.h"

namespace pegnn {

struct EvaluateSettings {
  std::string scheme = "random";        // random, or block: whole spatial blocks are held out
  std::int64_t folds = 5;               // 1: one split, `test_share` of the rows held out
  double test_share = 0.2;              // for one split
  double block_size = 0;                // metres or coordinate units; 0: chosen from the extent
  std::vector<std::int64_t> test_rows;  // 0-based table rows; not empty: this one split
  bool drop_missing = false;
};

struct FoldScore {
  Metrics metrics;
  std::int64_t train_rows = 0, test_rows = 0;
  double seconds = 0;
};

struct Evaluation {
  std::string model;   // "pe-gcn", "gcn", ...
  std::string scheme;  // "random", "block", "test-rows"
  double block_size = 0;
  std::vector<FoldScore> folds;
  Metrics mean;  // of the folds
  Metrics sd;    // their standard deviation; 0 for one fold
  double seconds = 0;
  // Per table row; NaN for rows that were never held out.
  std::vector<double> predicted;
};

// The name of the model that the options describe: the baseline's, or the network's: its backbone,
// with "pe-" before it when there is an encoder.
std::string model_name(const Options& options);

// Trains and scores once per fold; the folds depend on the seed alone, so that models can be
// compared on the same ones. The target's range for the min-max metrics is that of all rows.
// Errors as in `train`; Error{usage} for settings that contradict each other or the table.
Evaluation evaluate(const Table& table, const Roles& roles, const Options& options,
                    const EvaluateSettings& settings, const RunSettings& run);

}  // namespace pegnn
