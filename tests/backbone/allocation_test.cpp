// Backbones plan their memory and then run without asking for more. The operators below replace
// those of the whole test program; they only count. Sanitizers bring operators of their own.

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

#include <atomic>
#include <cstdlib>
#include <memory>
#include <new>
#include <vector>

#include <gtest/gtest.h>

#include "backbone/backbone.h"
#include "support/allocations.h"
#include "support/gradient.h"
#include "support/graphs.h"
#include "support/labelled.h"

std::atomic<long> pegnn::test::allocations{0};
std::atomic<long long> pegnn::test::allocated_bytes{0};

namespace {
using pegnn::test::allocated_bytes;
using pegnn::test::allocations;

void* counted(void* memory, std::size_t size) {
  ++allocations;
  allocated_bytes += static_cast<long long>(size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
}  // namespace

#include "support/counted_new.inc"

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
      work.reserve(plan, n, graph.edges(), true);
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
      const long before = allocations;
      run();
      const long after = allocations;
      EXPECT_EQ(before, after);
    }
  }
  const long before = allocations;
  ::operator delete(::operator new(1));
  EXPECT_LT(before, allocations.load()) << "the count counts";
}

}  // namespace
}  // namespace pegnn

#endif
