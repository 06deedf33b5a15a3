#pragma once
// The training rows that new points attach to, and what is known of them before a network is.

#include "base/array.h"
#include "base/matrix.h"
#include "baseline/kriging_model.h"
#include "pegnn/geo.h"

namespace pegnn {

// What is learned of the training rows before the network is: their spacing, and a kriging model.
struct LabelModel {
  double unit = 1;  // length in which offsets are told: the median distance of a neighbour
  double extrapolation_ratio = 1;  // gap_ratio (gaps.h) that most of the rows do not reach
  KrigingModel kriging;            // in scaled units; unused without a smoother
  // Share of the network's corrections of the smoother that is kept; the same of far members.
  double blend = 1, far_blend = 1;
};

// Scaled. Borrowed, but for the model.
struct TrainingPoints {
  Span<const Point> points;
  Mat<const float> features;      // rows x features
  Span<const float> labels = {};  // only for networks that read them
  LabelModel model = {};          // only for those that listen to labels
};

// Rows of the training features, in their order.
void gather_features(const TrainingPoints& training, Span<const std::int32_t> rows,
                     Array<float>& out);

}  // namespace pegnn
