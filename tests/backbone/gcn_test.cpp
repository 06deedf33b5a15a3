#include <cmath>

#include <gtest/gtest.h>

#include "backbone/backbone.h"
#include "support/graphs.h"

namespace pegnn {
namespace {

// A bare layer on two nodes, 0 <- 1 with weight 0.5, by hand.
TEST(Gcn, NormalisesByTheWeightedInDegreeWithASelfLoop) {
  const Graph graph = test::make_graph(2, {{0, 1, 0.5}});
  const auto gcn = make_backbone<double>(
      "gcn", {.in = 1, .width = 1, .layers = 1, .activation = Activation::identity});
  ParamLayout layout;
  WorkPlan plan;
  gcn->plan({layout, plan, "gcn"});
  Workspace<double> work;
  work.reserve(best_backend<double>(ThreadPool(1)), plan, 2, 1, true);
  AlignedBuffer<double> parameters(layout.size());
  parameters[layout.entries()[0].slot.offset] = 2.0;  // weight
  parameters[layout.entries()[1].slot.offset] = 0.1;  // bias
  const ThreadPool pool(1);
  Schedule schedule(pool);
  const Pass<double> pass{.kernels = reference::kernels<double>(),
                          .schedule = schedule,
                          .work = work,
                          .parameters = parameters.data()};
  double x[2] = {3.0, 5.0}, y[2];
  gcn->forward(pass, {graph, Mat<double>(x, 2, 1)}, Mat<double>(y, 2, 1));
  schedule.run();
  // Degrees 1.5 and 1: node 0 hears 6 / 1.5 of itself and 0.5 * 10 / sqrt(1.5) of node 1.
  EXPECT_NEAR(6.0 / 1.5 + 5.0 / std::sqrt(1.5) + 0.1, y[0], 1e-14);
  EXPECT_NEAR(10.0 + 0.1, y[1], 1e-14);
}

TEST(Gcn, ReachesAsManyHopsAsItHasLayers) {
  EXPECT_EQ(3, make_backbone<float>("gcn", {.in = 1, .layers = 3})->hops());
}

}  // namespace
}  // namespace pegnn
