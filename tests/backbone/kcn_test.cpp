#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "backbone/backbone.h"
#include "graph/local.h"
#include "model/network.h"
#include "support/gradient.h"

namespace pegnn {
namespace {

Options kcn_options() {
  Options o;
  o.backbone = "kcn";
  o.encoder = "none";
  o.lambda = 0;
  o.layers = 2;
  o.width = 6;
  o.dropout = 0;
  return o;
}

// A network on the local graphs of a few queries, with the inputs of their nodes.
struct Fixture {
  explicit Fixture(const Options& options)
      : network(options, 0), parameters(network.layout().size()) {
    for (std::size_t i = 0; i < 20; ++i) {
      const double t = static_cast<double>(i);
      train.push_back({std::sin(t), std::cos(1.7 * t)});
      labels.push_back(std::sin(3 * t));
    }
    AttachScratch scratch;
    LocalAttacher(train, Space::plane, 3, pool).attach(queries, pool, scratch, attached);
    network.initialise(3, parameters.span());
    network.reserve(best_backend<double>(pool), attached.graph.nodes, attached.graph.edges(),
                    false);
  }

  std::vector<double> predict() {
    const std::int64_t nodes = attached.graph.nodes;
    Array<double> inputs(nodes * kLabelInputs);
    for (std::int64_t i = 0; i < nodes; ++i) {
      const bool query = i >= attached.train_rows.size();
      inputs[2 * i] = query ? 0 : Span(labels)[attached.train_rows[i]];
      inputs[2 * i + 1] = query ? 1 : 0;
    }
    const Pass<double> pass{.kernels = reference::kernels<double>(),
                            .schedule = schedule,
                            .work = network.work(),
                            .parameters = parameters.data()};
    const auto out = network.forward(pass, {.graph = attached.graph,
                                            .features = {nullptr, nodes, 0},
                                            .basis = {nullptr, nodes, 0},
                                            .columns = {inputs.data(), nodes, kLabelInputs},
                                            .queries = attached.queries});
    return {out.data, out.data + out.rows};
  }

  ThreadPool pool{1};
  Schedule schedule{pool};
  std::vector<Point> train, queries{{0.1, 0.2}, {-0.7, 0.4}};
  std::vector<double> labels;
  AttachedGraph attached;
  Network<double> network;
  AlignedBuffer<double> parameters;
};

TEST(Kcn, PredictsTheQueriesAlone) { EXPECT_EQ(2U, Fixture(kcn_options()).predict().size()); }

TEST(Kcn, HearsTheLabelsOfItsNeighboursAndOfNobodyElse) {
  Fixture f(kcn_options());
  const std::vector<double> before = f.predict();
  for (std::size_t row = 0; row < f.labels.size(); ++row) {
    const double kept = f.labels[row];
    f.labels[row] += 1;
    const std::vector<double> after = f.predict();
    for (std::size_t q = 0; q < 2; ++q) {
      const auto begin = f.attached.train_rows.begin() + static_cast<std::ptrdiff_t>(3 * q);
      const bool heard = std::find(begin, begin + 3, static_cast<std::int32_t>(row)) != begin + 3;
      EXPECT_EQ(heard, before[q] != after[q]) << "query " << q << ", training point " << row;
    }
    f.labels[row] = kept;
  }
}

TEST(Kcn, HasNoBiasInItsLayers) {
  const Network<double> network(kcn_options(), 0);
  for (const NamedParam& p : network.layout().entries()) {
    EXPECT_FALSE(p.name.starts_with("backbone") && p.name.ends_with("bias")) << p.name;
  }
}

}  // namespace
}  // namespace pegnn
