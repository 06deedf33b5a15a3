#pragma once
// The training rows in the form the network reads, computed once per run.

#include <cstdint>
#include <memory>

#include "base/array.h"
#include "compute/backend.h"
#include "encoder/encoder.h"
#include "neighbourhood/neighbourhood.h"
#include "neighbourhood/training_points.h"
#include "table/dataset.h"
#include "table/scaled_features.h"
#include "table/scaler.h"

namespace pegnn {

struct TrainingSet {
  Array<Point> points;
  std::int64_t feature_count = 0;
  Array<float> features;  // scaled, rows x feature_count
  Array<double> target;   // scaled
  Array<float> labels;    // the same, for networks that read them
  Array<float> weight;    // 1 on average over these rows; empty: all alike
  LabelModel model;       // of networks that listen to labels

  std::int64_t rows() const { return std::ssize(points); }
  Mat<const float> feature_matrix() const { return {features.data(), rows(), feature_count}; }
  TrainingPoints training_points() const { return {points, feature_matrix(), labels, model}; }
};

// The encoder's basis of all rows of a set.
struct KeptBasis {
  std::int64_t width = 0;
  Buffer<float> values;  // rows x width; empty when it would be too large

  bool kept() const { return values.size() > 0; }
};

// All rows of a table as networks read them, those held back too, and what is found of their
// neighbourhoods: once for all networks of a setting that hold back rows one by one. Such a network
// does not learn from the rows it holds back, but listens to them, as it will when it is asked.
struct CommonRows {
  TrainingSet set;
  std::shared_ptr<const Neighbourhood::Common> common;
};

// Scales the given rows of `data`.
TrainingSet make_training_set(const Dataset& data, Span<const std::int64_t> rows,
                              const Scaler& scaler);

// The encoder's basis of all rows is kept while it takes no more than this; above, each batch
// computes its own.
inline constexpr std::int64_t kMostBasisBytes = std::int64_t{512} << 20;

// Computes the encoder's basis of all rows, once, unless it would take more than `max_bytes`.
KeptBasis keep_basis(const Encoder<float>& encoder, const Backend<float>& backend,
                     std::int64_t max_bytes, const TrainingSet& set);

}  // namespace pegnn
