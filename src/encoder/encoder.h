#pragma once
// Positional encoders: coordinates become a vector per point. After this no one sees longitude or
// latitude.

#include <cstdint>
#include <memory>

#include "base/array.h"
#include "base/part.h"
#include "nn/initialiser.h"
#include "nn/pass.h"

namespace pegnn {

struct Options;

// An encoder has a fixed part, `basis`, that depends on the coordinates alone and is computed once
// per data set, and a trained part on top of it.
template <class T>
class Encoder {
 public:
  virtual ~Encoder() = default;
  virtual std::int64_t basis_width() const = 0;  // 0: the encoder adds nothing
  virtual std::int64_t width() const = 0;        // of the embedding
  virtual void plan(Builder builder) = 0;
  virtual void initialise(Initialiser<T>& init) const = 0;

  // coordinates: n x 2 in degrees or planar units, out: n x basis_width
  virtual void basis(const Kernels<T>& kernels, const ThreadPool& pool,
                     Mat<const double> coordinates, Mat<T> out) const = 0;
  // basis: n x basis_width, out: n x width
  virtual void forward(const Pass<T>& pass, Mat<const T> basis, Mat<T> out) = 0;
  // Follows a forward of the same rows; `out` is its result. dout is overwritten.
  virtual void backward(const Pass<T>& pass, Mat<const T> basis, Mat<const T> out, Mat<T> dout) = 0;
};

struct EncoderEntry {
  PartInfo info;
  // `options` are resolved: sigma-min and sigma-max are given.
  std::unique_ptr<Encoder<float>> (*make_float)(const Options& options);
  std::unique_ptr<Encoder<double>> (*make_double)(const Options& options);
};

Span<const EncoderEntry* const> encoders();

template <class T>
std::unique_ptr<Encoder<T>> make_encoder(const Options& options);

}  // namespace pegnn
