#pragma once
// One training run behind the tables and figures: a model, trained and scored on a data set.

#include <cstdint>
#include <string>
#include <vector>

#include "paper/datasets.h"
#include "paper/published.h"
#include "pegnn/options.h"
#include "pegnn/run.h"

namespace pegnn {

// A data set with the rows that are held out.
struct PaperRows {
  PaperData data;
  std::vector<std::int64_t> test_rows;
  std::string hash;  // of its values and its split

  std::int64_t training_rows() const {
    return data.table.rows() - static_cast<std::int64_t>(test_rows.size());
  }
};
// With the published code's split.
PaperRows with_paper_split(PaperData data);

struct RunSpec {
  std::string name;     // how the paper calls the model: "PE-GCN λ=0.25"
  std::string dataset;  // "california-housing"
  Task task = Task::interpolation;
  Options options;
  bool keeps_predictions = false;
  // 0: on any number of threads, which changes nothing. Else its steps are timed: it runs by
  // itself, on so many.
  int timed_threads = 0;
};

// Two runs with the same key have the same outcome, but for the time they take and as long as one
// version trains alike.
std::string key_of(const RunSpec& spec, const PaperRows& rows);

struct RunResult {
  Errors errors;  // on the test rows
  double seconds = 0;
  // Of a network that is trained once: one entry per look, with the test error in `watched`.
  std::vector<TrainProgress> curve;
  std::vector<double> predicted;  // of the test rows, where they are kept
  std::string reason;             // why there are no errors

  // Seconds of one step, from the curve; NaN where it has fewer than two entries.
  double step_seconds() const;
};

// Errors as in `evaluate`.
RunResult train_and_score(const RunSpec& spec, const PaperRows& rows, const RunSettings& run);

// How long it takes on one thread, roughly: for the order of runs and the time left.
double expected_seconds(const RunSpec& spec, const PaperRows& rows);

}  // namespace pegnn
