#pragma once
// Baselines: models without a network, learned and asked through one interface.

#include <cstdint>
#include <memory>
#include <string>

#include "base/array.h"
#include "base/matrix.h"
#include "base/part.h"
#include "base/thread_pool.h"
#include "baseline/arrays.h"
#include "baseline/progress.h"
#include "pegnn/geo.h"
#include "pegnn/options.h"
#include "table/scaler.h"

namespace pegnn {

// Rows of a table, borrowed: places, features and target, the last two scaled, and weights.
struct BaselineRows {
  Span<const Point> points;
  Mat<const double> features;      // rows x features
  Span<const double> target = {};  // empty where it is asked for
  Span<const double> weight = {};  // positive, 1 on average; empty: all rows count alike

  std::int64_t rows() const { return std::ssize(points); }
};

// What a baseline is made with. `options` are resolved by its entry.
struct BaselineSpec {
  Options options;
  Space space = Space::sphere;
  std::int64_t features = 0;
  TargetScaler target;  // how the target was scaled, for parameters given or told in its units
  double metres_per_unit = 0;  // of distances in a plane, to tell them by; 0: not known

  double metres() const { return space == Space::sphere ? 1 : metres_per_unit; }
};

// Made, then fitted or restored, then asked. Works in scaled units. Fitting and restoring are for
// one caller; asking is const, and any number of callers may do it at the same time. Results do not
// depend on the number of threads, and a prediction depends on its own row alone.
class Baseline {
 public:
  virtual ~Baseline() = default;

  // Learns from at least two rows. `held` are rows kept back to decide when to stop: empty unless
  // the entry asks for them.
  virtual void fit(const BaselineRows& rows, const BaselineRows& held, const ThreadPool& pool,
                   FitProgress& progress) = 0;

  // Everything a prediction needs, and back; `restore` throws Error{model} for arrays that do not
  // fit each other or the spec.
  virtual void store(Arrays& arrays) const = 0;
  virtual void restore(const ArrayReader& arrays, const ThreadPool& pool) = 0;

  // One mean per query, and the standard deviation of an observation there unless `deviation` is
  // empty, which it is for entries that give none.
  virtual void predict(const BaselineRows& queries, const ThreadPool& pool, Span<double> mean,
                       Span<double> deviation) const = 0;

  // Predictions of rows it was fitted on (numbers of `fit`'s rows), each left out of what it is
  // predicted from; the parameters stay. Called after `fit`, for entries with `leaves_out`.
  virtual void predict_left_out(Span<const std::int64_t> rows, const ThreadPool& pool,
                                Span<double> mean) const;

  // The same parameters (length scales, variances, inducing points), told of other rows: what it
  // would predict had it learned these and met the others never. Costs a fraction of learning. Null
  // where parameters and rows cannot be told apart: such a model is to be fitted anew.
  virtual std::unique_ptr<Baseline> conditioned_on(const BaselineRows& rows,
                                                   const ThreadPool& pool) const;

  // What was learned, in one line: "range 83 km, sill 0.91, nugget 0.12". May be empty.
  virtual std::string summary() const { return {}; }
};

struct BaselineEntry {
  PartInfo info;
  bool uses_features = true;  // else it sees places and labels alone
  bool gives_deviation = false;
  bool leaves_out = false;   // predict_left_out is there
  bool holds_back = false;   // --validation applies
  bool weighs_rows = false;  // else `fit` is given no weights
  int format = 1;  // number of the first model format that holds its arrays as they are now
  // Whether this build can fit it; null: always. Where it cannot, fit is Error{usage}.
  bool (*available)() = nullptr;
  // Fills in what was left to the method (--k 0, --kernel auto, ...) for that many rows.
  void (*resolve)(Options& options, std::int64_t rows) = nullptr;
  std::unique_ptr<Baseline> (*make)(const BaselineSpec& spec) = nullptr;
};

Span<const BaselineEntry* const> baselines();

// The entry that `--model NAME` asks for; null for the name of a network.
const BaselineEntry* find_baseline(const std::string& model);

// `k` where it was left at 0 becomes `own`; never more than the other rows there are.
void resolve_k(Options& options, std::int64_t own, std::int64_t rows);

}  // namespace pegnn
