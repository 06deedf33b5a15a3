#pragma once
// Backbones: features on a graph become an embedding per point.

#include <cstdint>
#include <memory>

#include "base/array.h"
#include "base/part.h"
#include "graph/graph.h"
#include "graph/input_columns.h"
#include "nn/initialiser.h"
#include "nn/pass.h"
#include "pegnn/part_option.h"

namespace pegnn {

struct Options;

struct BackboneSpec {
  std::int64_t in = 0;  // width of the input
  std::int64_t width = 32;
  std::int64_t layers = 2;
  double dropout = 0;
  Activation activation = Activation::relu;  // after every layer
  std::int64_t heads = 1;                    // of an attention; they share the width
  // Widths of the parts of the input; the columns that it reads of a neighbourhood come last.
  std::int64_t encoder = 0, features = 0;
  PartOptions part = {};  // what backbones declare for themselves
};

// Training points with their labels, and how they lie to the points that attend to them: then row i
// of the graph is the i-th point and its columns are numbers of sources.
template <class T>
struct Labelled {
  Mat<const T> sources;            // features of every training point and, last, its label
  Mat<const T> edges;              // what every edge is told
  const T* log_weights = nullptr;  // how much its source counts, as a logarithm; null: all in full
};

// What a backbone works on.
template <class T>
struct BackboneInput {
  const Graph& graph;  // n nodes; weighted edges but for labelled points
  Mat<const T> x;      // n x in
  Labelled<T> labelled = {};
};

template <class T>
class Backbone {
 public:
  virtual ~Backbone() = default;
  virtual std::int64_t width() const = 0;  // of the embedding
  // How many edges away a point can still change a prediction: the layers that pass messages.
  virtual std::int64_t hops() const = 0;
  virtual void plan(Builder builder) = 0;
  virtual void initialise(Initialiser<T>& init) const = 0;

  // h: n x width.
  virtual void forward(const Pass<T>& pass, const BackboneInput<T>& in, Mat<T> h) = 0;
  // Follows a forward of the same rows; `h` is its result; the graph has its reverse edges, but for
  // labelled points. dh is overwritten; dx may have no data: not wanted.
  virtual void backward(const Pass<T>& pass, const BackboneInput<T>& in, Mat<const T> h, Mat<T> dh,
                        Mat<T> dx) = 0;

  // Moves the weights of a linear head on the embedding (1 x width) and its bias to where training
  // should begin; most backbones leave them as they are.
  virtual void start_head(Initialiser<T>&, ParamSlot /*weight*/, ParamSlot /*bias*/) const {}
};

struct BackboneEntry {
  PartInfo info;
  std::string_view neighbourhood = "shuffled";  // whom its points listen to (neighbourhoods.def)
  InputColumns reads = {};                      // what it must be told of them
  bool encoder_first =
      false;  // its input is [encoder, features, columns], else [features, encoder, columns]
  // Before the first step it predicts well, and training may not find anything better.
  bool starts_well = false;
  std::int64_t neighbours = 5;  // what `--k 0` stands for
  // Error{usage} for a shape it cannot have; null: it can have any.
  void (*check)(const BackboneSpec& spec) = nullptr;
  std::unique_ptr<Backbone<float>> (*make_float)(const BackboneSpec& spec);
  std::unique_ptr<Backbone<double>> (*make_double)(const BackboneSpec& spec);
};

Span<const BackboneEntry* const> backbones();

// What the options say of a backbone; the widths of its input are left to the caller.
BackboneSpec backbone_spec(const Options& options);

template <class T>
std::unique_ptr<Backbone<T>> make_backbone(const std::string& name, const BackboneSpec& spec);

}  // namespace pegnn
