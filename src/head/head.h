#pragma once
// Heads: the embedding of a point becomes what is asked for.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/array.h"
#include "base/part.h"
#include "nn/initialiser.h"
#include "nn/pass.h"
#include "pegnn/answer.h"

namespace pegnn {

// The embedding of a node becomes `outputs` numbers, which a loss is taken of; these become the
// columns of an answer, in scaled units.
template <class T>
class Head {
 public:
  virtual ~Head() = default;
  virtual std::int64_t outputs() const = 0;
  virtual void plan(Builder builder, std::int64_t in) = 0;
  virtual void initialise(Initialiser<T>& init) const = 0;
  // Of the linear layer it is: outputs x in, and its bias. The first output is where the prediction
  // starts from (Backbone::start_head).
  virtual ParamSlot weight() const = 0;
  virtual ParamSlot bias() const = 0;
  // h: n x in, out: n x outputs
  virtual void forward(const Pass<T>& pass, Mat<const T> h, Mat<T> out) const = 0;
  // dout is overwritten; dh += or = the gradient of h.
  virtual void backward(const Pass<T>& pass, Mat<const T> h, Mat<const T> out, Mat<T> dout,
                        Mat<T> dh, bool add_to_dh) const = 0;

  // What the outputs say of the target; the first column is the mean. None of a head that serves
  // another purpose.
  virtual std::vector<OutputColumn> columns() const = 0;
  // raw: n x outputs, answers: n x columns, in scaled units
  virtual void answer(Mat<const T> raw, Mat<T> answers) const = 0;
};

// What a head's output is trained on.
enum class HeadTarget {
  outcome,      // the table's target
  local_moran,  // the local Moran's I of the target on the batch's graph
};

struct HeadEntry {
  PartInfo info;
  HeadTarget target;
  Span<const std::string_view> losses;  // that it can be trained with; its own comes first
  std::unique_ptr<Head<float>> (*make_float)();
  std::unique_ptr<Head<double>> (*make_double)();
};

Span<const HeadEntry* const> heads();

template <class T>
std::unique_ptr<Head<T>> make_head(const std::string& name);

}  // namespace pegnn
