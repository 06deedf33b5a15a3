#pragma once
// Backbones: features on a graph become an embedding per point.

#include <cstdint>
#include <memory>
#include <span>

#include "base/part.h"
#include "graph/graph.h"
#include "nn/initialiser.h"
#include "nn/pass.h"
#include "pegnn/options.h"

namespace pegnn {

struct BackboneSpec {
  std::int64_t in = 0;  // width of the input
  std::int64_t width = 32;
  std::int64_t layers = 2;
  double dropout = 0;
  Activation activation = Activation::relu;  // after every layer
  std::int64_t heads = 1;                    // of an attention; they share the width
  bool edge_attention = false;               // attention sees the edge weights
  bool max_aggregation = false;              // largest of the neighbours instead of their mean
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

  // x: n x in, h: n x width; the graph has n nodes and weighted edges.
  virtual void forward(const Pass<T>& pass, const Graph& graph, Mat<const T> x, Mat<T> h) = 0;
  // Follows a forward of the same rows; `h` is its result; the graph has its reverse edges. dh is
  // overwritten; dx may have no data: not wanted.
  virtual void backward(const Pass<T>& pass, const Graph& graph, Mat<const T> x, Mat<const T> h,
                        Mat<T> dh, Mat<T> dx) = 0;
};

struct BackboneEntry {
  PartInfo info;
  // Works on local graphs (graph/local.h) whose training points carry their labels, instead of one
  // graph over the points.
  bool local = false;
  // Error{usage} for a shape it cannot have; null: it can have any.
  void (*check)(const BackboneSpec& spec) = nullptr;
  std::unique_ptr<Backbone<float>> (*make_float)(const BackboneSpec& spec);
  std::unique_ptr<Backbone<double>> (*make_double)(const BackboneSpec& spec);
};

std::span<const BackboneEntry* const> backbones();

// What the options say of a backbone, for inputs of that width.
BackboneSpec backbone_spec(const Options& options, std::int64_t in);

template <class T>
std::unique_ptr<Backbone<T>> make_backbone(const std::string& name, const BackboneSpec& spec);

}  // namespace pegnn
