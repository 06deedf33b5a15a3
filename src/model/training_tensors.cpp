#include "model/training_tensors.h"

#include <cmath>

#include <fmt/core.h>

#include "model/model_error.h"
#include "table/given_points.h"

namespace pegnn {
namespace {

constexpr const char* kPoints = "training.points";
constexpr const char* kFeatures = "training.features";

// Points are written and read as they stand in memory.
static_assert(sizeof(Point) == 2 * sizeof(double), "points are pairs of coordinates");

std::int64_t count_of(const TensorFile& file, const char* name) {
  const TensorInfo* tensor = file.find(name);
  if (tensor == nullptr || tensor->shape.size() != 2) {
    refuse_model(file.source(), fmt::format("tensor '{}' is missing or not a matrix", name));
  }
  return tensor->shape[0];
}

void read_points(const TensorFile& file, ModelState& s) {
  const std::int64_t rows = count_of(file, kPoints);
  expect_shape(file, kPoints, {rows, 2});
  s.points.resize(rows);
  file.read(kPoints, Span(reinterpret_cast<double*>(s.points.data()), 2 * s.points.size()));
  for (const Point& p : s.points) {
    if (!is_place(s.roles.geographic, p)) {
      refuse_model(file.source(), "tensor 'training.points' holds a place that cannot be");
    }
  }
}

}  // namespace

void expect_shape(const TensorFile& file, const std::string& name,
                  const Array<std::int64_t>& shape) {
  const TensorInfo* tensor = file.find(name);
  if (tensor == nullptr || tensor->shape != shape) {
    refuse_model(file.source(), fmt::format("tensor '{}' is missing or not of the shape {} x {}",
                                            name, shape[0], shape[1]));
  }
}

void expect_finite(const TensorFile& file, const std::string& name, Span<const float> values) {
  for (const float v : values) {
    if (!std::isfinite(v)) {
      refuse_model(file.source(),
                   fmt::format("tensor '{}' holds a number that is not finite", name));
    }
  }
}

void add_training(const ModelState& s, TensorFile& file) {
  const auto rows = std::ssize(s.points);
  file.borrow(kPoints, {rows, 2},
              Span(reinterpret_cast<const double*>(s.points.data()), 2 * s.points.size()));
  const std::int64_t width = s.scaler.width();
  file.borrow(kFeatures, {width > 0 ? s.features.size() / width : rows, width},
              Span<const float>(s.features));
}

std::int64_t read_training(const TensorFile& file, const SharedRows& shared, ModelState& s) {
  const bool shares = !shared.points.empty() && file.find(kPoints) == nullptr;
  if (!shares) read_points(file, s);
  const std::int64_t rows = shares ? shared.points.size() : s.points.size();
  const std::int64_t width = s.scaler.width();
  if (shares && file.find(kFeatures) == nullptr && (width == 0 || width == shared.features.cols)) {
    return rows;
  }
  expect_shape(file, kFeatures, {rows, width});
  s.features = file.values<float>(kFeatures, rows * width);
  expect_finite(file, kFeatures, s.features);
  return rows;
}

}  // namespace pegnn
