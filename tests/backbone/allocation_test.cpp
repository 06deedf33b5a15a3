// Backbones plan their memory and then run without asking for more.

#include "support/allocations.h"

#ifdef PEGNN_COUNTS_ALLOCATIONS

#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "backbone/backbone.h"
#include "support/gradient.h"
#include "support/graphs.h"
#include "support/labelled.h"

namespace pegnn {
namespace {

TEST(Allocation, ABackboneAsksForNoMemoryWhileItRuns) {
  const Graph graph = test::random_graph(40, 5, 1);
  const std::int64_t n = graph.nodes;
  const ThreadPool pool(1);
  Schedule schedule(pool);
  for (const BackboneEntry* entry : backbones()) {
    for (const bool other : {false, true}) {
      SCOPED_TRACE(std::string(entry->info.name) +
                   (other ? ", heads, edges, maxima and among" : ""));
      const BackboneSpec spec =
          test::with_columns({.in = 3,
                              .width = 4,
                              .dropout = 0.5,
                              .heads = other ? 2 : 1,
                              .part = {{"edge-attention", other},
                                       {"aggregation", other ? "max" : "mean"},
                                       {"among", other ? 2 : 0}}});
      const auto backbone = entry->make_float(spec);
      ParamLayout layout;
      WorkPlan plan;
      backbone->plan({layout, plan, "b"});
      Workspace<float> work;
      work.reserve(best_backend<float>(pool), plan, n, graph.edges(), true);
      AlignedBuffer<float> parameters(layout.size()), gradients(layout.size());
      const std::vector<double> values = test::random_values(static_cast<std::size_t>(3 * n), 2);
      std::vector<float> x(values.begin(), values.end());
      const test::LabelledNodes<float> labels(graph, spec, Mat<float>(x.data(), n, 3));
      const BackboneInput<float> input{graph, Mat<float>(x.data(), n, 3), labels.labelled()};
      const std::int64_t width = backbone->width();
      std::vector<float> h(static_cast<std::size_t>(width * n)), dh(h.size(), 1.0F), dx(x.size());
      const Pass<float> pass{.kernels = best_kernels<float>(),
                             .schedule = schedule,
                             .work = work,
                             .parameters = parameters.data(),
                             .gradients = gradients.data(),
                             .training = true};
      const auto run = [&] {
        backbone->forward(pass, input, Mat<float>(h.data(), n, width));
        backbone->backward(pass, input, Mat<float>(h.data(), n, width),
                           Mat<float>(dh.data(), n, width), Mat<float>(dx.data(), n, 3));
        schedule.run();
      };
      run();  // the schedule takes its memory
      const long before = test::allocations;
      run();
      const long after = test::allocations;
      EXPECT_EQ(before, after);
    }
  }
  const long before = test::allocations;
  ::operator delete(::operator new(1));
  EXPECT_LT(before, test::allocations.load()) << "the count counts";
}

}  // namespace
}  // namespace pegnn

#endif
