#include "base/array.h"
#include "baseline/vecchia.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/philox.h"
#include "geo/nearest.h"

namespace pegnn {
namespace {

// Finds parents in a random order of the observations.
class ParentSearch {
 public:
  ParentSearch(const Observations& observations, std::int64_t most_parents, std::uint64_t seed,
               const ThreadPool& pool)
      : o_(observations), pool_(pool), most_parents_(most_parents) {
    order_.resize(observations.points.size());
    std::iota(order_.begin(), order_.end(), 0);
    shuffle(order_.data(), observations.size(), Rng{seed, Stream::sample}, 0);
    points_ = gather(o_.points, order_);
  }

  std::int32_t observation(std::int32_t position) const { return order_[position]; }

  // Among all before each position: for the first ones, where a search structure does not pay.
  void one_by_one(Span<const std::int32_t> positions, std::int32_t* parents) const {
    constexpr std::int64_t kBlock = 16;
    pool_.for_blocks(std::ssize(positions), kBlock, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t q = begin; q < end; ++q) {
        one(positions[q], parents + q * most_parents_);
      }
    });
  }

  // Among the first `known`, at least most_parents, which stand before all of the positions.
  void among_first(std::int64_t known, Span<const std::int32_t> positions, std::int32_t* parents) {
    gather(points_, positions, queries_);
    index_.build({points_.data(), known}, o_.space, pool_);
    index_.search(queries_, most_parents_, false, pool_, found_);
    std::transform(found_.rows.begin(), found_.rows.end(), parents,
                   [&](std::int32_t position) { return observation(position); });
  }

 private:
  void one(std::int32_t position, std::int32_t* parents) const {
    const auto place = [&](std::int32_t i) { return o_.places[i]; };
    const Place own = place(observation(position));
    Array<std::pair<double, std::int32_t>> earlier;
    for (std::int32_t i = 0; i < position; ++i) {
      earlier.emplace_back(squared_distance(own, place(observation(i))), observation(i));
    }
    std::sort(earlier.begin(), earlier.end());
    const auto count = std::min(most_parents_, earlier.size());
    for (std::int64_t j = 0; j < count; ++j) parents[j] = earlier[j].second;
  }

  const Observations& o_;
  const ThreadPool& pool_;
  std::int64_t most_parents_;
  Array<std::int32_t> order_;  // the observation at each position
  Array<Point> points_;        // in that order
  NearestIndex index_;
  Neighbours found_;
  Array<Point> queries_;
};

}  // namespace

VecchiaTerms vecchia_terms(const Observations& observations, std::int64_t most_parents,
                           std::int64_t most_terms, std::uint64_t seed, const ThreadPool& pool,
                           const FitProgress& progress) {
  const std::int64_t n = observations.size();
  const Array<std::int32_t> positions = draw_sample(n, most_terms, seed, 1);
  VecchiaTerms terms;
  terms.most_parents = std::min(most_parents, n - 1);
  terms.parents.assign(positions.size() * terms.most_parents, -1);
  ParentSearch search(observations, terms.most_parents, seed, pool);
  for (const std::int32_t i : positions) terms.children.push_back(search.observation(i));

  std::int64_t known = 0;
  std::int64_t next = std::max<std::int64_t>(64, 4 * terms.most_parents);
  for (auto first = positions.begin(); first != positions.end();) {
    progress.check();
    const auto last = std::lower_bound(first, positions.end(), next);
    std::int32_t* parents = terms.parents.data() + (first - positions.begin()) * terms.most_parents;
    if (known == 0) {
      search.one_by_one({first, last}, parents);
    } else if (first != last) {
      search.among_first(known, {first, last}, parents);
    }
    first = last;
    known = next;
    next += next / 4;
  }
  return terms;
}

}  // namespace pegnn
