#pragma once
// Trains models on one table's folds and scores them on the rows held out.

#include <cstdint>
#include <string>
#include <vector>

#include "base/array.h"
#include "evaluate/repeats.h"
#include "evaluate/splits.h"
#include "pegnn/evaluate.h"
#include "table/dataset.h"
#include "table/scaler.h"

namespace pegnn {

class Log;

// What the league needs beyond the figures of one model.
struct Score {
  Evaluation evaluation;
  // Squared errors by row of the data, each weighted so that they add up to the mean squared error
  // of the folds of all repeats; rows never held out are 0.
  Array<double> loss;
  Array<double> blocks;  // the same of each repeat, by repeat and block (Repeats)
};

class Scorer {
 public:
  // Reads the rows once for all `models` to come, draws the folds and looks for leaks.
  Scorer(const Table& table, const Roles& roles, Span<const CompareEntry> models,
         const EvaluateSettings& settings, const RunSettings& run);

  // Errors as in `train`. Where it stands goes to `log`, after the words of `place`: "model 2 of
  // 9, knn"; may be empty.
  Score score(const CompareEntry& model, const std::string& place, Log& log,
              const RunSettings& run) const;

  const Dataset& data() const { return data_; }
  const SplitPlan& plan() const { return plan_; }
  const Repeats& repeats() const { return repeats_; }
  const std::vector<std::string>& warnings() const { return warnings_; }
  Space ground() const { return roles_.geographic ? Space::sphere : Space::plane; }

 private:
  struct Trained;

  Trained train_and_predict(const Split& split, const Roles& roles, const Options& options,
                            const Scaler* over_all, const RunSettings& run) const;
  Dataset part(Span<const std::int64_t> rows, const Roles& roles, const Options& options) const;
  void tell(const std::string& place, std::int64_t repeat, std::int64_t fold, Log& log) const;
  void add(const Split& split, const Trained& trained, Score& score) const;
  void finish(Score& score, int threads) const;

  Roles roles_;
  Dataset data_;
  std::int64_t table_rows_;
  SplitPlan plan_;
  Repeats repeats_;
  std::vector<std::string> warnings_;
  double lo_ = 0, hi_ = 0;  // range of the target
  bool watch_, scores_;
};

}  // namespace pegnn
