#pragma once
// Heads: the embedding of a point becomes what is asked for.

#include <cstdint>
#include <memory>
#include <string>

#include "base/array.h"
#include "base/part.h"
#include "nn/initialiser.h"
#include "nn/pass.h"

namespace pegnn {

template <class T>
class Head {
 public:
  virtual ~Head() = default;
  virtual void plan(Builder builder, std::int64_t in) = 0;
  virtual void initialise(Initialiser<T>& init) const = 0;
  // Of the linear layer it is: 1 x in, and its bias.
  virtual ParamSlot weight() const = 0;
  virtual ParamSlot bias() const = 0;
  // h: n x in, out: n x 1
  virtual void forward(const Pass<T>& pass, Mat<const T> h, Mat<T> out) const = 0;
  // dout is overwritten; dh += or = the gradient of h.
  virtual void backward(const Pass<T>& pass, Mat<const T> h, Mat<const T> out, Mat<T> dout,
                        Mat<T> dh, bool add_to_dh) const = 0;
};

// What a head's output is trained on.
enum class HeadTarget {
  outcome,      // the table's target
  local_moran,  // the local Moran's I of the target on the batch's graph
};

struct HeadEntry {
  PartInfo info;
  HeadTarget target;
  std::unique_ptr<Head<float>> (*make_float)();
  std::unique_ptr<Head<double>> (*make_double)();
};

Span<const HeadEntry* const> heads();

template <class T>
std::unique_ptr<Head<T>> make_head(const std::string& name);

}  // namespace pegnn
