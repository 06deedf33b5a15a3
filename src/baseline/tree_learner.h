#pragma once
// Gradient boosting: the one door to the tree library (XGBoost), which a build may lack.

#include <cstdint>
#include <span>

#include "base/matrix.h"
#include "baseline/progress.h"
#include "baseline/trees.h"

namespace pegnn {

// False in a build without the library: `learn_trees` then throws Error{usage}.
bool can_learn_trees();

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

// What the library itself answers with the trees that are kept: the oracle of Trees::predict.
struct TreeOracle {
  Mat<const float> inputs;  // finite
  std::span<float> answers;
};

// Learns a sum of trees, each grown on what the sum of those before it leaves unexplained (squared
// error), until the error on `held` has not fallen for a while, and returns the trees up to its
// lowest:
//
//   f_m(x) = f_(m-1)(x) + rate * tree_m(x)
//
// Without held rows the number of trees is fixed: enough for the rate, not more. Nothing is random.
// The library learns on one thread: its own threads wait for each other by spinning at every step
// of a tree, which gained nothing on 15,000 rows and two idle cores and took twenty times as long
// once the cores had other work. The order of the rows may show in the trees, in the last digits,
// or where a column has more distinct values than bins (256).
Trees learn_trees(const TreeRows& rows, const TreeRows& held, const TreeSettings& settings,
                  FitProgress& progress, const TreeOracle* oracle = nullptr);

}  // namespace pegnn
