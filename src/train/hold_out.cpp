#include "train/hold_out.h"

#include <algorithm>

#include "base/array.h"
#include "geo/blocks.h"

namespace pegnn {

Split hold_back(std::int64_t rows, const Options& options, bool wanted) {
  if (!wanted || options.validation == 0 || rows < 2 * kFewestRows) {
    return {.train = all_rows(rows), .test = {}};
  }
  const std::int64_t most = std::min(kMostValidationRows, rows - kFewestRows);
  const double share =
      std::min(options.validation, static_cast<double>(most) / static_cast<double>(rows));
  return random_split(rows, share, static_cast<std::uint64_t>(options.seed), SplitUse::validation);
}

HeldBlocks hold_back_blocks(const Dataset& data, const Options& options) {
  // A fifth of the rows in blocks of a 64th: some twelve of them.
  constexpr double kShare = 0.2;
  constexpr std::int64_t kBlocks = 64, kFewestInBlock = 8, kFewestBlocks = 4;
  HeldBlocks held{hold_back(data.rows(), options), {}};
  if (held.rows.test.empty()) return held;
  std::int64_t blocks = kBlocks;
  while (blocks * kFewestInBlock > data.rows()) blocks /= 2;
  if (blocks < kFewestBlocks) return held;
  Array<std::int32_t> block = equal_blocks(data.points, ground_of(data.space), blocks);
  if (*std::max_element(block.begin(), block.end()) + 1 < kFewestBlocks) return held;
  held.rows = group_split(block, kShare, static_cast<std::uint64_t>(options.seed));
  held.rows.test = some_rows(held.rows.test, kMostValidationRows, options.seed);
  held.block = std::move(block);
  return held;
}

}  // namespace pegnn
