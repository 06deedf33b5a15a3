#include "train/fit.h"

#include <algorithm>
#include <chrono>
#include <limits>

#include <fmt/core.h>
#include <xxhash.h>

#include "base/array.h"
#include "base/text.h"
#include "model/combination.h"
#include "model/model_kind.h"
#include "model/preset.h"
#include "pegnn/error.h"
#include "pegnn/log.h"
#include "train/choose.h"
#include "train/hold_out.h"
#include "train/setting.h"

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

// Who trains what (ModelTraits::learner).
auto fit_by(Learner learner) {
  struct Entry {
    Learner learner;
    decltype(&fit_network) fit;
  };
  static constexpr Entry kLearners[] = {{Learner::network, fit_network},
                                        {Learner::baseline, fit_baseline}};
  return std::ranges::find(kLearners, learner, &Entry::learner)->fit;
}

}  // namespace

Fit fit_model(const Dataset& data, const Roles& roles, const Options& asked, const Scaler* given,
              const RunSettings& run, const Dataset* watched) {
  const auto start = std::chrono::steady_clock::now();
  const Context context(run);
  Log& log = context.log;
  check_options(asked);
  settings_to_choose(asked);  // refused now rather than after the first run
  if (!data.weight.empty()) require_weighing(asked);
  if (data.rows() < kFewestRows) {
    throw Error(
        ErrorKind::data,
        fmt::format("{} row{} to train on, at least {} are needed; give a longer table or hold "
                    "out fewer rows",
                    data.rows(), data.rows() == 1 ? "" : "s", kFewestRows));
  }
  if (!roles.geographic) check_extent(data);
  const ModelTraits& traits = kind_of(asked).traits();
  const bool holds_back = traits.holds_back;
  Split split = hold_back(data.rows(), asked, holds_back);
  const auto held = std::ssize(split.test);
  if (holds_back && asked.validation > 0 && held == 0) {
    log.note(fmt::format("{} rows are too few to hold any back for early stopping", data.rows()));
  }
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
  const auto learn = combines(asked) ? fit_combined : fit_by(traits.learner);
  learn(data, std::move(split), given, watched, context, fit);
  fit.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return fit;
}

}  // namespace pegnn
