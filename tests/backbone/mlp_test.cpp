#include <gtest/gtest.h>

#include "backbone/backbone.h"
#include "support/graphs.h"

namespace pegnn {
namespace {

TEST(Mlp, IgnoresTheGraph) {
  const auto mlp = make_backbone<double>("mlp", {.in = 1, .width = 1, .layers = 1});
  EXPECT_EQ(0, mlp->hops());
  ParamLayout layout;
  WorkPlan plan;
  mlp->plan({layout, plan, "mlp"});
  Workspace<double> work;
  work.reserve(best_backend<double>(ThreadPool(1)), plan, 2, 1, true);
  AlignedBuffer<double> parameters(layout.size());
  parameters[layout.entries()[0].slot.offset] = 2.0;   // weight
  parameters[layout.entries()[1].slot.offset] = -1.0;  // bias
  const ThreadPool pool(1);
  Schedule schedule(pool);
  const Pass<double> pass{.kernels = reference::kernels<double>(),
                          .schedule = schedule,
                          .work = work,
                          .parameters = parameters.data()};
  double x[2] = {3.0, -5.0}, y[2];
  const Graph graph = test::make_graph(2, {{0, 1, 1.0}});
  mlp->forward(pass, {graph, Mat<double>(x, 2, 1)}, Mat<double>(y, 2, 1));
  schedule.run();
  EXPECT_EQ(5.0, y[0]);
  EXPECT_EQ(0.0, y[1]) << "ReLU";
}

}  // namespace
}  // namespace pegnn
