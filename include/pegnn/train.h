#pragma once
// Training: a table becomes a model.

#include <cstdint>
#include <vector>

#include "pegnn/model.h"

namespace pegnn {

struct TrainResult {
  Model model;
  std::vector<TrainProgress> curve;  // one entry per measurement
  // Table rows held back for early stopping (training rows when there are none), where they lie,
  // what was observed there and what the kept weights predict.
  std::vector<std::int64_t> shown_rows;
  std::vector<Point> points;
  std::vector<double> observed, predicted;
  bool shown_are_validation = false;
  double seconds = 0;
};

// Learns `roles.target` from the table (Algorithm 1 of the paper). Error{data} for a table that
// cannot be used, Error{usage} for options that contradict each other, Error{failure} when a loss
// is no longer a number, Error{interrupted} when `run.stop` said so (a snapshot is then kept).
TrainResult train(const Table& table, const Roles& roles, const Options& options, bool drop_missing,
                  const RunSettings& run);

// The options of a preset: default, paper or reference.
Options preset(const std::string& name);

}  // namespace pegnn
