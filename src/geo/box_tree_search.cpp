#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "geo/box_tree.h"

namespace pegnn {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::int32_t kNoRow = std::numeric_limits<std::int32_t>::max();

// About 50 microseconds of work for a thread, and some ten blocks in a training batch.
constexpr std::int64_t kLeavesPerBlock = 16;

// The order of neighbours. The first branch is nearly always taken and so costs nothing.
inline bool nearer(double a, std::int32_t a_row, double b, std::int32_t b_row) {
  if (a != b) [[likely]] {
    return a < b;
  }
  return a_row < b_row;
}

}  // namespace

// Queries that lie close together and go through the tree as one, so that the way is paid once for
// all of them: the places of a leaf, or a single one.
template <std::size_t D>
template <std::size_t Width>
struct BoxTree<D>::Queries {
  std::int64_t k;
  std::size_t count;
  double at[D][Width];
  double low[D], high[D];   // the box around them
  std::int32_t own[Width];  // the row that is the query itself, or -1
  NearestList best[Width];  // sorted; what is still free is at infinity with kNoRow
  double worst[Width];      // the last of `best`, and its row
  std::int32_t worst_row[Width];
  double limit;            // the largest of `worst`: nothing farther is wanted by any query
  std::int32_t limit_row;  // the largest of `worst_row`

  // Squared distances from query q to the places of a leaf.
  void measure(const Leaf& leaf, std::size_t q, double* distances) const {
    for (std::size_t i = 0; i < kLeafPlaces; ++i) {
      double sum = 0;
      for (std::size_t d = 0; d < D; ++d) {
        const double gap = leaf.at[d][i] - at[d][q];
        sum = d == 0 ? gap * gap : sum + gap * gap;
      }
      distances[i] = sum;
    }
  }

  // No place of the node is nearer to any query.
  double bound(const Node& node) const {
    double sum = 0;
    for (std::size_t d = 0; d < D; ++d) {
      const double gap = std::max({node.low[d] - high[d], low[d] - node.high[d], 0.0});
      sum = d == 0 ? gap * gap : sum + gap * gap;
    }
    return sum;
  }

  // No place of the node is nearer to query q, for each of them.
  void bounds(const Node& node, double* sums) const {
    for (std::size_t q = 0; q < Width; ++q) {
      double sum = 0;
      for (std::size_t d = 0; d < D; ++d) {
        double nearest = at[d][q] > node.low[d] ? at[d][q] : node.low[d];
        nearest = nearest < node.high[d] ? nearest : node.high[d];
        const double gap = nearest - at[d][q];
        sum = d == 0 ? gap * gap : sum + gap * gap;
      }
      sums[q] = sum;
    }
  }

  bool want(double bound, const Node& node) const {
    return nearer(bound, node.lowest_row, limit, limit_row);
  }

  void set_limits() {
    limit = *std::max_element(worst, worst + Width);
    limit_row = *std::max_element(worst_row, worst_row + Width);
  }

  // Fills the lists from a first leaf.
  void start(const Leaf& leaf) {
    std::fill_n(worst, Width, -1.0);  // queries past `count` want nothing
    std::fill_n(worst_row, Width, -1);
    for (std::size_t q = 0; q < count; ++q) start(leaf, q);
    set_limits();
  }

  // Each place gets its rank by counting, without a branch: a quarter off the time of a search
  // against adding one after the other. Rows ascend in a leaf, so the first of equals has the lower
  // row.
  void start(const Leaf& leaf, std::size_t q) {
    double distances[kLeafPlaces];
    measure(leaf, q, distances);
    std::int32_t places[kLeafPlaces];
    std::size_t others = 0;
    for (std::size_t i = 0; i < kLeafPlaces; ++i) {
      distances[others] = distances[i];
      places[others] = leaf.rows[i];
      others += leaf.rows[i] != own[q] ? 1 : 0;
    }
    if (others < kLeafPlaces) {
      distances[others] = kInfinity;
      places[others] = kNoRow;
    }
    std::int32_t ranks[kLeafPlaces] = {};
    for (std::size_t i = 1; i < kLeafPlaces; ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const bool ahead = distances[j] <= distances[i];
        ranks[i] += ahead ? 1 : 0;
        ranks[j] += ahead ? 0 : 1;
      }
    }
    double sorted[kLeafPlaces];
    std::int32_t sorted_rows[kLeafPlaces];
    for (std::size_t i = 0; i < kLeafPlaces; ++i) {
      sorted[ranks[i]] = distances[i];
      sorted_rows[ranks[i]] = places[i];
    }
    const NearestList& list = best[q];
    const std::int64_t filled = std::min(k, kLeafPlaces);
    std::copy_n(sorted, filled, list.squared);
    std::copy_n(sorted_rows, filled, list.rows);
    std::fill(list.squared + filled, list.squared + k, kInfinity);
    std::fill(list.rows + filled, list.rows + k, kNoRow);
    worst[q] = list.squared[k - 1];
    worst_row[q] = list.rows[k - 1];
  }

  // Puts a place that is nearer than the worst into the list of query q.
  void add(std::size_t q, double distance, std::int32_t row) {
    const NearestList& list = best[q];
    std::int64_t i = k - 1;
    const auto shift = [&] {
      list.squared[i] = list.squared[i - 1];
      list.rows[i] = list.rows[i - 1];
    };
    // Two loops, since equal distances are rare and the first is quicker without rows.
    for (; i > 0 && distance < list.squared[i - 1]; --i) shift();
    for (; i > 0 && distance == list.squared[i - 1] && row < list.rows[i - 1]; --i) shift();
    list.squared[i] = distance;
    list.rows[i] = row;
    worst[q] = list.squared[k - 1];
    worst_row[q] = list.rows[k - 1];
  }
};

// Offers the places of a leaf to every query.
template <std::size_t D>
template <std::size_t Width>
void BoxTree<D>::scan(const Branch& branch, Queries<Width>& queries) const {
  const Node& box = node(branch);
  const Leaf& places = leaf(branch.begin);
  double bounds[Width];
  queries.bounds(box, bounds);
  bool changed = false;
  for (std::size_t q = 0; q < Width; ++q) {
    if (!nearer(bounds[q], box.lowest_row, queries.worst[q], queries.worst_row[q])) continue;
    double distances[kLeafPlaces];
    queries.measure(places, q, distances);
    // First without branches those that may enter, then these few with all conditions.
    std::size_t candidates[kLeafPlaces], count = 0;
    for (std::size_t i = 0; i < kLeafPlaces; ++i) {
      candidates[count] = i;
      count += distances[i] <= queries.worst[q] ? 1 : 0;
    }
    for (std::size_t c = 0; c < count; ++c) {
      const std::size_t i = candidates[c];
      const std::int32_t row = places.rows[i];
      if (nearer(distances[i], row, queries.worst[q], queries.worst_row[q]) &&
          row != queries.own[q]) {
        queries.add(q, distances[i], row);
        changed = true;
      }
    }
  }
  if (changed) queries.set_limits();
}

// Goes to the leaf `home`, or to the nearest one if that is -1, and from there to all others that
// may hold a neighbour, the nearest branch first.
template <std::size_t D>
template <std::size_t Width>
void BoxTree<D>::walk(std::int64_t home, Queries<Width>& queries) const {
  struct Step {
    Branch branch;
    double bound;
  };
  // Halving fewer than 2^31 places ends after 31 steps, and each leaves one branch behind.
  std::array<Step, 32> open;
  std::size_t left = 0;
  queries.limit = kInfinity;
  queries.limit_row = kNoRow;
  Branch here = root();
  for (bool first = true;; first = false) {
    while (!here.is_leaf()) {
      Branch near = here.left(), far = here.right();
      double near_bound = queries.bound(node(near)), far_bound = queries.bound(node(far));
      const bool turn = first && home >= 0 ? home >= far.begin
                                           : nearer(far_bound, node(far).lowest_row, near_bound,
                                                    node(near).lowest_row);
      if (turn) {
        std::swap(near, far);
        std::swap(near_bound, far_bound);
      }
      if (queries.want(far_bound, node(far))) open[left++] = {far, far_bound};
      here = near;
    }
    if (first) {
      queries.start(leaf(here.begin));
    } else {
      scan(here, queries);
    }
    do {
      if (left == 0) return;
      --left;
    } while (!queries.want(open[left].bound, node(open[left].branch)));
    here = open[left].branch;
  }
}

template <std::size_t D>
void BoxTree<D>::search(const double (&query)[D], std::int64_t k, NearestList out) const {
  Queries<1> queries;
  queries.k = k;
  queries.count = 1;
  for (std::size_t d = 0; d < D; ++d) {
    queries.at[d][0] = queries.low[d] = queries.high[d] = query[d];
  }
  queries.own[0] = -1;
  queries.best[0] = out;
  walk(-1, queries);
}

// The neighbours of all places of one leaf.
template <std::size_t D>
void BoxTree<D>::search_from(std::int64_t home, std::int64_t k, NearestList out) const {
  const Leaf& places = leaf(home);
  Queries<kLeafPlaces> queries;
  queries.k = k;
  queries.count = static_cast<std::size_t>(places_in(home));
  for (std::size_t d = 0; d < D; ++d) {
    std::copy_n(places.at[d], kLeafPlaces, queries.at[d]);
    queries.low[d] = *std::min_element(places.at[d], places.at[d] + queries.count);
    queries.high[d] = *std::max_element(places.at[d], places.at[d] + queries.count);
  }
  for (std::size_t q = 0; q < queries.count; ++q) {
    const std::int32_t row = places.rows[q];
    queries.own[q] = row;
    queries.best[q] = {out.squared + row * k, out.rows + row * k};
  }
  walk(home, queries);
}

template <std::size_t D>
void BoxTree<D>::search_all(std::int64_t k, const ThreadPool& pool, NearestList out) const {
  const auto leaves = static_cast<std::int64_t>(leaves_.size());
  pool.for_blocks(leaves, kLeavesPerBlock, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t home = begin; home < end; ++home) {
      // Results lie in the order of rows, far apart for near places: fetching the next leaf's while
      // this one works saves a tenth of the time at 434,874 places.
      if (home + 1 < end) {
        for (std::int64_t i = 0; i < places_in(home + 1); ++i) {
          const std::int64_t next = leaf(home + 1).rows[i] * k;
          __builtin_prefetch(out.squared + next, 1);
          __builtin_prefetch(out.rows + next, 1);
        }
      }
      search_from(home, k, out);
    }
  });
}

template void BoxTree<2>::search(const double (&)[2], std::int64_t, NearestList) const;
template void BoxTree<3>::search(const double (&)[3], std::int64_t, NearestList) const;
template void BoxTree<2>::search_all(std::int64_t, const ThreadPool&, NearestList) const;
template void BoxTree<3>::search_all(std::int64_t, const ThreadPool&, NearestList) const;

}  // namespace pegnn
