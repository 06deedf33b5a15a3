#include "evaluate/knndm.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <set>

#include <fmt/core.h>

#include "baseline/places.h"
#include "geo/blocks.h"
#include "geo/nearest.h"
#include "pegnn/error.h"
#include "table/split.h"

namespace pegnn {
namespace {

constexpr double kMostInAFold = 0.5;

// How often the points are parted anew about their two centres; they have settled long before.
constexpr int kMostRounds = 20;

// A binary tree of parts: every part is a range of the rows, its halves are ranges of it.
class Parts {
 public:
  explicit Parts(Array<Place> places) : at_(std::move(places)), rows_(at_.size()) {
    std::iota(rows_.begin(), rows_.end(), std::int32_t{0});
    nodes_.push_back(node(0, at_.size()));
    for (std::int64_t i = 0; i < nodes_.size(); ++i) {
      const Node parent = nodes_[i];
      const std::int64_t middle = halve(parent);
      if (middle == parent.begin) continue;  // one place
      nodes_[i].left = nodes_.size();
      nodes_.push_back(node(parent.begin, middle));
      nodes_.push_back(node(middle, parent.end));
      split_.push_back(i);
    }
    // A part comes after the one it is of, whatever rounding makes of their spreads.
    for (const std::int64_t i : split_) {
      for (const std::int64_t half : {nodes_[i].left, nodes_[i].left + 1}) {
        nodes_[half].spread = std::min(nodes_[half].spread, nodes_[i].spread);
      }
    }
    std::stable_sort(split_.begin(), split_.end(), [&](std::int64_t a, std::int64_t b) {
      return nodes_[a].spread > nodes_[b].spread;
    });
    for (std::int64_t s = 0; s < split_.size(); ++s) nodes_[split_[s]].order = s;
  }

  // As many clusters as there are different places.
  std::int64_t most() const { return split_.size() + 1; }

  Array<std::int32_t> clusters(std::int64_t count) const {
    Array<std::int32_t> cluster(at_.size(), 0);
    std::int32_t next = 0;
    Array<std::int64_t> open{0};
    while (!open.empty()) {
      const Node& part = nodes_[open.back()];
      open.pop_back();
      if (part.left > 0 && part.order < count - 1) {
        open.push_back(part.left + 1);
        open.push_back(part.left);
        continue;
      }
      for (std::int64_t i = part.begin; i < part.end; ++i) cluster[rows_[i]] = next;
      ++next;
    }
    return cluster;
  }

 private:
  struct Node {
    std::int64_t begin = 0, end = 0;
    Place centre;
    double spread = 0;      // sum of squared distances to the centre
    std::int64_t left = 0;  // the first of its halves; 0: it has none
    std::int64_t order = std::numeric_limits<std::int64_t>::max();  // when it is parted
  };

  const Place& place(std::int64_t i) const { return at_[rows_[i]]; }

  Place centre(std::int64_t begin, std::int64_t end) const {
    Place sum;
    for (std::int64_t i = begin; i < end; ++i) {
      sum = {sum.x + place(i).x, sum.y + place(i).y, sum.z + place(i).z};
    }
    const auto n = static_cast<double>(end - begin);
    return {sum.x / n, sum.y / n, sum.z / n};
  }

  Node node(std::int64_t begin, std::int64_t end) const {
    Node made{.begin = begin, .end = end, .centre = centre(begin, end)};
    for (std::int64_t i = begin; i < end; ++i) {
      made.spread += squared_distance(place(i), made.centre);
    }
    return made;
  }

  // Across the direction in which it is widest, then two centres that follow their points. Returns
  // where the second half begins; the beginning where all are in one place.
  std::int64_t halve(const Node& part) {
    Place low = place(part.begin), high = low;
    for (std::int64_t i = part.begin; i < part.end; ++i) {
      const Place& p = place(i);
      low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
      high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
    const Place wide{high.x - low.x, high.y - low.y, high.z - low.z};
    const double widest = std::max({wide.x, wide.y, wide.z});
    if (!(widest > 0)) return part.begin;
    const auto along = [&](const Place& p) {
      return wide.x == widest ? p.x : wide.y == widest ? p.y : p.z;
    };
    const double edge = along(low) + widest / 2;
    std::int64_t middle = part_rows(part, [&](const Place& p) { return along(p) < edge; });
    if (middle == part.begin || middle == part.end) return part.begin;  // less than rounding apart
    for (int round = 0; round < kMostRounds; ++round) {
      const Place a = centre(part.begin, middle), b = centre(middle, part.end);
      const std::int64_t now = part_rows(
          part, [&](const Place& p) { return squared_distance(p, a) < squared_distance(p, b); });
      // Between two centres of points, each has a point on its side, but for rounding.
      if (now == part.begin || now == part.end) break;
      if (now == middle) break;
      middle = now;
    }
    // The rows stand as the last parting left them.
    return middle_of_;
  }

  // Rows of the first half to the front, each half in its order.
  template <class InFirst>
  std::int64_t part_rows(const Node& part, const InFirst& in_first) {
    const auto begin = rows_.begin() + part.begin, end = rows_.begin() + part.end;
    const auto middle =
        std::stable_partition(begin, end, [&](std::int32_t row) { return in_first(at_[row]); });
    if (middle != begin && middle != end) middle_of_ = middle - rows_.begin();
    return middle - rows_.begin();
  }

  Array<Place> at_;
  Array<std::int32_t> rows_;
  Array<Node> nodes_;
  Array<std::int64_t> split_;  // nodes that have halves, the most spread first
  std::int64_t middle_of_ = 0;
};

double median(Array<double> values) {
  const auto middle = values.begin() + values.size() / 2;
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// What folds are measured by.
class Matching {
 public:
  Matching(Span<const Point> points, Space space, Span<const Point> places, const ThreadPool& pool)
      : points_(points), space_(space), pool_(pool) {
    NearestIndex index;
    index.build(points, space, pool);
    Neighbours nearest;
    index.search(places, 1, false, pool, nearest);
    of_places_ = std::move(nearest.distances);
    std::sort(of_places_.begin(), of_places_.end());
  }

  const Array<double>& of_places() const { return of_places_; }

  Array<double> of_folds(const Array<Split>& folds) const {
    Array<double> distances;
    NearestIndex index;
    Neighbours nearest;
    for (const Split& fold : folds) {
      index.build(chosen(fold.train), space_, pool_);
      index.search(chosen(fold.test), 1, false, pool_, nearest);
      distances.insert(distances.end(), nearest.distances.begin(), nearest.distances.end());
    }
    return distances;
  }

 private:
  Array<Point> chosen(const Array<std::int64_t>& rows) const {
    Array<Point> some;
    some.reserve(rows.size());
    for (const std::int64_t row : rows) some.push_back(points_[row]);
    return some;
  }

  Span<const Point> points_;
  Space space_;
  const ThreadPool& pool_;
  Array<double> of_places_;  // ascending
};

// About so many numbers from `low` to `high`, evenly by their logarithms.
std::set<std::int64_t> numbers_between(std::int64_t low, std::int64_t high, int count) {
  std::set<std::int64_t> numbers{low, high};
  const double step = std::log(static_cast<double>(high) / static_cast<double>(low)) / (count + 1);
  for (int i = 1; i <= count; ++i) {
    const double number = static_cast<double>(low) * std::exp(step * i);
    numbers.insert(std::clamp<std::int64_t>(std::llround(number), low, high));
  }
  return numbers;
}

bool too_large(const Array<Split>& folds, std::int64_t rows) {
  if (folds.size() <= 2) return false;
  return std::any_of(folds.begin(), folds.end(), [&](const Split& fold) {
    return static_cast<double>(fold.test.size()) > kMostInAFold * static_cast<double>(rows);
  });
}

}  // namespace

double wasserstein(Array<double> a, Array<double> b) {
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  double area = 0, from = std::min(a.front(), b.front());
  std::int64_t i = 0, j = 0;
  while (i < a.size() || j < b.size()) {
    const bool of_a = j == b.size() || (i < a.size() && a[i] <= b[j]);
    const double to = of_a ? a[i] : b[j];
    const double gap = static_cast<double>(i) / static_cast<double>(a.size()) -
                       static_cast<double>(j) / static_cast<double>(b.size());
    area += std::abs(gap) * (to - from);
    from = to;
    ++(of_a ? i : j);
  }
  return area;
}

MatchedClusters match_clusters(Span<const Point> points, Space space, Span<const Point> places,
                               std::int64_t folds, std::uint64_t seed, const ThreadPool& pool,
                               const std::function<bool()>& stop) {
  const Parts parts(places_of(space, points));
  if (folds < 2 || parts.most() < folds) {
    throw Error(ErrorKind::usage,
                fmt::format("<option:folds> {}: at least 2, at most the number of different places "
                            "of rows ({})",
                            folds, parts.most()));
  }
  const Matching matching(points, space, places, pool);
  MatchedClusters best;
  best.w = std::numeric_limits<double>::infinity();
  best.places_median = median(matching.of_places());
  std::set<std::int64_t> done;
  const auto try_number = [&](std::int64_t count) {
    if (!done.insert(count).second) return;
    if (stop && stop()) throw Error(ErrorKind::interrupted, "interrupted");
    Array<std::int32_t> cluster = parts.clusters(count);
    const Array<Split> drawn = group_folds(cluster, folds, seed);
    const bool all = count == parts.most();
    if (too_large(drawn, points.size()) && !all) return;
    Array<double> distances = matching.of_folds(drawn);
    const double w = wasserstein(matching.of_places(), distances);
    if (all) best.w_random = w;
    if (w > best.w || (w == best.w && count < best.clusters)) return;
    best.cluster = std::move(cluster);
    best.clusters = count;
    best.w = w;
    best.folds_median = median(std::move(distances));
  };
  constexpr int kCoarse = 20, kFine = 10;
  const std::set<std::int64_t> coarse = numbers_between(folds, parts.most(), kCoarse);
  for (const std::int64_t count : coarse) try_number(count);
  const auto at = coarse.find(best.clusters);
  const std::int64_t low = at == coarse.begin() ? *at : *std::prev(at);
  const std::int64_t high = std::next(at) == coarse.end() ? *at : *std::next(at);
  for (const std::int64_t count : numbers_between(low, high, kFine)) try_number(count);
  return best;
}

Array<Point> regular_places(Span<const Point> points, Space space) {
  constexpr double kPlaces = 2000;
  if (points.empty()) return {};
  const auto [south, north] = std::ranges::minmax(points, {}, &Point::y);
  double west = 0, width = 0;
  if (space == Space::sphere) {
    const auto [from, range] = longitude_range(points);
    west = from;
    width = range;
  } else {
    const auto [left, right] = std::ranges::minmax(points, {}, &Point::x);
    west = left.x;
    width = right.x - left.x;
  }
  const double height = north.y - south.y;
  // How wide a row is for its length in x.
  const auto shrink = [&](double y) {
    return space == Space::sphere ? std::cos(y * std::numbers::pi / 180) : 1.0;
  };
  double area = 0;
  constexpr int kStrips = 200;
  for (int s = 0; s < kStrips; ++s) {
    area += width * height * shrink(south.y + height * (s + 0.5) / kStrips) / kStrips;
  }
  // In a strip without area the places stand along it.
  const double step = std::max(std::sqrt(area / kPlaces), std::max(width, height) / kPlaces);
  if (!(step > 0)) return {points[0]};
  const auto in_rows = [](double length, double of) {
    return std::max<std::int64_t>(1, std::llround(length / of));
  };
  Array<Point> places;
  const std::int64_t rows = in_rows(height, step);
  for (std::int64_t r = 0; r < rows; ++r) {
    const double y = south.y + height * (static_cast<double>(r) + 0.5) / static_cast<double>(rows);
    const std::int64_t columns = in_rows(width * shrink(y), step);
    for (std::int64_t c = 0; c < columns; ++c) {
      const double x = west + width * (static_cast<double>(c) + 0.5) / static_cast<double>(columns);
      places.push_back({space == Space::sphere ? std::remainder(x, 360.0) : x, y});
    }
  }
  return places;
}

}  // namespace pegnn
