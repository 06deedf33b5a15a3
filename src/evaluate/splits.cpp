#include "evaluate/splits.h"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/core.h>

#include "base/array.h"
#include "base/text.h"
#include "evaluate/block_size.h"
#include "evaluate/knndm.h"
#include "geo/blocks.h"
#include "geo/length.h"
#include "geo/nearest.h"
#include "pegnn/error.h"
#include "pegnn/log.h"
#include "table/column_groups.h"

namespace pegnn {
namespace {

// More values of a fold column than this are not meant to be a fold each.
constexpr std::int64_t kMostValues = 50;

// Fewer rows are nothing to learn from (table/usable_rows.h).
constexpr std::int64_t kFewestRows = 3;

[[noreturn]] void refuse(const std::string& what) { throw Error(ErrorKind::usage, what); }

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
  const std::vector<std::string> known{"block", "knndm", "random"};
  if (std::find(known.begin(), known.end(), settings.scheme) == known.end()) {
    refuse("<option:scheme>: " + unknown_word("scheme", settings.scheme, known));
  }
  if (settings.repeats < 1) {
    refuse(fmt::format("<option:repeats> {}: at least 1", settings.repeats));
  }
  if (!settings.fold_column.empty() && settings.scheme != "random") {
    refuse(
        fmt::format("<option:fold-column> says which rows are held out; leave out "
                    "<option:scheme> {}",
                    settings.scheme));
  }
  if (settings.scheme == "knndm" && settings.test_rows.empty()) {
    if (settings.folds < 2) {
      refuse(
          "<option:scheme> knndm matches distances over all folds; give <option:folds> of 2 or "
          "more and no <option:test-share>");
    }
    if (settings.buffer > 0) {
      refuse(
          "<option:scheme> knndm matches how far rows held out lie from the others; a buffer "
          "would undo it");
    }
  }
}

std::int64_t count_of(const Array<std::int32_t>& groups) {
  return groups.empty() ? 0 : *std::max_element(groups.begin(), groups.end()) + 1;
}

// One split for each group, in their order.
Array<Split> a_fold_for_each(const Array<std::int32_t>& groups, std::int64_t count) {
  Array<Split> splits(count);
  for (std::int64_t f = 0; f < count; ++f) {
    for (std::int64_t row = 0; row < groups.size(); ++row) {
      (groups[row] == f ? splits[f].test : splits[f].train).push_back(row);
    }
  }
  return splits;
}

}  // namespace

Dataset rows_to_split(const Table& table, const Roles& roles, const EvaluateSettings& settings,
                      Log& log) {
  const std::string& column = settings.fold_column;
  if (!column.empty() &&
      std::find(roles.features.begin(), roles.features.end(), column) != roles.features.end()) {
    refuse(
        fmt::format("'{}' is both <option:fold-column> and among <option:features>; what tells "
                    "folds apart is not learned from",
                    column));
  }
  Dataset data = make_dataset(table, roles, roles.geographic ? Space::sphere : Space::plane,
                              settings.drop_missing ? MissingRows::drop : MissingRows::refuse, log);
  if (column.empty() || !settings.drop_missing) return data;
  const ColumnGroups found = column_groups(table, column, data.table_rows);
  Array<std::int64_t> whole;
  for (std::int64_t row = 0; row < data.rows(); ++row) {
    if (found.group[row] >= 0) whole.push_back(row);
  }
  const std::int64_t empty = data.rows() - whole.size();
  if (empty == 0) return data;
  log.note(fmt::format("{} rows are left out: their cell of '{}' is empty", format_count(empty),
                       column));
  if (whole.empty()) {
    throw Error(ErrorKind::data, fmt::format("{}: column '{}' is empty", table.source(), column));
  }
  return subset(data, whole);
}

SplitPlan::SplitPlan(const Table& table, const Dataset& data, const Roles& roles,
                     const EvaluateSettings& settings, std::int64_t seed, const RunSettings& run)
    : rows_(data.rows()),
      folds_(settings.folds),
      repeats_(settings.repeats),
      seed_(seed),
      test_share_(settings.test_share),
      space_(roles.geographic ? Space::sphere : Space::plane),
      threads_(run.threads),
      points_(data.points) {
  check(settings);
  scheme_.scheme = settings.scheme;
  scheme_.redrawn = settings.folds > 1;
  scheme_.metres_per_unit = metres_per_unit(space_, roles.crs);
  scheme_.buffer = settings.buffer;
  if (!settings.test_rows.empty()) {
    scheme_.scheme = "test-rows";
    folds_ = 1;
    scheme_.redrawn = false;
    test_rows_ = data_rows(data, settings.test_rows);
  } else if (!settings.fold_column.empty()) {
    scheme_.scheme = "fold-column";
    scheme_.fold_column = settings.fold_column;
    take_fold_column(table, data);
  } else if (settings.scheme == "block") {
    take_blocks(data, settings, run);
    scheme_.redrawn = true;
  } else if (settings.scheme == "knndm") {
    take_clusters(settings, run);
  }
  if (scheme_.buffer > 0) check_buffer(run);
}

void SplitPlan::take_fold_column(const Table& table, const Dataset& data) {
  const std::string& column = scheme_.fold_column;
  ColumnGroups found = column_groups(table, column, data.table_rows);
  groups_ = std::move(found.group);
  const auto empty = std::find(groups_.begin(), groups_.end(), -1);
  if (empty != groups_.end()) {
    throw Error(
        ErrorKind::data,
        fmt::format("{}, {}, column '{}': the cell is empty, so it does not say with which "
                    "rows this one is held out; fill it in, or <option:drop-na> leaves such "
                    "rows out",
                    table.source(), table.where(data.table_rows[empty - groups_.begin()]), column));
  }
  const auto count = static_cast<std::int64_t>(found.names.size());
  if (count < 2) {
    refuse(
        fmt::format("<option:fold-column> {}: all rows have the value {}; nothing would be left "
                    "to train on",
                    column, found.names.front()));
  }
  if (folds_ != kFoldPerValue) {
    if (folds_ > count) {
      refuse(
          fmt::format("<option:folds> {}: column '{}' has {} different values, and rows of one "
                      "value stay together",
                      folds_, column, count));
    }
    scheme_.redrawn = true;
    return;
  }
  if (count > kMostValues) {
    refuse(
        fmt::format("<option:fold-column> {}: {} different values would be as many folds; "
                    "<option:folds> N puts them together in N",
                    column, format_count(count)));
  }
  folds_ = count;
  scheme_.fold_names = std::move(found.names);
  for (std::int64_t g = 0; g < count; ++g) {
    const auto held = std::count(groups_.begin(), groups_.end(), g);
    if (rows_ - held >= kFewestRows) continue;
    refuse(fmt::format(
        "<option:fold-column> {}: without the {} rows of {} there are {} left to "
        "train on; at least {} are needed",
        column, format_count(held), Span(scheme_.fold_names)[g], rows_ - held, kFewestRows));
  }
}

void SplitPlan::take_blocks(const Dataset& data, const EvaluateSettings& settings,
                            const RunSettings& run) {
  BlockSize chosen{settings.block_size, {}};
  if (!(settings.block_size > 0)) {
    chosen = choose_block_size(data, space_, std::max<std::int64_t>(20, 4 * folds_), run);
  }
  scheme_.block_size = chosen.size;
  groups_ = spatial_blocks(points_, space_, chosen.size);
  const std::int64_t count = count_of(groups_);
  Log& log = run.logger();
  const std::string size = length_text(chosen.size, scheme_.metres_per_unit);
  log.note(fmt::format("spatial blocks of {}{}: {} of them hold points", size,
                       chosen.why.empty() ? "" : fmt::format(" ({})", chosen.why), count));
  // Fewer than three rows for two blocks.
  if (rows_ > 1 && 2 * rows_ < 3 * count) {
    log.warn(
        fmt::format("{} rows lie in {} blocks of {}: nearly every row is a block of its own, "
                    "which is little else than {} random; larger blocks keep neighbours "
                    "together",
                    format_count(rows_), format_count(count), size, log.option("scheme")));
  }
}

void SplitPlan::take_clusters(const EvaluateSettings& settings, const RunSettings& run) {
  const ThreadPool pool(threads_);
  const bool given = !settings.places.empty();
  const Array<Point> places =
      given ? Array<Point>(settings.places) : regular_places(points_, space_);
  MatchedClusters found = match_clusters(points_, space_, places, folds_,
                                         static_cast<std::uint64_t>(seed_), pool, run.stop);
  groups_ = std::move(found.cluster);
  scheme_.knndm_w = found.w;
  const auto text = [&](double length) { return length_text(length, scheme_.metres_per_unit); };
  Log& log = run.logger();
  log.note(
      fmt::format("distances matched to those of {} {}: {} folds of {} clusters; W {} (random "
                  "folds: {})",
                  format_count(places.size()),
                  given ? "places" : "places in a regular grid over the extent of the rows", folds_,
                  format_count(found.clusters), text(found.w), text(found.w_random)));
  log.note(
      fmt::format("median distance to the nearest training row: {} from the places, {} from "
                  "rows held out",
                  text(found.places_median), text(found.folds_median)));
}

// A repeat that cannot be trained is told before anything is, and how many rows a buffer costs.
void SplitPlan::check_buffer(const RunSettings& run) const {
  std::int64_t left = std::numeric_limits<std::int64_t>::max(), left_of = 0, fewest_cut = left,
               most_cut = 0;
  for (std::int64_t repeat = 0; repeat < repeats_; ++repeat) {
    if (repeat > 0 && !scheme_.redrawn) break;
    for (const Split& split : splits(repeat)) {
      const std::int64_t before = rows_ - split.test.size(), now = split.train.size();
      if (now < left) left_of = before;
      left = std::min(left, now);
      fewest_cut = std::min(fewest_cut, before - now);
      most_cut = std::max(most_cut, before - now);
    }
  }
  run.logger().note(
      fmt::format("buffer of {}: {} training rows near held-out ones are left out of "
                  "a fold; at least {} of {} stay",
                  length_text(scheme_.buffer, scheme_.metres_per_unit),
                  fewest_cut == most_cut
                      ? format_count(most_cut)
                      : fmt::format("{} to {}", format_count(fewest_cut), format_count(most_cut)),
                  format_count(left), format_count(left_of)));
}

// Another grid of blocks for every repeat but the first; one that does not part the points into
// enough of them is drawn again.
Array<std::int32_t> SplitPlan::groups_of_repeat(std::int64_t repeat) const {
  if (!(scheme_.block_size > 0) || repeat == 0) return groups_;
  constexpr std::uint64_t kTries = 20, kStride = std::uint64_t{1} << 40U;
  for (std::uint64_t attempt = 0; attempt < kTries; ++attempt) {
    Array<std::int32_t> moved =
        moved_blocks(points_, space_, scheme_.block_size,
                     static_cast<std::uint64_t>(seed_ + repeat) + attempt * kStride);
    if (count_of(moved) >= std::max<std::int64_t>(2, folds_)) return moved;
  }
  return groups_;
}

Array<Split> SplitPlan::drawn(std::int64_t repeat) const {
  const auto seed = static_cast<std::uint64_t>(seed_ + (scheme_.redrawn ? repeat : 0));
  if (!test_rows_.empty()) return {split_by_rows(rows_, test_rows_)};
  if (!scheme_.fold_names.empty()) return a_fold_for_each(groups_, folds_);
  if (groups_.empty()) {
    if (folds_ == 1) return {random_split(rows_, test_share_, seed)};
    return random_folds(rows_, folds_, seed);
  }
  const Array<std::int32_t> groups = groups_of_repeat(repeat);
  if (folds_ == 1) return {group_split(groups, test_share_, seed)};
  return group_folds(groups, folds_, seed);
}

Array<Split> SplitPlan::splits(std::int64_t repeat) const {
  Array<Split> splits = drawn(repeat);
  if (!(scheme_.buffer > 0)) return splits;
  for (std::int64_t fold = 0; fold < splits.size(); ++fold) leave_out_near(splits[fold], fold);
  return splits;
}

void SplitPlan::leave_out_near(Split& split, std::int64_t fold) const {
  Array<Point> held, trained;
  for (const std::int64_t row : split.test) held.push_back(points_[row]);
  for (const std::int64_t row : split.train) trained.push_back(points_[row]);
  const ThreadPool pool(threads_);
  NearestIndex index;
  index.build(held, space_, pool);
  Neighbours nearest;
  index.search(trained, 1, false, pool, nearest);
  Array<std::int64_t> far;
  for (std::int64_t i = 0; i < split.train.size(); ++i) {
    if (nearest.distances[i] >= scheme_.buffer) far.push_back(split.train[i]);
  }
  if (far.size() < kFewestRows) {
    std::string of = folds_ == 1 ? "" : fmt::format(" of fold {}", fold + 1);
    if (!scheme_.fold_names.empty()) {
      of += fmt::format(" ({} {})", scheme_.fold_column, Span(scheme_.fold_names)[fold]);
    }
    refuse(
        fmt::format("a buffer of {} leaves {} of the {} training rows{}: the others are nearer "
                    "to a row held out; a narrower buffer, or held-out rows that lie together "
                    "(<option:scheme> block), leave more",
                    length_text(scheme_.buffer, scheme_.metres_per_unit), far.size(),
                    format_count(split.train.size()), of));
  }
  split.train = std::move(far);
}

}  // namespace pegnn
