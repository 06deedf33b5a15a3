#include "flow/scheme.h"

#include <fmt/core.h>

#include "base/text.h"
#include "pegnn/error.h"
#include "table/split.h"

namespace pegnn {

void settle_scheme(SchemeRequest& request, const WasGiven& was_given) {
  const auto refuse = [](const std::string& what) { throw Error(ErrorKind::usage, what); };
  if (!request.test_rows.empty()) {
    for (const char* name : {"scheme", "folds", "test-share", "block-km", "split-seed"}) {
      if (was_given(name)) {
        refuse(fmt::format("<option:test-rows> says which rows are held out; leave out {}",
                           option(name)));
      }
    }
  }
  if (was_given("block-km") && request.settings.scheme != "block") {
    refuse("<option:block-km> goes with <option:scheme> block");
  }
  if (!was_given("test-share")) return;
  if (was_given("folds") && request.settings.folds > 1) {
    refuse("<option:test-share> holds out rows once, <option:folds> in turn; give one of them");
  }
  request.settings.folds = 1;
}

EvaluateSettings evaluate_settings(const SchemeRequest& request, const Table& table,
                                   const Roles& roles, bool drop_missing) {
  EvaluateSettings settings = request.settings;
  settings.drop_missing = drop_missing;
  settings.block_size = request.block_km * units_per_km(roles);
  if (!request.test_rows.empty()) {
    settings.test_rows = read_row_numbers(request.test_rows, table.rows());
  }
  return settings;
}

}  // namespace pegnn
