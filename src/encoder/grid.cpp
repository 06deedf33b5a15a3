// The positional encoder of PE-GNN (Klemmer et al., AISTATS 2023, Eq. 3 and 4; the transform is
// Space2Vec's grid, Mai et al., ICLR 2020).
//
//   ST(c) = [ sin(c_v / s_s), cos(c_v / s_s) ]  over v = 1, 2 and s = 0 .. S-1
//   s_s   = sigma_min (sigma_max / sigma_min)^(s / (S-1))
//   shallow:  sigmoid(W ST + b)                                        (the paper's section 3.4)
//   deep:     W4 tanh(W3 tanh(W2 drop(relu(W1 ST)))), hidden, /2, /4    (the published code)
//
// The transform is laid out by coordinate, then scale, then [sin, cos]. Angles are computed in
// double: at sigma = 1e-6 a coordinate of 120 degrees is an angle of 1.2e8.

#include <algorithm>
#include <vector>

#include "base/array.h"
#include "encoder/encoder.h"
#include "encoder/scales.h"
#include "nn/linear.h"
#include "pegnn/options.h"

namespace pegnn {
namespace {

template <class T>
class Grid final : public Encoder<T> {
 public:
  explicit Grid(const Options& o)
      : scales_(geometric_scales(o.scales, o.sigma_min, o.sigma_max)), embedding_(o.embedding) {
    const auto transform = 4 * scales_.size();
    if (o.encoder_network == "shallow") {
      shapes_ = {{.in = transform, .out = o.embedding, .activation = Activation::sigmoid}};
      return;
    }
    const std::int64_t half = std::max<std::int64_t>(1, o.encoder_hidden / 2);
    const std::int64_t quarter = std::max<std::int64_t>(1, o.encoder_hidden / 4);
    shapes_ = {{.in = transform,
                .out = o.encoder_hidden,
                .activation = Activation::relu,
                .dropout = o.encoder_dropout},
               {.in = o.encoder_hidden, .out = half, .activation = Activation::tanh},
               {.in = half, .out = quarter, .activation = Activation::tanh},
               {.in = quarter, .out = o.embedding}};
  }

  std::int64_t basis_width() const override { return 4 * scales_.size(); }
  std::int64_t width() const override { return embedding_; }

  void plan(Builder builder) override {
    layers_.resize(shapes_.size());
    for (std::int64_t l = 0; l < std::ssize(shapes_); ++l) {
      layers_[l].plan(builder.inside(std::to_string(l)), shapes_[l]);
      if (l + 1 == shapes_.size()) break;
      value_.push_back(builder.work.nodes(shapes_[l].out));
      gradient_.push_back(builder.work.gradients(shapes_[l].out));
    }
  }

  void initialise(Initialiser<T>& init) const override {
    for (const Linear<T>& layer : layers_) layer.initialise(init);
    // The published code starts its first layer from Glorot.
    if (layers_.size() > 1) init.glorot(layers_.front().weight());
  }

  void basis(const Kernels<T>& kernels, const ThreadPool& pool, Mat<const double> coordinates,
             Mat<T> out) const override {
    kernels.sinusoidal(pool, coordinates, scales_, out);
  }

  void forward(const Pass<T>& pass, Mat<const T> basis, Mat<T> out) override {
    Mat<const T> in = basis;
    for (std::int64_t l = 0; l < std::ssize(layers_); ++l) {
      const bool last = l + 1 == layers_.size();
      const Mat<T> to = last ? out : pass.work.nodes(value_[l], basis.rows);
      layers_[l].forward(pass, in, to);
      in = to;
    }
  }

  void backward(const Pass<T>& pass, Mat<const T> basis, Mat<const T> out, Mat<T> dout) override {
    Mat<const T> y = out;
    Mat<T> dy = dout;
    for (std::int64_t l = layers_.size(); l-- > 0;) {
      const bool first = l == 0;
      const Mat<const T> x = first ? basis : pass.work.nodes(value_[l - 1], basis.rows);
      const Mat<T> dx = first ? Mat<T>() : pass.work.nodes(gradient_[l - 1], basis.rows);
      layers_[l].backward(pass, x, y, dy, dx);
      y = x;
      dy = dx;
    }
  }

 private:
  Array<double> scales_;
  std::int64_t embedding_;
  Array<typename Linear<T>::Shape> shapes_;
  Array<Linear<T>> layers_;
  Array<NodeSlot> value_, gradient_;  // between the layers
};

}  // namespace

extern constinit const EncoderEntry grid_encoder{
    .info = {.name = "grid",
             .summary =
                 "Sinusoidal transform of the coordinates at S scales, then a small network.",
             .source = "Klemmer et al. 2023, Eq. 3-4; Mai et al. 2020"},
    .make_float = [](const Options& o) -> std::unique_ptr<Encoder<float>> {
      return std::make_unique<Grid<float>>(o);
    },
    .make_double = [](const Options& o) -> std::unique_ptr<Encoder<double>> {
      return std::make_unique<Grid<double>>(o);
    }};

}  // namespace pegnn
