#include "neighbourhood/label_lists.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/array.h"
#include "base/philox.h"
#include "geo/blocks.h"

namespace pegnn {
namespace {

// Shares of the training points, and numbers of blocks that they are cut into: the holes in which
// half of the points lie have about 1/256, 1/64 and 1/16 of them, or more where blocks of one half
// adjoin.
constexpr double kShares[] = {1.0 / 4, 1.0 / 16};
constexpr std::int64_t kBlocks[] = {256, 64, 16};
// Blocks of fewer points than these are no holes.
constexpr std::int64_t kFewestInBlock = 8;
// A view has at least so many points for each neighbour that is looked for.
constexpr std::int64_t kPointsPerNeighbour = 2;
// Of the neighbours that there are, a step sees at least so many.
constexpr std::int64_t kFewestNeighbours = 3;

// What a random number is for, beside its step or draw.
enum Draw : std::uint64_t { kPart = 0, kWhichList, kHowMany, kShuffle, kRows };

Rng rng_for(std::uint64_t seed) { return {seed, Stream::neighbours}; }

// Points of the other half, or of a share, in ascending order.
template <class Chosen>
Array<std::int32_t> points_where(const LabelField& field, Chosen&& chosen) {
  Array<std::int32_t> rows;
  const auto count = static_cast<std::int32_t>(field.training().points.size());
  for (std::int32_t i = 0; i < count; ++i) {
    if (chosen(i)) rows.push_back(i);
  }
  return rows;
}

}  // namespace

HoldOutView HoldOutView::of_share(const LabelField& field, double share, std::uint64_t seed,
                                  std::uint64_t number, const ThreadPool& pool) {
  HoldOutView view;
  const Rng rng = rng_for(seed);
  const auto chosen = [&](std::int32_t i) {
    return rng.uniform(number * 16 + kPart, static_cast<std::uint64_t>(i)) < share;
  };
  field.build(points_where(field, chosen), pool, view.index_[0]);
  return view;
}

HoldOutView HoldOutView::of_blocks(const LabelField& field, std::int64_t blocks, std::uint64_t seed,
                                   std::uint64_t number, const ThreadPool& pool) {
  HoldOutView view;
  const Rng rng = rng_for(seed);
  const Space ground = ground_of(field.space());
  for (const std::int32_t block : equal_blocks(field.training().points, ground, blocks)) {
    const bool second = rng.uniform(number * 16 + kPart, static_cast<std::uint64_t>(block)) < 0.5;
    view.halves_.push_back(second ? 1 : 0);
  }
  for (const int half : {0, 1}) {
    const auto across = [&](std::int32_t i) { return view.halves_[i] != half; };
    field.build(points_where(field, across), pool, view.index_[half]);
  }
  return view;
}

std::int64_t HoldOutView::points() const {
  const std::int64_t first = index_[0].rows.size();
  return halves_.empty() ? first : std::min(first, index_[1].rows.size());
}

void HoldOutView::find_neighbours(const LabelField& field, Span<const Point> points,
                                  Mat<const float> features, Span<const std::int32_t> own,
                                  const ThreadPool& pool, LabelNeighbourhoods& out) const {
  if (halves_.empty()) return field.find_neighbours(index_[0], points, features, own, pool, out);
  const std::int64_t k = field.k();
  out.found.k = field.k();
  out.found.rows.resize(points.size() * k);
  out.found.distances.clear();
  out.weights.resize(points.size() * k);
  out.smooth.resize(points.size() * kLabelInputs);
  out.gaps.resize(points.size());
  for (const int half : {0, 1}) {
    Array<std::int64_t> which;
    Array<float> inputs;
    for (std::int64_t i = 0; i < std::ssize(points); ++i) {
      if (halves_[own[i]] != half) continue;
      which.push_back(i);
      const float* const row = features.row(i);
      inputs.insert(inputs.end(), row, row + features.cols);
    }
    LabelNeighbourhoods part;
    const auto count = std::ssize(which);
    field.find_neighbours(index_[half], gather(points, which),
                          {inputs.data(), count, features.cols}, {}, pool, part);
    const auto put = [&](const auto& from, std::int64_t each, auto& to) {
      for (std::int64_t i = 0; i < std::ssize(which); ++i) {
        std::copy_n(from.begin() + i * each, each, to.begin() + which[i] * each);
      }
    };
    put(part.found.rows, k, out.found.rows);
    put(part.weights, k, out.weights);
    if (!part.log_weights.empty()) {
      out.log_weights.resize(points.size() * k);
      put(part.log_weights, k, out.log_weights);
    }
    put(part.smooth, kLabelInputs, out.smooth);
    put(part.gaps, 1, out.gaps);
  }
}

std::shared_ptr<const LabelLists::Near> LabelLists::find_near(const LabelField& field,
                                                              std::uint64_t seed,
                                                              const ThreadPool& pool) {
  const TrainingPoints& training = field.training();
  auto near = std::make_shared<Near>();
  near->rows = rows_of(training.points.size(), seed);
  const Array<Point> points = gather(training.points, near->rows);
  Array<float> inputs;
  gather_features(training, near->rows, inputs);
  field.find_neighbours(field.all(), points,
                        {inputs.data(), near->rows.size(), training.features.cols}, near->rows,
                        pool, near->around);
  field.keep_edges(points, pool, near->around);
  return near;
}

LabelLists::LabelLists(std::shared_ptr<const LabelField> field, std::shared_ptr<const Near> near,
                       const Options& options, const ThreadPool& pool)
    : field_(std::move(field)),
      subsets_(options.part.number("subsets")),
      thinning_(options.part.number("thinning")),
      seed_(static_cast<std::uint64_t>(options.seed)),
      near_(std::move(near)) {
  if (thinning_ == 0) return;
  const TrainingPoints& training = field_->training();
  const Array<Point> points = gather(training.points, near_->rows);
  Array<float> inputs;
  gather_features(training, near_->rows, inputs);
  const Mat<const float> features{inputs.data(), std::ssize(points), training.features.cols};
  std::uint64_t number = 0;
  for (const double share : kShares) {
    add_view(HoldOutView::of_share(*field_, share, seed_, number++, pool), points, features, pool);
  }
  for (const std::int64_t blocks : kBlocks) {
    if (std::ssize(training.points) < blocks * kFewestInBlock) continue;
    add_view(HoldOutView::of_blocks(*field_, blocks, seed_, number++, pool), points, features,
             pool);
  }
}

void LabelLists::add_view(const HoldOutView& view, Span<const Point> points,
                          Mat<const float> features, const ThreadPool& pool) {
  if (view.points() < kPointsPerNeighbour * field_->k()) return;
  view.find_neighbours(*field_, points, features, near_->rows, pool, views_.emplace_back());
}

Array<std::int32_t> LabelLists::rows_of(std::int64_t points, std::uint64_t seed) {
  Array<std::int32_t> rows(points);
  std::iota(rows.begin(), rows.end(), 0);
  if (points <= kMostRows) return rows;
  // The first of a shuffled deck.
  const Rng rng = rng_for(seed);
  for (std::int64_t i = 0; i < kMostRows; ++i) {
    const auto j = i + static_cast<std::int64_t>(rng.below(static_cast<std::uint64_t>(points - i),
                                                           kRows, static_cast<std::uint64_t>(i)));
    std::swap(rows[i], rows[j]);
  }
  rows.resize(kMostRows);
  rows.shrink_to_fit();
  std::ranges::sort(rows);
  return rows;
}

void LabelLists::draw_ranks(std::int64_t step, std::int64_t k, Array<std::int32_t>& ranks) const {
  const Rng rng = rng_for(seed_);
  const auto at = static_cast<std::uint64_t>(step) * 16;
  const auto share = static_cast<std::int64_t>(std::ceil(subsets_ * static_cast<double>(k)));
  const std::int64_t fewest = std::clamp(share, std::min(kFewestNeighbours, k), k);
  const auto more = static_cast<std::uint64_t>(k - fewest) + 1;
  const auto count = fewest + static_cast<std::int64_t>(rng.below(more, at + kHowMany, 0));
  ranks.resize(k);
  std::iota(ranks.begin(), ranks.end(), 0);
  shuffle(ranks.data(), k, rng, at + kShuffle);
  ranks.resize(count);
  std::sort(ranks.begin(), ranks.end());
}

void LabelLists::link(Span<const std::int32_t> rows, Span<const Point> places, std::int64_t step,
                      const Backend<float>& backend, Scratch& scratch,
                      NeighbourhoodView& out) const {
  const Rng rng = rng_for(seed_);
  const auto at = static_cast<std::uint64_t>(step) * 16 + kWhichList;
  const LabelNeighbourhoods* around = &near_->around;
  if (!views_.empty() && rng.uniform(at, 0) < thinning_) {
    around = &views_[static_cast<std::int64_t>(
        rng.below(static_cast<std::uint64_t>(views_.size()), at, 1))];
  }
  draw_ranks(step, around->found.k, scratch.ranks);
  scratch.which.resize(rows.size());
  const bool all = std::ssize(near_->rows) == std::ssize(field_->training().points);
  for (std::int64_t i = 0; i < std::ssize(rows); ++i) {
    scratch.which[i] = rows[i];
    if (all) continue;
    const auto found = std::lower_bound(near_->rows.begin(), near_->rows.end(), rows[i]);
    scratch.which[i] = static_cast<std::int32_t>(found - near_->rows.begin());
  }
  field_->link(places, *around, scratch.which, scratch.ranks, backend, out);
}

}  // namespace pegnn
