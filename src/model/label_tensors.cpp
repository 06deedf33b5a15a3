#include "model/label_tensors.h"

#include <cmath>

#include <fmt/core.h>

#include "base/array.h"
#include "model/model_error.h"

namespace pegnn {
namespace {

// "labels.model": unit, extrapolation ratio, blend, far blend; "labels.process": kernel, range,
// sill, nugget; "labels.mean".
constexpr std::int64_t kModel = 4, kProcess = 4;

}  // namespace

void add_label_model(const ModelState& s, TensorFile& file) {
  const LabelModel& m = s.label_model;
  const double model[kModel] = {m.unit, m.extrapolation_ratio, m.blend, m.far_blend};
  const SpatialModel& p = m.kriging.process;
  const double process[kProcess] = {static_cast<double>(p.kernel), p.range, p.sill, p.nugget};
  file.add("labels.model", {1, kModel}, Span<const double>(model));
  file.add("labels.process", {1, kProcess}, Span<const double>(process));
  file.add("labels.mean", {1, std::ssize(m.kriging.mean)}, Span<const double>(m.kriging.mean));
}

void read_label_model(const TensorFile& file, ModelState& s) {
  const auto model = file.values<double>("labels.model", kModel);
  const auto process = file.values<double>("labels.process", kProcess);
  LabelModel& m = s.label_model;
  m.kriging.mean = file.values<double>("labels.mean");
  const auto refuse = [&](const char* what) {
    refuse_model(file.source(), fmt::format("{} cannot be used", what));
  };
  const bool smooth = s.options.part.word("smoother") != "none";
  if (smooth && std::ssize(m.kriging.mean) != s.scaler.width() + 1) {
    refuse("tensor 'labels.mean'");
  }
  for (const double v : m.kriging.mean) {
    if (!std::isfinite(v)) refuse("tensor 'labels.mean'");
  }
  m.unit = model[0];
  m.extrapolation_ratio = model[1];
  m.blend = model[2];
  m.far_blend = model[3];
  const auto share = [](double v) { return v >= 0 && v <= 1; };
  if (!(m.unit > 0) || !std::isfinite(m.unit) || !share(m.extrapolation_ratio) || !share(m.blend) ||
      !share(m.far_blend)) {
    refuse("tensor 'labels.model'");
  }
  SpatialModel& p = m.kriging.process;
  const auto last = static_cast<double>(Covariance::gaussian);
  if (!(process[0] >= 0 && process[0] <= last) || process[0] != std::floor(process[0])) {
    refuse("the covariance in tensor 'labels.process'");
  }
  p.kernel = static_cast<Covariance>(static_cast<int>(process[0]));
  p.range = process[1];
  p.sill = process[2];
  p.nugget = process[3];
  if (!(p.range > 0) || !(p.sill >= 0) || !(p.nugget >= 0) ||
      !std::isfinite(p.range + p.sill + p.nugget)) {
    refuse("tensor 'labels.process'");
  }
}

}  // namespace pegnn
