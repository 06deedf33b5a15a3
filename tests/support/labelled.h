#pragma once
// Labelled points for tests of any backbone: those that listen to labels find them in the input,
// the others do not look.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "backbone/backbone.h"

namespace pegnn::test {

// The spec with the columns of its input shared out as backbones that listen to labels read them:
// an encoder's half, features, what is known of labels.   spec.in: more than kLabelInputs
inline BackboneSpec with_columns(BackboneSpec spec) {
  const std::int64_t left = spec.in - kLabelInputs;
  spec.encoder = left / 2;
  spec.features = left - spec.encoder;
  return spec;
}

// Every node of a graph is a source too, so that the columns of any graph are numbers of sources.
// What an edge is told follows from its weight: it goes along when nodes are renumbered.
template <class T>
class LabelledNodes {
 public:
  // rows: nodes x features and the label, copied
  LabelledNodes(const Graph& graph, Mat<const T> rows) : width_(rows.cols) {
    for (std::int64_t i = 0; i < rows.rows; ++i) {
      sources_.insert(sources_.end(), rows.row(i), rows.row(i) + width_);
    }
    for (const double weight : graph.weights) {
      for (int c = 0; c < kEdgeInputs; ++c) {
        edges_.push_back(static_cast<T>(std::sin(9.0 * weight * (c + 1) + c)));
      }
    }
  }
  // From the inputs of the nodes: their features, and for a label the first of what follows them.
  LabelledNodes(const Graph& graph, const BackboneSpec& spec, Mat<const T> x)
      : LabelledNodes(graph, x.columns(spec.encoder, spec.features + 1)) {}

  Labelled<T> labelled() const {
    const auto numbers = static_cast<std::int64_t>(sources_.size());
    const auto edge_numbers = static_cast<std::int64_t>(edges_.size());
    return {{sources_.data(), numbers / width_, width_},
            {edges_.data(), edge_numbers / kEdgeInputs, kEdgeInputs}};
  }

 private:
  std::int64_t width_;
  std::vector<T> sources_, edges_;
};

}  // namespace pegnn::test
