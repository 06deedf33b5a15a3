#include <algorithm>
#include <array>
#include <bit>
#include <limits>

#include "base/array.h"
#include "geo/box_tree.h"

namespace pegnn {
namespace {

// Fewer places are cut before a second thread has woken up.
constexpr std::int64_t kParallelPlaces = 16384;
// Subtrees that threads take whole. Each doubling is one more round in which threads wait.
constexpr std::int64_t kParallelBranches = 16;

// Moves the places for which `test` holds to the front and returns their end. No branch depends on
// the test, since near a median it is a coin toss.
template <class Place, class Test>
Place* move_to_front(Place* first, Place* last, Test test) {
  Place* end = first;
  for (Place* at = first; at != last; ++at) {
    const Place place = *at;
    *at = *end;
    *end = place;
    end += test(place) ? 1 : 0;
  }
  return end;
}

// What std::nth_element does, by coordinate `axis`: places below `middle` go before it. A sample
// tells two values that the one looked for lies between, and little is left after two passes (Floyd
// and Rivest, "Expected time bounds for selection", 1975). A quarter off the time of a build.
template <class Place>
void select_place(Place* first, Place* middle, Place* last, std::size_t axis) {
  constexpr std::ptrdiff_t kMostSamples = 256, kFewPlaces = 64, kPlacesPerSample = 8;
  // An unlucky sample costs a pass, so after a few of them the standard's worst case is better.
  for (int round = 0; round < 8 && last - first > kFewPlaces; ++round) {
    const std::ptrdiff_t count = last - first;
    const std::ptrdiff_t samples = std::min(kMostSamples, count / kPlacesPerSample);
    double sample[kMostSamples];
    for (std::ptrdiff_t i = 0; i < samples; ++i) {
      sample[i] = first[i * count / samples].at[axis];
    }
    std::sort(sample, sample + samples);
    // One and a half standard deviations of a median's rank, sqrt(samples) / 2.
    const std::ptrdiff_t margin = samples >= 256 ? 12 : samples >= 64 ? 6 : samples >= 16 ? 3 : 2;
    const std::ptrdiff_t rank = (middle - first) * samples / count;
    const double low = sample[std::max<std::ptrdiff_t>(0, rank - margin)];
    const double high = sample[std::min(samples - 1, rank + margin)];

    Place* const from =
        move_to_front(first, last, [=](const Place& p) { return p.at[axis] < low; });
    if (middle < from) {
      last = from;
      continue;
    }
    Place* const to = move_to_front(from, last, [=](const Place& p) { return p.at[axis] <= high; });
    if (middle >= to) {
      first = to;
      continue;
    }
    if (low == high) return;  // all between are equal
    first = from;
    last = to;
  }
  std::nth_element(first, middle, last,
                   [axis](const Place& a, const Place& b) { return a.at[axis] < b.at[axis]; });
}

template <class Place>
bool has_lower_row(const Place& a, const Place& b) {
  return a.row < b.row;
}

// Where leaves [begin, end) are cut in two: at a power of two, so that eight consecutive leaves
// under one node, and 64 under the next, are parts of one cut.
std::int64_t middle_of(std::int64_t begin, std::int64_t end) {
  const auto leaves = static_cast<std::uint64_t>(end - begin);
  return begin + static_cast<std::int64_t>(std::bit_ceil(leaves) / 2);
}

// Places [begin, end) of leaves.
template <class Place>
Span<Place> places_of(Span<Place> places, std::int64_t begin, std::int64_t end) {
  const std::int64_t first = begin * kBoxWidth;
  const auto last = std::min(end * kBoxWidth, places.size());
  return places.subspan(first, last - first);
}

}  // namespace

template <std::size_t D>
void BoxTree<D>::resize(std::int64_t count) {
  size_ = count;
  const auto groups = [](std::int64_t n) { return (n + kBoxWidth - 1) / kBoxWidth; };
  std::int64_t nodes = groups(count);
  leaves_.resize(nodes);
  for (auto& level : nodes_) {
    nodes = nodes > 1 || &level == nodes_.data() ? groups(nodes) : 0;
    level.resize(nodes);
  }
}

template <std::size_t D>
BoxLevels<D> BoxTree<D>::levels() const {
  BoxLevels<D> view{.leaves = leaves_.data(), .places = size_, .leaf_count = std::ssize(leaves_)};
  for (const auto& level : nodes_) {
    if (!level.empty()) view.nodes[++view.top] = level.data();
  }
  return view;
}

template <std::size_t D>
void BoxTree<D>::build(Span<Place> places, const ThreadPool& pool) {
  resize(std::ssize(places));
  const auto leaves = std::ssize(leaves_);
  if (leaves == 0) return;

  // The first cuts level by level, then the parts below them on their own.
  std::int64_t edges[kParallelBranches + 1] = {0, leaves}, finer[kParallelBranches + 1];
  std::int64_t count = 1;
  for (; size() >= kParallelPlaces && count < kParallelBranches; count *= 2) {
    pool.for_each(count, [&](std::int64_t b) {
      cut(places, edges[b], edges[b + 1]);
      finer[2 * b] = edges[b];
      finer[2 * b + 1] = std::max(edges[b], middle_of(edges[b], edges[b + 1]));
    });
    finer[2 * count] = leaves;
    std::copy_n(finer, 2 * count + 1, edges);
  }
  pool.for_each(count, [&](std::int64_t b) {
    cut_all(places, edges[b], edges[b + 1]);
    for (std::int64_t number = edges[b]; number < edges[b + 1]; ++number) {
      const auto own = places_of(places, number, number + 1);
      BoxLeaf<D>& leaf = leaves_[number];
      for (std::int64_t i = 0; i < kBoxWidth; ++i) {
        const bool there = i < own.size();
        for (std::size_t d = 0; d < D; ++d) {
          leaf.at[d][i] = there ? own[i].at[d] : std::numeric_limits<double>::infinity();
        }
        leaf.rows[i] = there ? own[i].row : kNoRow;
      }
    }
  });
  join_leaves(pool);
}

// Orders the places of leaves [begin, end) so that each part has its own.
template <std::size_t D>
void BoxTree<D>::cut(Span<Place> places, std::int64_t begin, std::int64_t end) const {
  if (end - begin < 2) return;
  const auto own = places_of(places, begin, end);
  Place low = own.front(), high = own.front();
  for (const Place& place : own) {
    for (std::size_t d = 0; d < D; ++d) {
      low.at[d] = std::min(low.at[d], place.at[d]);
      high.at[d] = std::max(high.at[d], place.at[d]);
    }
  }
  std::size_t widest = 0;
  for (std::size_t d = 1; d < D; ++d) {
    if (high.at[d] - low.at[d] > high.at[widest] - low.at[widest]) widest = d;
  }
  Place* const first = own.data();
  Place* const last = first + own.size();
  Place* const middle = first + (middle_of(begin, end) - begin) * kBoxWidth;
  if (high.at[widest] > low.at[widest]) {
    select_place(first, middle, last, widest);
  } else {
    // All in one spot: only rows tell these places apart, and low ones are wanted first.
    std::nth_element(first, middle, last, has_lower_row<Place>);
  }
}

template <std::size_t D>
void BoxTree<D>::cut_all(Span<Place> places, std::int64_t begin, std::int64_t end) const {
  if (end - begin < 2) return;
  cut(places, begin, end);
  cut_all(places, begin, middle_of(begin, end));
  cut_all(places, middle_of(begin, end), end);
}

template <std::size_t D>
void BoxTree<D>::join_leaves(const ThreadPool& pool) {
  constexpr std::int64_t kNodesPerBlock = 256;
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (std::size_t level = 0; level < nodes_.size() && !nodes_[level].empty(); ++level) {
    const auto children = level == 0 ? leaves_.size() : nodes_[level - 1].size();
    pool.for_blocks(std::ssize(nodes_[level]), kNodesPerBlock,
                    [&](std::int64_t begin, std::int64_t end) {
                      for (std::int64_t n = begin; n < end; ++n) {
                        BoxNode<D>& node = nodes_[level][n];
                        for (std::int64_t i = 0; i < kBoxWidth; ++i) {
                          const std::int64_t child = n * kBoxWidth + i;
                          double low[D], high[D], row = kNoRow;
                          std::fill_n(low, D, kInfinity);
                          std::fill_n(high, D, -kInfinity);
                          if (child < children && level == 0) {
                            const BoxLeaf<D>& leaf = leaves_[child];
                            for (std::size_t j = 0; j < kBoxWidth; ++j) {
                              if (leaf.rows[j] == kNoRow) break;
                              for (std::size_t d = 0; d < D; ++d) {
                                low[d] = std::min(low[d], leaf.at[d][j]);
                                high[d] = std::max(high[d], leaf.at[d][j]);
                              }
                              row = std::min(row, static_cast<double>(leaf.rows[j]));
                            }
                          } else if (child < children) {
                            const BoxNode<D>& below = nodes_[level - 1][child];
                            for (std::size_t d = 0; d < D; ++d) {
                              low[d] = *std::min_element(below.low[d], below.low[d] + kBoxWidth);
                              high[d] = *std::max_element(below.high[d], below.high[d] + kBoxWidth);
                            }
                            row = *std::min_element(below.lowest_row, below.lowest_row + kBoxWidth);
                          }
                          for (std::size_t d = 0; d < D; ++d) {
                            node.low[d][i] = low[d];
                            node.high[d][i] = high[d];
                          }
                          node.lowest_row[i] = row;
                        }
                      }
                    });
  }
}

template void BoxTree<2>::build(Span<Place>, const ThreadPool&);
template void BoxTree<3>::build(Span<Place>, const ThreadPool&);
template void BoxTree<2>::resize(std::int64_t);
template void BoxTree<3>::resize(std::int64_t);
template void BoxTree<2>::join_leaves(const ThreadPool&);
template void BoxTree<3>::join_leaves(const ThreadPool&);
template BoxLevels<2> BoxTree<2>::levels() const;
template BoxLevels<3> BoxTree<3>::levels() const;

}  // namespace pegnn
