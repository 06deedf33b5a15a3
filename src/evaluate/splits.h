#pragma once
// Which rows are held out, in each fold and repeat.

#include <cstdint>
#include <string>
#include <vector>

#include "base/array.h"
#include "pegnn/evaluate.h"
#include "table/dataset.h"
#include "table/split.h"

namespace pegnn {

class SplitPlan {
 public:
  // `data` are the rows to be split, with all features the table has, since the size of blocks must
  // not depend on which of them a model uses; borrowed for the call. Error{usage} for settings that
  // contradict each other or the table, Error{data} for a test row that was left out.
  SplitPlan(const Dataset& data, bool geographic, const EvaluateSettings& settings,
            std::int64_t seed, const RunSettings& run);

  const std::string& scheme() const { return scheme_; }
  double block_size() const { return block_size_; }  // 0 without blocks
  std::int64_t folds() const { return folds_; }
  std::int64_t repeats() const { return repeats_; }
  std::int64_t seed() const { return seed_; }
  // Folds are drawn anew for every repeat; one split stays, so that repeats tell of training alone.
  bool redrawn() const { return folds_ > 1; }

  // The folds of that repeat.
  Array<Split> splits(std::int64_t repeat) const;

 private:
  std::string scheme_;
  std::int64_t rows_, folds_, repeats_, seed_;
  double test_share_, block_size_ = 0;
  Array<std::int32_t> blocks_;     // of each row, for spatial blocks
  Array<std::int64_t> test_rows_;  // of the data, where they are given
};

}  // namespace pegnn
