#pragma once
// Neighbours of the training rows among all training points and among random parts of them, found
// once per run, and which of them a step sees.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "model/label_field.h"
#include "pegnn/options.h"

namespace pegnn {

// Where neighbours come from when a row is to be predicted as if it lay far from the data.
class FarView {
 public:
  // A random share of the training points. Views of one seed are told apart by their number.
  static FarView of_share(const LabelField& field, double share, std::uint64_t seed,
                          std::uint64_t number, const ThreadPool& pool);
  // Space is cut into cubes of that size, and these fall to one of two halves at random: a row sees
  // the points of the other half, as a row does in a block that is held out. `size` is in metres on
  // the sphere, else in coordinate units.
  static FarView of_cubes(const LabelField& field, double size, std::uint64_t seed,
                          std::uint64_t number, const ThreadPool& pool);

  // Points in its smallest index.
  std::int64_t points() const;
  void survey(const LabelField& field, std::span<const Point> points, Mat<const float> features,
              std::span<const std::int32_t> own, const ThreadPool& pool, Surroundings& out) const;

 private:
  FarView(double cube, std::uint64_t seed, std::uint64_t number)
      : cube_(cube), seed_(seed), number_(number) {}
  // Half of the cube that a place lies in; 0 for shares.
  std::size_t half_of(const LabelField& field, Point point) const;

  double cube_;  // size; 0: a share
  std::uint64_t seed_, number_;
  LabelIndex index_[2];  // of the points that rows of half 0 see, and of half 1
};

// The paper shuffles neighbourhoods by drawing them from batches. Here, in a share of the steps
// (`--thinning`), a row's neighbours come from a far view of the training points. And a step sees a
// random part of the neighbours (`--subsets`).
class LabelLists {
 public:
  // Of more training rows so many, drawn at random, are learned from; all are neighbours.
  static constexpr std::int64_t kMostRows = 65536;

  LabelLists(std::shared_ptr<const LabelField> field, const Options& options,
             const ThreadPool& pool);

  const LabelField& field() const { return *field_; }
  // Training rows that are learned from, ascending.
  std::span<const std::int32_t> rows() const { return rows_; }
  // To look at rows held back with.
  std::span<const FarView> views() const { return views_; }

  // What some of these rows (training rows by number, with their places) see in a step.
  struct Scratch {
    std::vector<std::int32_t> which, ranks;
  };
  void link(std::span<const std::int32_t> rows, std::span<const Point> places, std::int64_t step,
            const ThreadPool& pool, Scratch& scratch, LabelGraph& out) const;

 private:
  void choose_rows(std::uint64_t seed);
  void add_view(FarView view, std::span<const Point> points, Mat<const float> features,
                const ThreadPool& pool);
  void draw_ranks(std::int64_t step, std::int64_t k, std::vector<std::int32_t>& ranks) const;

  std::shared_ptr<const LabelField> field_;
  double subsets_, thinning_;
  std::uint64_t seed_;
  std::vector<std::int32_t> rows_;
  std::vector<FarView> views_;
  std::vector<Surroundings> lists_;  // among all points, then by each view
};

}  // namespace pegnn
