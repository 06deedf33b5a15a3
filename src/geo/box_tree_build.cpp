#include <algorithm>
#include <array>
#include <limits>

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
    std::array<double, kMostSamples> sample;
    for (std::ptrdiff_t i = 0; i < samples; ++i) {
      sample[static_cast<std::size_t>(i)] = first[i * count / samples].at[axis];
    }
    std::sort(sample.data(), sample.data() + samples);
    // One and a half standard deviations of a median's rank, sqrt(samples) / 2.
    const std::ptrdiff_t margin = samples >= 256 ? 12 : samples >= 64 ? 6 : samples >= 16 ? 3 : 2;
    const std::ptrdiff_t rank = (middle - first) * samples / count;
    const double low = sample.data()[std::max<std::ptrdiff_t>(0, rank - margin)];
    const double high = sample.data()[std::min(samples - 1, rank + margin)];

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

}  // namespace

template <std::size_t D>
std::span<typename BoxTree<D>::Place> BoxTree<D>::places(std::int64_t count) {
  places_.resize(static_cast<std::size_t>(count));
  return places_;
}

template <std::size_t D>
void BoxTree<D>::build(const ThreadPool& pool) {
  const std::int64_t leaves = (size() + kLeafPlaces - 1) / kLeafPlaces;
  leaves_.resize(static_cast<std::size_t>(leaves));
  nodes_.resize(static_cast<std::size_t>(std::max<std::int64_t>(0, 2 * leaves - 1)));
  if (leaves == 0) return;

  // The first cuts level by level, then the subtrees below them on their own.
  std::array<Branch, kParallelBranches> branches, children;
  branches[0] = root();
  std::int64_t count = 1;
  for (; size() >= kParallelPlaces && count < kParallelBranches; count *= 2) {
    pool.for_each(count, [&](std::int64_t b) {
      const Branch& branch = branches[static_cast<std::size_t>(b)];
      cut(branch);
      children[static_cast<std::size_t>(2 * b)] = branch.left();
      children[static_cast<std::size_t>(2 * b + 1)] = branch.right();
    });
    branches = children;
  }
  pool.for_each(count, [&](std::int64_t b) { cut_all(branches[static_cast<std::size_t>(b)]); });
}

// Finds the box of a branch and orders its places so that each half has its own.
template <std::size_t D>
void BoxTree<D>::cut(const Branch& branch) {
  Place* const first = places_.data() + branch.begin * kLeafPlaces;
  Place* const last = places_.data() + std::min(branch.end * kLeafPlaces, size());
  Node box;
  std::copy_n(first->at, D, box.low);
  std::copy_n(first->at, D, box.high);
  box.lowest_row = first->row;
  for (const Place* place = first + 1; place != last; ++place) {
    for (std::size_t d = 0; d < D; ++d) {
      box.low[d] = std::min(box.low[d], place->at[d]);
      box.high[d] = std::max(box.high[d], place->at[d]);
    }
    box.lowest_row = std::min(box.lowest_row, place->row);
  }
  nodes_[static_cast<std::size_t>(branch.node)] = box;
  if (branch.is_leaf()) return;

  std::size_t widest = 0;
  for (std::size_t d = 1; d < D; ++d) {
    if (box.high[d] - box.low[d] > box.high[widest] - box.low[widest]) widest = d;
  }
  Place* const middle = places_.data() + branch.middle() * kLeafPlaces;
  if (box.high[widest] > box.low[widest]) {
    select_place(first, middle, last, widest);
  } else {
    // All in one spot: only rows tell these places apart, and low ones are wanted first.
    std::nth_element(first, middle, last, has_lower_row<Place>);
  }
}

template <std::size_t D>
void BoxTree<D>::cut_all(const Branch& branch) {
  cut(branch);
  if (branch.is_leaf()) {
    fill_leaf(branch.begin);
  } else {
    cut_all(branch.left());
    cut_all(branch.right());
  }
}

template <std::size_t D>
void BoxTree<D>::fill_leaf(std::int64_t number) {
  Place* const first = places_.data() + number * kLeafPlaces;
  const std::int64_t count = places_in(number);
  std::sort(first, first + count, has_lower_row<Place>);
  Leaf& leaf = leaves_[static_cast<std::size_t>(number)];
  for (std::int64_t i = 0; i < kLeafPlaces; ++i) {
    const bool there = i < count;
    for (std::size_t d = 0; d < D; ++d) {
      leaf.at[d][i] = there ? first[i].at[d] : std::numeric_limits<double>::infinity();
    }
    leaf.rows[i] = there ? first[i].row : std::numeric_limits<std::int32_t>::max();
  }
}

template std::span<BoxTree<2>::Place> BoxTree<2>::places(std::int64_t);
template std::span<BoxTree<3>::Place> BoxTree<3>::places(std::int64_t);
template void BoxTree<2>::build(const ThreadPool&);
template void BoxTree<3>::build(const ThreadPool&);

}  // namespace pegnn
