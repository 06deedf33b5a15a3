// Boosted trees that also see the labels of the nearest training points.
//
// Added to coordinates and features, over the k nearest training points j, nearest first:
//
//   y_1 .. y_k,  d_1 .. d_k,  (1/k) sum_j y_j,  sum_j d_j^-2 y_j / sum_j d_j^-2
//
// Rows that weigh count so in learning; what is seen of neighbours stays as it is.
// A training row never sees its own label, so that learning and predicting look at the same thing.
// Labels and distances of the nearest observations as inputs: Sekulic et al., Random Forest Spatial
// Interpolation, Remote Sensing 12, 2020.

#include "base/array.h"
#include "baseline/boosted.h"
#include "baseline/tree_learner.h"
#include "geo/nearest.h"

namespace pegnn {
namespace {

// The mean of labels weighted by inverse squared distance, nearest first; of those at the very
// place where there are any, the limit of such weights.
double inverse_distance_mean(Span<const double> labels, Span<const double> distances) {
  const double nearest = distances[0];
  double sum = 0, total = 0;
  for (std::int64_t j = 0; j < std::ssize(labels); ++j) {
    if (nearest == 0 && distances[j] > 0) break;
    const double ratio = nearest == 0 ? 1.0 : nearest / distances[j];
    sum += ratio * ratio * labels[j];
    total += ratio * ratio;
  }
  return sum / total;
}

class BoostingLabels final : public Boosted {
 public:
  using Boosted::Boosted;

  void store(Arrays& arrays) const override {
    arrays.add_points("points", points_);
    arrays.add("labels", labels_.size(), 1, labels_);
    Boosted::store(arrays);
  }
  void restore(const ArrayReader& arrays, const ThreadPool& pool) override {
    points_ = arrays.points("points", spec_.space);
    if (points_.size() < 2) arrays.refuse("points", "holds fewer than two");
    labels_ = arrays.matrix("labels", points_.size(), 1).values;
    index_.build(points_, spec_.space, pool);
    Boosted::restore(arrays, pool);
  }

 protected:
  std::int64_t added_columns() const override { return 2 * neighbours() + 2; }

  void remember(const BaselineRows& rows, const ThreadPool& pool) override {
    points_.assign(rows.points.begin(), rows.points.end());
    labels_.assign(rows.target.begin(), rows.target.end());
    index_.build(points_, spec_.space, pool);
  }

  void add_columns(const BaselineRows& rows, bool own, const ThreadPool& pool,
                   Mat<double> out) const override {
    const std::int64_t k = neighbours();
    Neighbours found;
    index_.search(rows.points, k, own, pool, found);
    constexpr std::int64_t kBlock = 512;
    pool.for_blocks(rows.rows(), kBlock, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        const Span<double> labels(out.row(i), k), distances(out.row(i) + k, k);
        double sum = 0;
        for (std::int64_t j = 0; j < k; ++j) {
          const std::int64_t e = i * k + j;
          labels[j] = labels_[found.rows[e]];
          distances[j] = found.distances[e];
          sum += labels[j];
        }
        out(i, 2 * k) = sum / static_cast<double>(k);
        out(i, 2 * k + 1) = inverse_distance_mean(labels, distances);
      }
    });
  }

 private:
  // Every training row has that many others, also where rows were held back after k was chosen.
  std::int64_t neighbours() const { return std::min(spec_.options.k, points_.size() - 1); }

  Array<Point> points_;
  Array<double> labels_;
  NearestIndex index_;
};

}  // namespace

extern constinit const BaselineEntry boosting_labels_baseline{
    .info =
        {.name = "boosting_labels",
         .summary = "Gradient-boosted trees that also see the nearest training points' labels.",
         .source =
             "Sekulic et al., Remote Sensing 12, 2020, with Chen and Guestrin's XGBoost, KDD 2016"},
    .holds_back = true,
    .weighs_rows = true,
    .format = 2,  // before, XGBoost's own bytes
    .available = can_learn_trees,
    .resolve = [](Options& options, std::int64_t rows) { resolve_k(options, 10, rows); },
    .make = [](const BaselineSpec& spec) -> std::unique_ptr<Baseline> {
      return std::make_unique<BoostingLabels>(spec);
    }};

}  // namespace pegnn
