#include "evaluate/splits.h"

#include <algorithm>

#include <fmt/core.h>

#include "base/array.h"
#include "base/text.h"
#include "evaluate/block_size.h"
#include "geo/blocks.h"
#include "pegnn/error.h"
#include "pegnn/log.h"

namespace pegnn {
namespace {

// The rows of `data` behind table rows; Error{data} when one was dropped for missing values or
// weight 0.
Array<std::int64_t> data_rows(const Dataset& data, Span<const std::int64_t> rows) {
  const Array<std::int64_t>& kept = data.table_rows;  // ascending
  Array<std::int64_t> found;
  for (const std::int64_t row : rows) {
    const auto at = std::lower_bound(kept.begin(), kept.end(), row);
    if (at == kept.end() || *at != row) {
      throw Error(ErrorKind::data,
                  fmt::format("test row {} was left out for a missing value or a weight of 0; take "
                              "it off the list of <option:test-rows>",
                              row));
    }
    found.push_back(at - kept.begin());
  }
  return found;
}

void check(const EvaluateSettings& settings) {
  const std::vector<std::string> known{"block", "random"};
  if (std::find(known.begin(), known.end(), settings.scheme) == known.end()) {
    throw Error(ErrorKind::usage,
                "<option:scheme>: " + unknown_word("scheme", settings.scheme, known));
  }
  if (settings.repeats < 1) {
    throw Error(ErrorKind::usage, fmt::format("<option:repeats> {}: at least 1", settings.repeats));
  }
}

}  // namespace

SplitPlan::SplitPlan(const Dataset& data, bool geographic, const EvaluateSettings& settings,
                     std::int64_t seed, const RunSettings& run)
    : scheme_(settings.scheme),
      rows_(data.rows()),
      folds_(settings.folds),
      repeats_(settings.repeats),
      seed_(seed),
      test_share_(settings.test_share) {
  check(settings);
  if (!settings.test_rows.empty()) {
    scheme_ = "test-rows";
    folds_ = 1;
    test_rows_ = data_rows(data, settings.test_rows);
    return;
  }
  if (scheme_ != "block") return;
  // Blocks are measured on the ground whatever the graph's metric is.
  const Space space = geographic ? Space::sphere : Space::plane;
  BlockSize chosen{settings.block_size, {}};
  if (!(settings.block_size > 0)) {
    chosen = choose_block_size(data, space, std::max<std::int64_t>(20, 4 * folds_), run);
  }
  block_size_ = chosen.size;
  blocks_ = spatial_blocks(data.points, space, block_size_);
  const std::int32_t count =
      blocks_.empty() ? 0 : *std::max_element(blocks_.begin(), blocks_.end()) + 1;
  Log& log = run.logger();
  log.note(fmt::format("spatial blocks of {} {}{}: {} of them hold points",
                       format_short(geographic ? block_size_ / 1000 : block_size_),
                       geographic ? "km" : "units",
                       chosen.why.empty() ? "" : fmt::format(" ({})", chosen.why), count));
}

Array<Split> SplitPlan::splits(std::int64_t repeat) const {
  const auto seed = static_cast<std::uint64_t>(seed_ + (redrawn() ? repeat : 0));
  if (!test_rows_.empty()) return {split_by_rows(rows_, test_rows_)};
  if (blocks_.empty()) {
    if (folds_ == 1) return {random_split(rows_, test_share_, seed)};
    return random_folds(rows_, folds_, seed);
  }
  if (folds_ == 1) return {group_split(blocks_, test_share_, seed)};
  return group_folds(blocks_, folds_, seed);
}

}  // namespace pegnn
