// Rows are cut in two along the column in which they differ most until kLeaf are left; kGroup
// leaves that follow each other have a box each, kGroup such groups again, up to one box of all.
// What is passed by is passed by rightly, to the bit: in each column a row of a box is at least as
// far as the box, and since rounding keeps order, so are difference, square and sum, taken in the
// same order.

#include "predict/nearest_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/array.h"

namespace pegnn {
namespace {

constexpr float kFar = std::numeric_limits<float>::infinity();

// Puts rows that are near each other beside each other. Both sides of a cut are whole pieces of
// `unit` rows, which are cut in turn, each into kGroup: so boxes of groups do not overlap.
class Order {
 public:
  Order(Span<const float> values, std::int64_t width, std::int64_t leaf, std::int64_t group)
      : values_(values), width_(width), leaf_(leaf), group_(group) {}

  void cut(Span<std::int64_t> rows, std::int64_t unit) const {
    const auto count = std::ssize(rows);
    if (count <= leaf_) return;
    while (unit >= count) unit /= group_;
    const std::int64_t half = (count + unit - 1) / unit / 2 * unit;
    const std::int64_t column = widest(rows);
    std::nth_element(rows.begin(), rows.begin() + half, rows.end(),
                     [&](std::int64_t a, std::int64_t b) { return at(a, column) < at(b, column); });
    cut(rows.first(half), unit);
    cut(rows.subspan(half), unit);
  }

 private:
  float at(std::int64_t row, std::int64_t column) const { return values_[row * width_ + column]; }

  // By mean absolute deviation: a few values far out do not draw the cut to their column.
  std::int64_t widest(Span<const std::int64_t> rows) const {
    std::int64_t found = 0;
    double most = -1;
    for (std::int64_t j = 0; j < width_; ++j) {
      double mean = 0, spread = 0;
      for (const std::int64_t row : rows) mean += at(row, j);
      mean /= static_cast<double>(rows.size());
      for (const std::int64_t row : rows) spread += std::abs(at(row, j) - mean);
      if (spread > most) {
        most = spread;
        found = j;
      }
    }
    return found;
  }

  Span<const float> values_;
  std::int64_t width_, leaf_, group_;
};

}  // namespace

NearestRows::NearestRows(Span<const float> values, std::int64_t width)
    : width_(width), rows_(std::ssize(values) / width) {
  if (rows_ == 0) return;
  fill_leaves(values);
  while (levels_.back().boxes > 1) add_level();
}

Array<std::int64_t> NearestRows::order(Span<const float> values) const {
  Array<std::int64_t> rows(rows_);
  std::iota(rows.begin(), rows.end(), std::int64_t{0});
  std::int64_t unit = kLeaf;
  while (unit < rows_) unit *= kGroup;
  Order(values, width_, kLeaf, kGroup).cut(rows, unit);
  return rows;
}

NearestRows::Level NearestRows::empty_level(std::int64_t boxes) const {
  // A box that is not there is infinitely far.
  const std::int64_t size = (boxes + kGroup - 1) / kGroup * kGroup * width_;
  return {boxes, Array<float>(size, kFar), Array<float>(size, -kFar)};
}

void NearestRows::fill_leaves(Span<const float> values) {
  const Array<std::int64_t> rows = order(values);
  const std::int64_t leaves = (rows_ + kLeaf - 1) / kLeaf;
  leaves_.resize(leaves * kLeaf * width_);
  levels_.push_back(empty_level(leaves));
  for (std::int64_t i = 0; i < rows_; ++i) {
    const std::int64_t leaf = i / kLeaf;
    const float* row = values.data() + rows[i] * width_;
    for (std::int64_t j = 0; j < width_; ++j) {
      leaves_[(leaf * width_ + j) * kLeaf + i % kLeaf] = row[j];
      levels_.back().widen(place_of(leaf, j), row[j], row[j]);
    }
  }
}

void NearestRows::add_level() {
  const Level& below = levels_.back();
  Level level = empty_level((below.boxes + kGroup - 1) / kGroup);
  for (std::int64_t box = 0; box < below.boxes; ++box) {
    for (std::int64_t j = 0; j < width_; ++j) {
      const std::int64_t from = place_of(box, j);
      level.widen(place_of(box / kGroup, j), below.least[from], below.greatest[from]);
    }
  }
  levels_.push_back(std::move(level));
}

float NearestRows::squared_distance(const float* query, int k) const {
  if (rows_ == 0) return 0;
  Best best{kFar, kFar, rows_ == 1 ? 1 : k};
  visit(levels_.size() - 1, 0, query, best);
  return best.worst();
}

bool NearestRows::any_within(const float* query, float squared) const {
  if (rows_ == 0) return false;
  squared = std::min(squared, std::numeric_limits<float>::max());
  // What is not nearer than this cannot be within.
  const float beyond = std::nextafter(squared, kFar);
  Best best{beyond, beyond, 1, squared};
  visit(levels_.size() - 1, 0, query, best);
  return best.done();
}

// The box of that number in `level`; level 0 are the leaves.
void NearestRows::visit(std::int64_t level, std::int64_t box, const float* query,
                        Best& best) const {
  if (level == 0) {
    compare_leaf(box, query, best);
    return;
  }
  const Level& below = levels_[level - 1];
  const float* least = below.least.data() + box * kGroup * width_;
  const float* greatest = below.greatest.data() + box * kGroup * width_;
  float bounds[kGroup] = {};
  for (std::int64_t j = 0; j < width_; ++j) {
    for (std::int64_t i = 0; i < kGroup; ++i) {
      const float before = least[j * kGroup + i] - query[j];
      const float after = query[j] - greatest[j * kGroup + i];
      // The greatest of both and 0, exactly: at most one is positive, and x + |x| is 2x or 0. So a
      // compiler takes several boxes at a time, which it does not with comparisons.
      const float outside = 0.5F * ((before + std::abs(before)) + (after + std::abs(after)));
      bounds[i] += outside * outside;
    }
  }
  while (true) {
    const auto next = std::min_element(bounds, bounds + kGroup);
    if (!(*next < best.worst())) return;  // nor where bounds are NaN: from infinity all is far
    *next = kFar;
    visit(level - 1, box * kGroup + (next - bounds), query, best);
    if (best.done()) return;
  }
}

void NearestRows::compare_leaf(std::int64_t leaf, const float* query, Best& best) const {
  const float* columns = leaves_.data() + leaf * kLeaf * width_;
  float sums[kLeaf] = {};
  for (std::int64_t j = 0; j < width_; ++j) {
    for (std::int64_t i = 0; i < kLeaf; ++i) {
      const float difference = query[j] - columns[j * kLeaf + i];
      sums[i] += difference * difference;
    }
  }
  const std::int64_t rows = std::min(kLeaf, rows_ - leaf * kLeaf);
  for (std::int64_t i = 0; i < rows; ++i) {
    if (!(sums[i] < best.worst())) continue;
    best.second = std::max(best.first, std::min(best.second, sums[i]));
    best.first = std::min(best.first, sums[i]);
  }
}

}  // namespace pegnn
