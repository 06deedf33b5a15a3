// Moran's I: local, as every training step needs it, and with its permutation test.

#include <string>
#include <vector>

#include "bench/bench.h"
#include "bench/data.h"
#include "graph/graph.h"
#include "stats/moran.h"

namespace pegnn::bench {
namespace {

constexpr int kPermutations = 99;
constexpr std::int64_t kMostTested = 100'000;  // beyond, a test takes minutes

struct Case {
  ThreadPool pool{threads()};
  Dataset data;
  Graph graph;

  explicit Case(std::int64_t rows) : data(make_data(rows)) {
    NearestIndex index;
    Neighbours neighbours;
    knn_graph(data.points, data.space, kNeighbours, pool, index, neighbours, graph);
  }
  NeighbourLists lists() const { return {graph.offsets, graph.columns}; }
};

void measure_local(benchmark::State& state, std::int64_t rows) {
  const Case c(rows);
  std::vector<double> local(static_cast<std::size_t>(rows));
  for (auto _ : state) {
    local_moran(c.data.y, c.lists(), {}, c.pool, local);
    benchmark::ClobberMemory();
  }
  count_rows(state, rows);
  if (rows == kBatch) calls_per_step(state, 1);
}

void measure_tested(benchmark::State& state, std::int64_t rows) {
  const Case c(rows);
  const MoranOptions options{.permutations = kPermutations};
  for (auto _ : state) benchmark::DoNotOptimize(moran(c.data.y, c.lists(), options, c.pool));
  count_rows(state, rows);
}

}  // namespace

void add_stats_cases() {
  std::vector<std::int64_t> sizes = growth_sizes();
  for (const std::int64_t rows : sizes) {
    if (rows > kMostTested) continue;
    add_case("moran/tested99/" + std::to_string(rows), benchmark::kMillisecond,
             [=](benchmark::State& state) { measure_tested(state, rows); });
  }
  sizes.push_back(kBatch);
  for (const std::int64_t rows : sizes) {
    add_case("moran/local/" + std::to_string(rows), benchmark::kMillisecond,
             [=](benchmark::State& state) { measure_local(state, rows); });
  }
}

}  // namespace pegnn::bench
