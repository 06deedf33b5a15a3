// make_folds: the rows that an evaluation holds out together, without the evaluation.

#include <algorithm>

#include "base/array.h"
#include "evaluate/splits.h"
#include "pegnn/evaluate.h"
#include "pegnn/log.h"
#include "table/dataset.h"

namespace pegnn {

Folds make_folds(const Table& table, const Roles& roles, const EvaluateSettings& settings,
                 const RunSettings& run) {
  Log& log = run.logger();
  const Dataset data = rows_to_split(table, roles, settings, log);
  const SplitPlan plan(table, data, roles, settings, std::max<std::int64_t>(0, settings.split_seed),
                       run);
  Folds found{.fold = Array<std::int64_t>(table.rows(), -1),
              .folds = plan.folds(),
              .scheme = plan.scheme()};
  std::int64_t number = 0;
  for (const Split& split : plan.splits(0)) {
    for (const std::int64_t row : split.test) {
      const std::int64_t table_row = data.table_rows[row];
      Span(found.fold)[table_row] = number;
    }
    ++number;
  }
  return found;
}

}  // namespace pegnn
