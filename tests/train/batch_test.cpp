#include "train/batch.h"

#include <algorithm>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "stats/moran.h"
#include "train/batch_order.h"

namespace pegnn {
namespace {

constexpr std::int64_t kBasis = 3;

// Its basis is kept in the training set, and nothing else is asked of it.
class NoEncoder final : public Encoder<float> {
 public:
  std::int64_t basis_width() const override { return kBasis; }
  std::int64_t width() const override { return kBasis; }
  void plan(Builder) override {}
  void initialise(Initialiser<float>&) const override {}
  void basis(const Kernels<float>&, const ThreadPool&, Mat<const double>,
             Mat<float>) const override {
    FAIL() << "the basis is kept";
  }
  void forward(const Pass<float>&, Mat<const float>, Mat<float>) override {}
  void backward(const Pass<float>&, Mat<const float>, Mat<const float>, Mat<float>) override {}
};

// Every row carries its number in features, basis and target.
TrainingSet numbered_set(std::int64_t rows) {
  TrainingSet set;
  set.feature_count = 2;
  for (std::int64_t i = 0; i < rows; ++i) {
    const auto x = static_cast<double>(i * 7919 % 1009), y = static_cast<double>(i * 104729 % 997);
    set.points.push_back({-124 + x / 100, 32 + y / 100});
    set.target.push_back(static_cast<double>(i));
    set.labels.push_back(static_cast<float>(i));
    set.features.insert(set.features.end(), {static_cast<float>(i), -static_cast<float>(i)});
  }
  return set;
}

KeptBasis numbered_basis(std::int64_t rows) {
  KeptBasis basis{.width = kBasis, .values = {}};
  basis.values.resize(rows * kBasis);
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t b = 0; b < kBasis; ++b) {
      basis.values.data()[i * kBasis + b] = static_cast<float>(10 * i + b);
    }
  }
  return basis;
}

Options small_options() {
  Options options;
  options.k = 5;
  options.moran_scale = "none";
  return options;
}

// Batches of rows of a set on the paper's graph, with the auxiliary task.
struct Numbered {
  KeptBasis numbers;
};
struct Source : Numbered, BatchSource {
  Source(const TrainingSet& of, Space space, std::int64_t batch, const ThreadPool& pool)
      : Numbered{numbered_basis(of.rows())},
        BatchSource(of, numbers, small_options(), space,
                    make_neighbourhood({.options = small_options(),
                                        .space = space,
                                        .hops = 2,
                                        .training = of.training_points()}),
                    true, batch, best_backend<float>(pool)) {}
};

std::vector<std::int32_t> rows_of(const Batch& batch) {
  std::vector<std::int32_t> rows;
  for (const float label : batch.target().outcome) rows.push_back(static_cast<std::int32_t>(label));
  return rows;
}

TEST(Batch, HoldsTheRowsDrawnWithAllThatBelongsToThem) {
  const TrainingSet set = numbered_set(500);
  const ThreadPool pool(1);
  const Source batch_source(set, Space::sphere, 60, pool);
  Batch batch(batch_source);
  BatchOrder order(500, 60, 1);
  for (std::int64_t step = 0; step < 20; ++step) {
    const auto drawn = order.rows_of(step);
    batch.assemble(drawn, 0, NoEncoder());
    const auto rows = rows_of(batch);
    EXPECT_EQ(std::set<std::int32_t>(drawn.begin(), drawn.end()),
              std::set<std::int32_t>(rows.begin(), rows.end()));
    const NetworkInput<float> input = batch.input();
    ASSERT_EQ(60, input.features.rows);
    for (std::int64_t i = 0; i < 60; ++i) {
      const auto row = static_cast<float>(rows[static_cast<std::size_t>(i)]);
      EXPECT_EQ(row, input.features(i, 0));
      EXPECT_EQ(-row, input.features(i, 1));
      EXPECT_EQ(10 * row + 2, input.basis(i, 2));
    }
  }
}

TEST(Batch, WeightsStandBesideTheirRows) {
  TrainingSet set = numbered_set(500);
  const ThreadPool pool(1);
  const Source plain_source(set, Space::sphere, 60, pool);
  Batch plain(plain_source);
  EXPECT_TRUE(plain.target().weight.empty());
  for (std::int64_t i = 0; i < 500; ++i) set.weight.push_back(static_cast<float>(i) / 2);
  const Source batch_source(set, Space::sphere, 60, pool);
  Batch batch(batch_source);
  BatchOrder order(500, 60, 1);
  for (std::int64_t step = 0; step < 3; ++step) {
    batch.assemble(order.rows_of(step), 0, NoEncoder());
    const auto rows = rows_of(batch);
    ASSERT_EQ(60U, batch.target().weight.size());
    for (std::size_t i = 0; i < 60; ++i) {
      EXPECT_EQ(static_cast<float>(rows[i]) / 2, batch.target().weight[i]);
    }
  }
}

TEST(Batch, IsLinkedAndMeasuredAsItsPointsAre) {
  const TrainingSet set = numbered_set(500);
  const ThreadPool pool(1);
  for (const Space space : {Space::sphere, Space::plane}) {
    const Source batch_source(set, space, 100, pool);
    Batch batch(batch_source);
    batch.assemble(BatchOrder(500, 100, 4).rows_of(7), 7, NoEncoder());
    std::vector<Point> points;
    std::vector<double> target;
    for (const std::int32_t row : rows_of(batch)) {
      points.push_back(set.points[static_cast<std::size_t>(row)]);
      target.push_back(set.target[static_cast<std::size_t>(row)]);
    }
    Graph expected;
    NearestIndex index;
    Neighbours scratch;
    knn_graph(points, space, 5, pool, index, scratch, expected);
    const Graph& graph = batch.input().graph;
    EXPECT_EQ(expected.offsets, graph.offsets);
    EXPECT_EQ(expected.columns, graph.columns);
    EXPECT_EQ(expected.lengths, graph.lengths);
    EXPECT_EQ(graph.columns.size(), graph.reverse_columns.size());
    std::vector<double> moran(100);
    local_moran(target, {expected.offsets, expected.columns}, {}, pool, moran);
    for (std::size_t i = 0; i < 100; ++i) {
      EXPECT_EQ(static_cast<float>(moran[i]), batch.target().local_moran[i]);
    }
  }
}

TEST(Batch, OfAllRowsStaysAsItIs) {
  const TrainingSet set = numbered_set(300);
  const ThreadPool pool(1);
  const Source batch_source(set, Space::sphere, 300, pool);
  Batch batch(batch_source);
  BatchOrder order(300, 0, 1);
  batch.assemble(order.rows_of(0), 0, NoEncoder());
  const auto rows = rows_of(batch);
  EXPECT_EQ(300U, std::set<std::int32_t>(rows.begin(), rows.end()).size());
  const Graph graph = batch.input().graph;
  batch.assemble(order.rows_of(1), 1, NoEncoder());
  EXPECT_EQ(rows, rows_of(batch));
  EXPECT_EQ(graph.columns, batch.input().graph.columns);
  EXPECT_EQ(graph.weights, batch.input().graph.weights);
  EXPECT_EQ(graph.reverse_edge, batch.input().graph.reverse_edge);
}

TEST(Batch, IsTheSameForAnyNumberOfThreads) {
  const TrainingSet set = numbered_set(3000);
  const ThreadPool one(1);
  const Source expected_source(set, Space::sphere, 1000, one);
  Batch expected(expected_source);
  expected.assemble(BatchOrder(3000, 1000, 2).rows_of(1), 1, NoEncoder());
  for (const int threads : {2, 3}) {
    const ThreadPool pool(threads);
    const Source batch_source(set, Space::sphere, 1000, pool);
    Batch batch(batch_source);
    batch.assemble(BatchOrder(3000, 1000, 2).rows_of(1), 1, NoEncoder());
    EXPECT_EQ(rows_of(expected), rows_of(batch));
    EXPECT_EQ(expected.input().graph.weights, batch.input().graph.weights);
    EXPECT_TRUE(std::ranges::equal(expected.target().local_moran, batch.target().local_moran));
  }
}

}  // namespace
}  // namespace pegnn
