#pragma once
// Neighbourhoods of the training rows among all training points and among those that a hold-out
// leaves, found once per run, and which neighbours a step sees.

#include <cstdint>
#include <memory>
#include <vector>

#include "base/array.h"
#include "neighbourhood/label_field.h"
#include "pegnn/options.h"

namespace pegnn {

// The training points that a hold-out leaves: where neighbours come from when a training row is to
// be predicted as if it lay far from the data.
class HoldOutView {
 public:
  // A random share of the training points. Views of one seed are told apart by their number.
  static HoldOutView of_share(const LabelField& field, double share, std::uint64_t seed,
                              std::uint64_t number, const ThreadPool& pool);
  // The points are cut into so many blocks, a power of two, which fall to one of two halves at
  // random: a row sees the points of the other half, as a row does in a block that is held out.
  static HoldOutView of_blocks(const LabelField& field, std::int64_t blocks, std::uint64_t seed,
                               std::uint64_t number, const ThreadPool& pool);

  // Points in its smallest index.
  std::int64_t points() const;
  // What training points see, given with their numbers.
  void find_neighbours(const LabelField& field, Span<const Point> points, Mat<const float> features,
                       Span<const std::int32_t> own, const ThreadPool& pool,
                       LabelNeighbourhoods& out) const;

 private:
  Array<std::uint8_t> halves_;  // that each point falls to; empty: a share
  LabelIndex index_[2];         // of the points that rows of half 0 see, and of half 1
};

// The paper shuffles neighbourhoods by drawing them from batches. Here, in a share of the steps
// (`--thinning`), a row's neighbours come from such a view of the training points. And a step sees
// a random part of the neighbours (`--subsets`).
class LabelLists {
 public:
  // Of more training rows so many, drawn at random, are learned from; all are neighbours.
  static constexpr std::int64_t kMostRows = 65536;

  // What lists of one field have in common: the rows that are learned from and their neighbours
  // among all points.
  struct Near {
    Array<std::int32_t> rows;  // ascending
    LabelNeighbourhoods around;
  };
  static std::shared_ptr<const Near> find_near(const LabelField& field, std::uint64_t seed,
                                               const ThreadPool& pool);

  // `near` is of this field.
  LabelLists(std::shared_ptr<const LabelField> field, std::shared_ptr<const Near> near,
             const Options& options, const ThreadPool& pool);

  // The rows that are learned from, of so many training points.
  static Array<std::int32_t> rows_of(std::int64_t points, std::uint64_t seed);

  const LabelField& field() const { return *field_; }
  // Training rows that are learned from, ascending.
  Span<const std::int32_t> rows() const { return near_->rows; }
  // Beside the training points as they lie.
  std::int64_t views() const { return views_.size(); }

  // What some of these rows (training rows by number, with their places) see in a step.
  struct Scratch {
    Array<std::int32_t> which, ranks;
  };
  void link(Span<const std::int32_t> rows, Span<const Point> places, std::int64_t step,
            const Backend<float>& backend, Scratch& scratch, NeighbourhoodView& out) const;

 private:
  void add_view(const HoldOutView& view, Span<const Point> points, Mat<const float> features,
                const ThreadPool& pool);
  void draw_ranks(std::int64_t step, std::int64_t k, Array<std::int32_t>& ranks) const;

  std::shared_ptr<const LabelField> field_;
  double subsets_, thinning_;
  std::uint64_t seed_;
  std::shared_ptr<const Near> near_;
  Array<LabelNeighbourhoods> views_;  // of the same rows
};

}  // namespace pegnn
