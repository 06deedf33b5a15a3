#pragma once
// Which rows are held out, in each fold and repeat.

#include <cstdint>
#include <string>
#include <vector>

#include "base/array.h"
#include "base/thread_pool.h"
#include "pegnn/evaluate.h"
#include "table/dataset.h"
#include "table/split.h"

namespace pegnn {

class Log;

// The rows of the table that can be used, with the features of `roles`. Where missing values are to
// be dropped, rows whose cell of the fold column is empty are too. Errors as in `make_dataset`;
// Error{usage} for a fold column that is among the features.
Dataset rows_to_split(const Table& table, const Roles& roles, const EvaluateSettings& settings,
                      Log& log);

class SplitPlan {
 public:
  // `data` are the rows of `table` to be split, with all features the table has, since the size of
  // blocks must not depend on which of them a model uses; both borrowed for the call, `roles` too.
  // Error{usage} for settings that contradict each other or the table, Error{data} for a test row
  // that was left out and for a row whose cell of the fold column is empty.
  SplitPlan(const Table& table, const Dataset& data, const Roles& roles,
            const EvaluateSettings& settings, std::int64_t seed, const RunSettings& run);

  const SchemeInfo& scheme() const { return scheme_; }
  std::int64_t folds() const { return folds_; }
  std::int64_t repeats() const { return repeats_; }
  std::int64_t seed() const { return seed_; }
  // Every repeat holds out other rows, or the same together with others. Else repeats tell of
  // training alone: of one random split, given test rows, and a fold for each value of a column.
  bool redrawn() const { return scheme_.redrawn; }

  // The folds of that repeat. Error{usage} where the buffer leaves too little to train on.
  Array<Split> splits(std::int64_t repeat) const;

 private:
  void take_fold_column(const Table& table, const Dataset& data);
  void take_blocks(const Dataset& data, const EvaluateSettings& settings, const RunSettings& run);
  void take_clusters(const EvaluateSettings& settings, const RunSettings& run);
  void check_buffer(const RunSettings& run) const;
  Array<std::int32_t> groups_of_repeat(std::int64_t repeat) const;
  Array<Split> drawn(std::int64_t repeat) const;
  void leave_out_near(Split& split, std::int64_t fold) const;

  SchemeInfo scheme_;
  std::int64_t rows_, folds_, repeats_, seed_;
  double test_share_;
  Space space_;  // the ground, whatever the graph's metric is
  int threads_;
  Array<Point> points_;            // of each row
  Array<std::int32_t> groups_;     // of each row: blocks of the first repeat, clusters, values
  Array<std::int64_t> test_rows_;  // of the data, where they are given
};

}  // namespace pegnn
