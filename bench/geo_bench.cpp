// The kNN graph of a set of points, and new points joined to training points, at growing sizes.

#include <string>
#include <vector>

#include "bench/bench.h"
#include "bench/data.h"
#include "graph/attach.h"
#include "graph/graph.h"

namespace pegnn::bench {
namespace {

constexpr std::int64_t kRoadRows = 434'874;  // of the largest real table the goals speak of
constexpr std::int64_t kQueries = 10'000;

struct Kind {
  const char* name;
  Places places;
};
constexpr Kind kKinds[] = {{"uniform", Places::uniform}, {"clustered", Places::clustered}};

// Index and graph are rebuilt in the same memory, as training does every step.
void measure_knn(benchmark::State& state, std::int64_t rows, Places places) {
  const ThreadPool pool(threads());
  const std::vector<Point> points = make_points(rows, places);
  NearestIndex index;
  Neighbours neighbours;
  Graph graph;
  for (auto _ : state) {
    knn_graph(points, Space::sphere, kNeighbours, pool, index, neighbours, graph);
    benchmark::ClobberMemory();
  }
  count_rows(state, rows);
  if (rows == kBatch && places == Places::uniform) calls_per_step(state, 1);
}

// 10,000 new points join `rows` training points; two layers of messages reach two edges far.
void measure_attach(benchmark::State& state, std::int64_t rows, Places places) {
  const ThreadPool pool(threads());
  const std::vector<Point> queries = make_points(kQueries, places, 2);
  const Attacher attacher(make_points(rows, places), Space::sphere, kNeighbours, EdgeWeight::minmax,
                          2, pool);
  AttachScratch scratch;
  AttachedGraph graph;
  for (auto _ : state) {
    attacher.attach(queries, pool, scratch, graph);
    benchmark::ClobberMemory();
  }
  count_rows(state, kQueries);
}

}  // namespace

void add_geo_cases() {
  std::vector<std::int64_t> sizes = growth_sizes();
  for (const Kind& kind : kKinds) {
    for (const std::int64_t rows : sizes) {
      add_case(std::string("attach/") + kind.name + "/" + std::to_string(rows),
               benchmark::kMillisecond,
               [=](benchmark::State& state) { measure_attach(state, rows, kind.places); });
    }
  }
  sizes.insert(sizes.end(), {kBatch, kRoadRows});
  for (const Kind& kind : kKinds) {
    for (const std::int64_t rows : sizes) {
      add_case(std::string("knn/") + kind.name + "/" + std::to_string(rows),
               benchmark::kMillisecond,
               [=](benchmark::State& state) { measure_knn(state, rows, kind.places); });
    }
  }
}

}  // namespace pegnn::bench
