#include <gtest/gtest.h>

#include "head/head.h"

namespace pegnn {
namespace {

TEST(MeanHead, IsTheOutcome) {
  EXPECT_EQ(HeadTarget::outcome, find_part(heads(), "head", "mean").target);
}

TEST(MeanHead, IsOneLinearLayer) {
  const auto head = make_head<double>("mean");
  ParamLayout layout;
  WorkPlan plan;
  head->plan({layout, plan, "head"}, 2);
  Workspace<double> work;
  work.reserve(best_backend<double>(ThreadPool(1)), plan, 1, 0, true);
  AlignedBuffer<double> parameters(layout.size());
  parameters[layout.entries()[0].slot.offset] = 2;
  parameters[layout.entries()[0].slot.offset + 1] = -3;
  parameters[layout.entries()[1].slot.offset] = 0.5;
  const ThreadPool pool(1);
  Schedule schedule(pool);
  const Pass<double> pass{.kernels = reference::kernels<double>(),
                          .schedule = schedule,
                          .work = work,
                          .parameters = parameters.data()};
  double h[2] = {1, 4}, out = 0;
  head->forward(pass, Mat<double>(h, 1, 2), Mat<double>(&out, 1, 1));
  schedule.run();
  EXPECT_EQ(2 - 12 + 0.5, out);
}

}  // namespace
}  // namespace pegnn
