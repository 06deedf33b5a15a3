// Searching a tree of boxes, compiled once per instruction set.

#include "kernels/cpu/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "geo/box_tree_search.cpp"
// In this order: foreach_target.h before highway.h.
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "base/aligned_buffer.h"
#include "geo/box_tree.h"
#include "geo/box_tree_walk.inc"

#include "geo/box_tree_group.inc"
#include "geo/box_tree_together.inc"

HWY_BEFORE_NAMESPACE();
namespace pegnn::HWY_NAMESPACE {
namespace {

// One query, to which places are offered eight at a time.
template <std::size_t D>
struct Single {
  Sought<D> sought;
  std::int64_t k;
  NearestList best;

  HWY_INLINE void start() {
    std::fill_n(best.squared, k, kInfinity);
    std::fill_n(best.rows, k, std::numeric_limits<std::int32_t>::max());
    sought.limit = kInfinity;
    sought.limit_row = kNoRow;
  }

  HWY_INLINE void scan(const BoxLeaf<D>& leaf, const BoxNode<D>&, std::int64_t) {
    const Doubles d;
    alignas(64) double distances[kBoxWidth];
    unsigned near = 0;
    for (std::size_t v = 0; v < kBoxWidth; v += lanes()) {
      auto sum = hn::Zero(d);
      for (std::size_t i = 0; i < D; ++i) {
        const auto gap = hn::Sub(hn::LoadU(d, leaf.at[i] + v), hn::Set(d, sought.low[i]));
        sum = i == 0 ? hn::Mul(gap, gap) : hn::Add(sum, hn::Mul(gap, gap));
      }
      hn::Store(sum, d, distances + v);
      near |= bits_of(hn::Le(sum, hn::Set(d, sought.limit))) << v;
    }
    for (; near != 0; near &= near - 1) {
      const std::int64_t i = std::countr_zero(near);
      if (nearer(distances[i], leaf.rows[i], sought.limit, sought.limit_row)) {
        insert(distances[i], leaf.rows[i]);
      }
    }
  }

  HWY_INLINE void insert(double distance, std::int32_t row) {
    std::int64_t i = k - 1;
    const auto shift = [&] {
      best.squared[i] = best.squared[i - 1];
      best.rows[i] = best.rows[i - 1];
    };
    // Two loops, since equal distances are rare and the first is quicker without rows.
    for (; i > 0 && distance < best.squared[i - 1]; --i) shift();
    for (; i > 0 && distance == best.squared[i - 1] && row < best.rows[i - 1]; --i) shift();
    best.squared[i] = distance;
    best.rows[i] = row;
    sought.limit = best.squared[k - 1];
    sought.limit_row = best.rows[k - 1];
  }
};

template <std::size_t D>
void search_one(const BoxLevels<D>& tree, const double* query, std::int64_t k, NearestList out) {
  Single<D> single{.sought = {}, .k = k, .best = out};
  std::copy_n(query, D, single.sought.low);
  std::copy_n(query, D, single.sought.high);
  single.start();
  enter(tree, tree.top, 0, -1, single);
}

template <std::size_t D>
double squared_way(const double* a, const double* b) {
  double sum = 0;
  for (std::size_t i = 0; i < D; ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sum;
}

// A few queries together, given one that has been answered and how far its last neighbour lies.
// False where they are too far from it or from each other: nothing is found then.
template <std::size_t D>
bool search_together(const BoxLevels<D>& tree, const double* queries, std::int64_t count,
                     const double* known, double squared, std::int64_t k, NearestList out) {
  Around<D> around;
  Sought<D>& sought = around.sought;
  std::copy_n(queries, D, sought.low);
  std::copy_n(queries, D, sought.high);
  double way = 0, limits[kBoxWidth];
  for (std::int64_t q = 0; q < count; ++q) {
    const double* const query = queries + q * static_cast<std::int64_t>(D);
    const double own = squared_way<D>(query, known);
    way = std::max(way, own);
    limits[q] = limit_from(squared, own);
    for (std::size_t i = 0; i < D; ++i) {
      sought.low[i] = std::min(sought.low[i], query[i]);
      sought.high[i] = std::max(sought.high[i], query[i]);
    }
  }
  sought.limit = limit_from(squared, way);
  if (!(way <= squared && sought.limit < kInfinity)) return false;
  sought.limit_row = kNoRow;
  around.enter(tree, tree.top, 0);
  if (around.too_many) return false;
  Ranking<D> ranking;
  for (std::int64_t q = 0; q < count; ++q) {
    ranking.measure(around, queries + q * static_cast<std::int64_t>(D), limits[q]);
    if (!ranking.first(k, {out.squared + q * k, out.rows + q * k})) return false;
  }
  return true;
}

template <std::size_t D>
void search_each(const BoxLevels<D>& tree, const double* queries, std::int64_t count,
                 std::int64_t k, NearestList out) {
  const bool together = k <= Around<D>::kMost / 4;
  const auto query = [&](std::int64_t q) { return queries + q * static_cast<std::int64_t>(D); };
  std::int64_t some =
      1;  // the first by itself: what is found of it tells the next ones where to look
  for (std::int64_t first = 0; first < count; first += some) {
    if (first > 0 && together) some = std::min(kBoxWidth, count - first);
    const NearestList lists{out.squared + first * k, out.rows + first * k};
    if (first > 0 && together &&
        search_together<D>(tree, query(first), some, query(first - 1), lists.squared[-1], k,
                           lists)) {
      continue;
    }
    for (std::int64_t q = 0; q < some; ++q) {
      search_one(tree, query(first + q), k, {lists.squared + q * k, lists.rows + q * k});
    }
  }
}

template <std::size_t D>
void search_leaves(const BoxLevels<D>& tree, std::int64_t begin, std::int64_t end, std::int64_t k,
                   double* scratch, NearestList out) {
  for (std::int64_t leaf = begin; leaf < end; ++leaf) {
    const BoxLeaf<D>& home = tree.leaves[leaf];
    // Results lie in the order of rows, far apart for near places: those of the next leaf are
    // called for while this one works.
    const std::int64_t ahead = std::min(kBoxWidth, tree.places - (leaf + 1) * kBoxWidth);
    for (std::int64_t q = 0; q < ahead; ++q) {
      const std::int64_t next = tree.leaves[leaf + 1].rows[q] * k;
      __builtin_prefetch(out.squared + next, 1);
      __builtin_prefetch(out.rows + next, 1);
    }
    Group<D> group{
        .sought = {}, .k = k, .home = home, .squared = scratch, .rows = scratch + k * kBoxWidth};
    const BoxNode<D>& parent = tree.nodes[1][leaf / kBoxWidth];
    for (std::size_t d = 0; d < D; ++d) {
      group.sought.low[d] = parent.low[d][leaf % kBoxWidth];
      group.sought.high[d] = parent.high[d][leaf % kBoxWidth];
    }
    group.start();
    search_around(tree, leaf, group);
    const std::int64_t count = std::min(kBoxWidth, tree.places - leaf * kBoxWidth);
    for (std::int64_t q = 0; q < count; ++q) {
      const std::int64_t row = home.rows[q];
      for (std::int64_t j = 0; j < k; ++j) {
        out.squared[row * k + j] = group.squared[j * kBoxWidth + q];
        out.rows[row * k + j] = static_cast<std::int32_t>(group.rows[j * kBoxWidth + q]);
      }
    }
  }
}

void search_each_2(const BoxLevels<2>& tree, const double* queries, std::int64_t count,
                   std::int64_t k, NearestList out) {
  search_each(tree, queries, count, k, out);
}
void search_each_3(const BoxLevels<3>& tree, const double* queries, std::int64_t count,
                   std::int64_t k, NearestList out) {
  search_each(tree, queries, count, k, out);
}
void search_leaves_2(const BoxLevels<2>& tree, std::int64_t begin, std::int64_t end, std::int64_t k,
                     double* scratch, NearestList out) {
  search_leaves(tree, begin, end, k, scratch, out);
}
void search_leaves_3(const BoxLevels<3>& tree, std::int64_t begin, std::int64_t end, std::int64_t k,
                     double* scratch, NearestList out) {
  search_leaves(tree, begin, end, k, scratch, out);
}

}  // namespace
}  // namespace pegnn::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pegnn {
namespace {

// About 50 microseconds of work for a thread, and some ten blocks in a training batch.
constexpr std::int64_t kLeavesPerBlock = 24;
// Lists of so many neighbours stand on the stack.
constexpr std::int64_t kFewNeighbours = 32;

HWY_EXPORT(search_each_2);
HWY_EXPORT(search_each_3);
HWY_EXPORT(search_leaves_2);
HWY_EXPORT(search_leaves_3);

}  // namespace

template <std::size_t D>
void BoxTree<D>::search(Span<const std::array<double, D>> queries, std::int64_t k,
                        NearestList out) const {
  const double* const first = queries.data()->data();
  if constexpr (D == 2) {
    HWY_DYNAMIC_DISPATCH(search_each_2)(levels(), first, queries.size(), k, out);
  } else {
    HWY_DYNAMIC_DISPATCH(search_each_3)(levels(), first, queries.size(), k, out);
  }
}

template <std::size_t D>
void BoxTree<D>::search_all(std::int64_t k, const ThreadPool& pool, NearestList out) const {
  const BoxLevels<D> tree = levels();
  pool.for_blocks(tree.leaf_count, kLeavesPerBlock, [&](std::int64_t begin, std::int64_t end) {
    alignas(64) double few[2 * kFewNeighbours * kBoxWidth];
    AlignedBuffer<double> many(k > kFewNeighbours ? 2 * k * kBoxWidth : 0);
    double* const scratch = k > kFewNeighbours ? many.data() : few;
    if constexpr (D == 2) {
      HWY_DYNAMIC_DISPATCH(search_leaves_2)(tree, begin, end, k, scratch, out);
    } else {
      HWY_DYNAMIC_DISPATCH(search_leaves_3)(tree, begin, end, k, scratch, out);
    }
  });
}

template void BoxTree<2>::search(Span<const std::array<double, 2>>, std::int64_t,
                                 NearestList) const;
template void BoxTree<3>::search(Span<const std::array<double, 3>>, std::int64_t,
                                 NearestList) const;
template void BoxTree<2>::search_all(std::int64_t, const ThreadPool&, NearestList) const;
template void BoxTree<3>::search_all(std::int64_t, const ThreadPool&, NearestList) const;

}  // namespace pegnn
#endif  // HWY_ONCE
