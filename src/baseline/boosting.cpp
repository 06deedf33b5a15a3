// Boosted trees on coordinates and features.
//
//   y(c, x) = mean + sum_m rate * tree_m(c, x)

#include "baseline/boosted.h"
#include "baseline/tree_learner.h"

namespace pegnn {

extern constinit const BaselineEntry boosting_baseline{
    .info = {.name = "boosting",
             .summary = "Gradient-boosted trees on coordinates and features.",
             .source = "Chen and Guestrin, KDD 2016 (XGBoost); Friedman, Ann. Stat. 29, 2001"},
    .holds_back = true,
    .weighs_rows = true,
    .format = 2,  // before, XGBoost's own bytes
    .available = can_learn_trees,
    .resolve = [](Options&, std::int64_t) {},
    .make = [](const BaselineSpec& spec) -> std::unique_ptr<Baseline> {
      return std::make_unique<Boosted>(spec);
    }};

}  // namespace pegnn
