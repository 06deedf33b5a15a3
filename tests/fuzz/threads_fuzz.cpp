// The same bits on one thread and on several: graphs, Moran's I, dense systems, and models from the
// table to their predictions, for drawn tables and options.

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "backbone/backbone.h"
#include "base/part.h"
#include "baseline/baseline.h"
#include "fuzz.h"
#include "graph/graph.h"
#include "linalg/cholesky.h"
#include "pegnn/stats.h"
#include "pegnn/train.h"
#include "stats/moran.h"
#include "support/options.h"
#include "support/tables.h"

namespace pegnn::fuzz {
namespace {

const ThreadPool& pool_of(int threads) {
  static const ThreadPool kOne(1), kTwo(2), kFive(5);
  return threads == 1 ? kOne : threads == 2 ? kTwo : kFive;
}

// Drawn once, rounded so that places coincide, then computed with by one thread and by several.
std::vector<Point> draw_points(Bytes& bytes) {
  const auto count = bytes.ConsumeIntegralInRange<std::size_t>(1, 3000);
  const Rng rng{bytes.ConsumeIntegral<std::uint16_t>(), Stream::sample};
  const double step =
      std::pow(10.0, -static_cast<double>(bytes.ConsumeIntegral<std::uint8_t>() % 8));
  std::vector<Point> points(count);
  for (std::size_t i = 0; i < count; ++i) {
    points[i] = {std::round((360 * rng.uniform(0, i) - 180) / step) * step,
                 std::clamp(std::round((180 * rng.uniform(1, i) - 90) / step) * step, -90.0, 90.0)};
  }
  return points;
}

void check_graph(Bytes& bytes) {
  const std::vector<Point> points = draw_points(bytes);
  const std::int64_t k = bytes.ConsumeIntegralInRange<std::int64_t>(1, 30);
  const Rng rng{bytes.ConsumeIntegral<std::uint16_t>(), Stream::sample};
  std::vector<double> y(points.size());
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = rng.uniform(2, i);
  MoranOptions options;
  options.permutations = 9;

  const auto run = [&](int threads, Graph& graph, Moran& global, std::vector<double>& local) {
    NearestIndex index;
    Neighbours scratch;
    knn_graph(points, Space::sphere, k, pool_of(threads), index, scratch, graph);
    local.resize(y.size());
    local_moran(y, {graph.offsets, graph.columns}, {}, pool_of(threads), local);
    global = moran(y, {graph.offsets, graph.columns}, options, pool_of(threads));
  };
  Graph one, many;
  Moran global_one, global_many;
  std::vector<double> local_one, local_many;
  run(1, one, global_one, local_one);
  run(bytes.ConsumeBool() ? 2 : 5, many, global_many, local_many);
  must(one.columns == many.columns && same_bits(one.lengths, many.lengths),
       "threads build the same graph");
  must(same_bits(local_one, local_many), "threads give the same local Moran's I");
  must(same_bits(global_one.I, global_many.I) && same_bits(global_one.p_sim, global_many.p_sim) &&
           same_bits(global_one.p, global_many.p),
       "threads give the same Moran's I and its test");
}

void check_system(Bytes& bytes) {
  const std::int64_t n = bytes.ConsumeIntegralInRange<std::int64_t>(1, 200);
  const std::int64_t m = bytes.ConsumeIntegralInRange<std::int64_t>(1, 9);
  const double nugget =
      std::pow(10.0, -static_cast<double>(bytes.ConsumeIntegral<std::uint8_t>() % 12));
  const Rng rng{bytes.ConsumeIntegral<std::uint16_t>(), Stream::sample};
  const auto size = static_cast<std::size_t>(n);
  const auto run = [&](int threads) {
    std::vector<double> a(size * size), b(size * static_cast<std::size_t>(m));
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t j = 0; j < size; ++j) {
        a[i * size + j] =
            std::exp(-std::abs(rng.uniform(0, i) - rng.uniform(0, j))) + (i == j ? nugget : 0);
      }
    }
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = rng.uniform(1, i);
    if (!cholesky(pool_of(threads), {a.data(), n, n})) return std::vector<double>{};
    solve_lower(pool_of(threads), {a.data(), n, n}, {b.data(), n, m});
    solve_lower_transposed(pool_of(threads), {a.data(), n, n}, {b.data(), n, m});
    invert_from_cholesky(pool_of(threads), {a.data(), n, n});
    b.insert(b.end(), a.begin(), a.end());
    return b;
  };
  must(same_bits(run(1), run(bytes.ConsumeBool() ? 2 : 5)), "threads solve a system alike");
}

std::vector<std::string> every_model() {
  std::vector<std::string> names = part_names(baselines());
  for (const std::string& backbone : part_names(backbones())) {
    names.push_back(backbone);
    names.push_back("pe-" + backbone);
  }
  return names;
}

void check_model(Bytes& bytes) {
  static const std::vector<std::string> kNames = every_model();
  Options o = test::small_model(kNames[bytes.ConsumeIntegral<std::uint8_t>() % kNames.size()]);
  o.steps = bytes.ConsumeIntegralInRange<std::int64_t>(1, 3);
  o.evaluate_every = 1;
  o.k = bytes.ConsumeIntegralInRange<std::int64_t>(1, 8);
  o.batch = bytes.ConsumeIntegralInRange<std::int64_t>(0, 200);
  o.width = o.heads * bytes.ConsumeIntegralInRange<std::int64_t>(1, 9);
  o.encoder_hidden = 4 * bytes.ConsumeIntegralInRange<std::int64_t>(1, 5);
  o.embedding = bytes.ConsumeIntegralInRange<std::int64_t>(1, 9);
  o.scales = bytes.ConsumeIntegralInRange<std::int64_t>(1, 5);
  o.lambda = bytes.ConsumeBool() ? 0.5 : 0;
  o.ranks = bytes.ConsumeBool();
  o.validation = bytes.ConsumeBool() ? 0.3 : 0;
  o.members = bytes.ConsumeIntegralInRange<std::int64_t>(1, 2);
  o.seed = bytes.ConsumeIntegral<std::uint16_t>();
  o.gp_rows = 64;
  o.gp_steps = 2;
  o.inducing = 9;
  o.trees = 3;
  const auto rows = bytes.ConsumeIntegralInRange<std::size_t>(5, 300);
  const bool features = bytes.ConsumeBool();
  const Table table = test::smooth_table(rows, bytes.ConsumeIntegral<std::uint16_t>());
  const Table asked = test::smooth_table(200, 9);
  const auto run = [&](int threads, std::string& model, std::vector<double>& predicted) {
    return refusal_of([&] {
      const TrainResult result =
          train(table, test::smooth_roles(features), o, false, {.threads = threads});
      model = result.model.bytes();
      predicted = result.model.predict(asked, {}, false, {.threads = threads});
    });
  };
  std::string one, many;
  std::vector<double> predicted_one, predicted_many;
  const Refusal refusal_one = run(1, one, predicted_one);
  const Refusal refusal_many = run(bytes.ConsumeBool() ? 2 : 3, many, predicted_many);
  must(refusal_one == refusal_many, "threads refuse alike",
       refusal_one.message + " / " + refusal_many.message);
  must(one == many, "threads train the same model");
  must(same_bits(predicted_one, predicted_many), "threads predict alike");
}

void check(Bytes bytes) {
  switch (bytes.ConsumeIntegral<std::uint8_t>() % 4) {
    case 0:
      return check_graph(bytes);
    case 1:
      return check_system(bytes);
    default:
      return check_model(bytes);
  }
}

}  // namespace
}  // namespace pegnn::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  pegnn::fuzz::check({data, size});
  return 0;
}
