#pragma once
// Gradient-boosted regression trees: the one door to the tree library (XGBoost), which a build may
// lack.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/matrix.h"
#include "baseline/arrays.h"
#include "baseline/progress.h"

namespace pegnn {

// False in a build without the library: `fit` and `restore` then throw Error{usage}.
bool trees_available();

// Numbers to learn from and what they should become: finite, of the order of 1.
struct TreeRows {
  Mat<const float> inputs;  // rows x columns
  std::span<const float> target;
  std::span<const float> weight = {};  // of the rows, 1 on average; empty: all alike
};

struct TreeSettings {
  std::int64_t rounds = 2000;  // trees at most
  std::int64_t leaves = 31;    // of a tree, at most
  double rate = 0.05;          // share of a tree's answer that is taken
  double unit = 1;             // of the target, for errors that are told
};

// A sum of trees, each grown on what the sum of those before it leaves unexplained (squared error):
//
//   f_m(x) = f_(m-1)(x) + rate * tree_m(x)
//
// Nothing is random. The library learns on one thread: its own threads wait for each other by
// spinning at every step of a tree, which gained nothing on 15,000 rows and two idle cores and took
// twenty times as long once the cores had other work. The order of the rows may show in the trees,
// in the last digits, or where a column has more distinct values than bins (256).
class Trees {
 public:
  Trees();
  Trees(Trees&&) noexcept;
  Trees& operator=(Trees&&) noexcept;
  ~Trees();

  // Learns until the error on `held` has not fallen for a while, and keeps the trees up to its
  // lowest. Without held rows the number of trees is fixed: enough for the rate, not more.
  void fit(const TreeRows& rows, const TreeRows& held, const TreeSettings& settings,
           FitProgress& progress);

  // As the array "trees"; `restore` throws Error{model} for bytes that are damaged, by accident or
  // on purpose, or were learned from another number of columns.
  void store(Arrays& arrays) const;
  void restore(const ArrayReader& arrays, std::int64_t columns);

  // One number per row of `inputs`, which has the columns it was fitted with. Any number of threads
  // may ask at once (XGBoost's documentation, "Prediction", since release 1.4).
  void predict(Mat<const float> inputs, std::span<float> out) const;

  std::int64_t size() const;  // trees kept

 private:
  class Booster;
  void load(std::vector<std::uint8_t> bytes);

  std::vector<std::uint8_t> bytes_;  // the library's own format
  std::unique_ptr<Booster> booster_;
};

}  // namespace pegnn
