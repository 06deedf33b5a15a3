#pragma once
// Everything a trained model is, and its file.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/array.h"
#include "baseline/arrays.h"
#include "model/combination.h"
#include "model/far.h"
#include "model/model_kind.h"
#include "model/safetensors.h"
#include "neighbourhood/training_points.h"
#include "pegnn/answer.h"
#include "pegnn/geo.h"
#include "pegnn/options.h"
#include "pegnn/table.h"
#include "table/scaler.h"

namespace pegnn {

// What is known of the table a model was trained on.
struct Provenance {
  std::string table;                    // file name
  std::string table_hash;               // xxHash-64 of the values used, hexadecimal
  std::int64_t rows = 0;                // rows used, validation included
  double target_lo = 0, target_hi = 0;  // range of the target over those rows
};

// A network, a baseline or a model made of several: its kind (model_kind.h) knows which, and which
// of this it has.
struct ModelState {
  Options options;  // resolved: no option is left to the data any more
  Roles roles;
  Space space = Space::sphere;
  Scaler scaler;
  std::int64_t training_rows = 0;  // rows it learned from, without those held back

  // What was learned from. New points attach to it where the model is a network. Files of baselines
  // written before they kept it have none, and parts of others where theirs are the same.
  Array<Point> points;
  Array<float> features;  // scaled, rows x features

  // Of a network.
  Array<float> labels;          // their scaled target, where the network reads it
  LabelModel label_model;       // where it listens to labels
  Array<float> parameters;      // flat, in the network's layout, one member after the other
  Array<float> far_parameters;  // the same of the far members (far.h)

  MemberWeights weights() const { return {parameters, far_parameters}; }
  // What new points attach to, borrowed from this.
  TrainingPoints training() const {
    const auto rows = std::ssize(points);
    return {points, {features.data(), rows, scaler.width()}, labels, label_model};
  }

  // Of a baseline.
  Arrays arrays;

  // Of a model made of others, each of them whole but for rows that are the same. Options are those
  // that asked for all of it; columns, scaler and rows cover what any part sees.
  std::vector<ModelState> parts;
  Combination combination;

  Provenance provenance;
  std::int64_t steps = 0;      // steps taken
  std::int64_t best_step = 0;  // step whose weights these are
  double best_validation = 0;  // main loss on the validation rows there; NaN without any
};

// An output of the model in the target's units. A target that was constant is predicted exactly.
inline double target_of(const ModelState& state, double scaled) {
  const Provenance& p = state.provenance;
  return p.target_lo == p.target_hi ? p.target_lo : state.scaler.target.invert(scaled);
}

// The same for any column of an answer; `mean` is the scaled mean of its row.
inline double column_of(const ModelState& state, OutputKind kind, double mean, double scaled) {
  if (kind == OutputKind::probability) return scaled;
  if (kind == OutputKind::deviation) return state.scaler.target.invert_deviation(mean, scaled);
  return target_of(state, scaled);
}

// The model as tensors, one for each parameter; checked piece by piece on the way back. What is as
// large as the table is borrowed from `state`, which must outlive them.
TensorFile to_tensors(const ModelState& state);
// Error{model} when a field is missing, does not fit the network it describes, or comes from a
// newer format than kModelFormat.
ModelState from_tensors(const TensorFile& file);
// A part of a model, from tensors and a description of its own; the format is that of the whole.
ModelState part_from_tensors(const TensorFile& file, const SharedRows& shared);

// Where the description stands in the metadata.
inline constexpr const char* kDescriptionKey = "pegnn.model";

// The newest that is written and read. A file has the number of the first format that holds what is
// in it, so that older programs read what they can.
inline constexpr int kModelFormat = 3;

}  // namespace pegnn
