#pragma once
// The matrix products of a training step and nothing else: what the step is measured against.

#include <cstdint>
#include <vector>

#include "base/aligned_buffer.h"
#include "kernels/kernels.h"
#include "pegnn/options.h"

namespace pegnn::bench {

// Forward x w^T of every layer in order, then backward dy^T x and dy w in reverse order, by the
// kernels that the step itself uses, on one schedule, without bias, activation or dropout. Shapes
// are those of the network that `options` describe; a layer reads what the one before it has
// written, as in the step. Where the step passes messages nothing happens. The first layer has no
// gradient of its input.
class StepProducts {
 public:
  // `nodes` rows go through the network, the last `outputs` of them through the heads.
  StepProducts(const Options& options, std::int64_t features, std::int64_t nodes,
               std::int64_t outputs);

  void run(Schedule& schedule);
  double flops() const;

 private:
  struct Layer {
    Mat<float> x, w, y;     // views of values and weights
    Mat<float> dx, dw, dy;  // of gradients; dx without data: not wanted
    bool add_to_dx = false;
  };
  Mat<float> room(std::int64_t rows, std::int64_t cols);

  std::vector<AlignedBuffer<float>> memory_;
  std::vector<Layer> layers_;
};

}  // namespace pegnn::bench
