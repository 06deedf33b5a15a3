#include "bench/products.h"

#include <algorithm>
#include <string_view>

#include "bench/data.h"
#include "model/network.h"

namespace pegnn::bench {
namespace {

struct Shape {
  std::int64_t in = 0, out = 0;
  bool head = false;
};

// The weights of the network's layers in the order they are used: encoder, backbone, heads.
std::vector<Shape> layer_shapes(const Options& options, std::int64_t features) {
  const Network<float> network(options, features);
  std::vector<Shape> shapes;
  for (const NamedParam& p : network.layout().entries()) {
    const std::string_view name = p.name;
    if (!name.ends_with(".weight")) continue;
    const bool head = name.starts_with("head.") || name.starts_with("moran.");
    shapes.push_back({p.slot.cols, p.slot.rows, head});
  }
  return shapes;
}

}  // namespace

// Filled with numbers around zero, so that no product meets denormals or infinities.
Mat<float> StepProducts::room(std::int64_t rows, std::int64_t cols) {
  memory_.push_back(random_floats(rows * cols, -0.5F, 0.5F, memory_.size()));
  return {memory_.back().data(), rows, cols};
}

StepProducts::StepProducts(const Options& options, std::int64_t features, std::int64_t nodes,
                           std::int64_t outputs) {
  const std::vector<Shape> shapes = layer_shapes(options, features);
  Mat<float> x = room(nodes, shapes.front().in), dx;
  for (std::size_t l = 0; l < shapes.size(); ++l) {
    const Shape shape = shapes[l];
    Layer layer{.x = x,
                .w = room(shape.out, shape.in),
                .y = {},
                .dx = dx,
                .dw = room(shape.out, shape.in),
                .dy = {}};
    if (shape.head) {
      layer.x = x.block(nodes - outputs, outputs);
      layer.dx = dx.block(nodes - outputs, outputs);
      layer.y = room(outputs, shape.out);
      layer.dy = room(outputs, shape.out);
      // Gradients of several heads are added up; the last layer here is the first on the way back.
      layer.add_to_dx = l + 1 < shapes.size();
      layers_.push_back(layer);
      continue;
    }
    // What the next layer reads may be wider (features before the embedding) or narrower (a layer
    // that makes two matrices at once, added up by the aggregation).
    const std::int64_t next = l + 1 < shapes.size() ? shapes[l + 1].in : shape.out;
    const std::int64_t before = next > shape.out ? features : 0;
    const Mat<float> value = room(nodes, std::max(shape.out, next));
    const Mat<float> gradient = room(nodes, std::max(shape.out, next));
    layer.y = value.columns(before, shape.out);
    layer.dy = gradient.columns(before, shape.out);
    x = value.columns(0, next);
    dx = gradient.columns(0, next);
    layers_.push_back(layer);
  }
}

void StepProducts::run(Schedule& schedule) {
  const Kernels<float>& kernels = best_kernels<float>();
  for (const Layer& l : layers_) kernels.linear(schedule, l.x, l.w, {}, l.y);
  for (std::size_t i = layers_.size(); i-- > 0;) {
    const Layer& l = layers_[i];
    kernels.linear_backward(schedule, l.x, l.w, l.y, {}, l.dy, l.dx, l.add_to_dx, l.dw, nullptr);
  }
  schedule.run();
}

double StepProducts::flops() const {
  double sum = 0;
  for (const Layer& l : layers_) {
    const double one = 2.0 * static_cast<double>(l.x.rows * l.w.rows * l.w.cols);
    sum += l.dx.data != nullptr ? 3 * one : 2 * one;
  }
  return sum;
}

}  // namespace pegnn::bench
