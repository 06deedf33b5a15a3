#include "train/fit.h"

#include <algorithm>
#include <chrono>
#include <limits>

#include <fmt/core.h>
#include <xxhash.h>

#include "base/array.h"
#include "base/text.h"
#include "geo/blocks.h"
#include "model/preset.h"
#include "pegnn/error.h"
#include "pegnn/log.h"
#include "train/settings.h"

namespace pegnn {
namespace {

template <class T>
std::uint64_t hash_of(const Array<T>& values, std::uint64_t seed) {
  return XXH64(values.data(), as_size(values.size()) * sizeof(T), seed);
}

std::string data_hash(const Dataset& data) {
  std::uint64_t hash = hash_of(data.y, hash_of(data.x, hash_of(data.points, 0)));
  if (!data.weight.empty()) hash = hash_of(data.weight, hash);
  return fmt::format("{:016x}", hash);
}

// Squares of distances vanish far below this, and with them what tells places apart.
void check_extent(const Dataset& data) {
  constexpr double kLeast = 1e-100;
  if (data.rows() == 0) return;
  const auto [west, east] = std::ranges::minmax(data.points, {}, &Point::x);
  const auto [south, north] = std::ranges::minmax(data.points, {}, &Point::y);
  const double extent = std::max(east.x - west.x, north.y - south.y);
  if (extent == 0 || extent >= kLeast) return;
  throw Error(ErrorKind::data,
              fmt::format("the rows lie within {} of each other, but not in one place: distances "
                          "below {} cannot be told apart; give the coordinates in a smaller unit",
                          format_short(extent), format_short(kLeast)));
}

}  // namespace

Split hold_back(std::int64_t rows, const Options& options, bool wanted) {
  if (!wanted || options.validation == 0 || rows < 2 * kFewestRows) {
    return {.train = all_rows(rows), .test = {}};
  }
  const std::int64_t most = std::min(kMostValidationRows, rows - kFewestRows);
  const double share =
      std::min(options.validation, static_cast<double>(most) / static_cast<double>(rows));
  return random_split(rows, share, static_cast<std::uint64_t>(options.seed), SplitUse::validation);
}

HeldBlocks hold_back_blocks(const Dataset& data, const Options& options, bool wanted) {
  // A fifth of the rows in blocks of a 64th: some twelve of them.
  constexpr double kShare = 0.2;
  constexpr std::int64_t kBlocks = 64, kFewestInBlock = 8, kFewestBlocks = 4;
  HeldBlocks held{hold_back(data.rows(), options, wanted), {}};
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

ScalerPlan scaling_of(const Options& options) {
  ScalerPlan plan = options.scaling == "minmax"     ? Scaling::minmax
                    : options.scaling == "standard" ? Scaling::standard
                                                    : Scaling::none;
  plan.ranks = options.ranks;
  if (options.target_transform == "asinh") plan.transform = TargetTransform::asinh;
  return plan;
}

Array<std::int64_t> some_rows(const Array<std::int64_t>& rows, std::int64_t most,
                              std::int64_t seed) {
  const auto count = std::ssize(rows);
  if (count <= most) return rows;
  const double share = static_cast<double>(most) / static_cast<double>(count);
  Array<std::int64_t> chosen = random_split(count, share, static_cast<std::uint64_t>(seed)).test;
  for (std::int64_t& row : chosen) row = rows[row];
  return chosen;
}

Fit fit_model(const Dataset& data, const Roles& roles, const Options& asked, const Scaler* given,
              const RunSettings& run, const Dataset* watched) {
  const auto start = std::chrono::steady_clock::now();
  const Context context(run);
  Log& log = context.log;
  check_options(asked);
  settings_to_choose(asked);  // refused now rather than after the first run
  if (!data.weight.empty()) require_weighing(asked.model);
  if (data.rows() < kFewestRows) {
    throw Error(
        ErrorKind::data,
        fmt::format("{} row{} to train on, at least {} are needed; give a longer table or hold "
                    "out fewer rows",
                    data.rows(), data.rows() == 1 ? "" : "s", kFewestRows));
  }
  if (!roles.geographic) check_extent(data);
  const BaselineEntry* baseline = find_baseline(asked.model);
  const bool holds_back = baseline == nullptr || baseline->holds_back;
  const Split split = hold_back(data.rows(), asked, holds_back);
  if (holds_back && asked.validation > 0 && split.test.empty()) {
    log.note(fmt::format("{} rows are too few to hold any back for early stopping", data.rows()));
  }
  const auto held = std::ssize(split.test);
  if (held == kMostValidationRows) {
    log.note(fmt::format("{} of {} rows are held back for early stopping, no more are needed",
                         format_count(held), format_count(data.rows())));
  }
  const auto [lo, hi] = std::minmax_element(data.y.begin(), data.y.end());
  Fit fit;
  ModelState& state = fit.state;
  state.options = asked;
  state.roles = roles;
  // Equal weights are none: the model is that of a run without them, to the byte.
  if (data.weight.empty()) state.roles.weight.clear();
  state.space = data.space;
  state.training_rows = std::ssize(split.train);
  state.provenance = {.table = {},
                      .table_hash = data_hash(data),
                      .rows = data.rows(),
                      .target_lo = *lo,
                      .target_hi = *hi};
  state.best_validation = std::numeric_limits<double>::quiet_NaN();
  if (baseline != nullptr) {
    state.scaler = given != nullptr ? *given : fit_scaler(data, split.train, scaling_of(asked));
    fit_baseline(data, split, context, fit);
  } else {
    fit_network(data, split, given, watched, context, fit);
  }
  fit.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return fit;
}

}  // namespace pegnn
