#include "train/snapshot.h"

#include <cmath>
#include <span>

#include "model/safetensors.h"
#include "pegnn/error.h"

namespace pegnn {
namespace {

// The order of numbers in the tensors "scalars", "counts" and "curve".
constexpr std::int64_t kScalars = 4, kCounts = 4, kCurveColumns = 8;

// Raised with the layout, and whenever the same options and seed give other numbers than before: a
// run is continued by the arithmetic it was begun with, or not at all.
constexpr const char* kFormat = "2";

}  // namespace

void save_snapshot(const Snapshot& s, const std::filesystem::path& file) {
  TensorFile out;
  out.metadata["pegnn.snapshot"] = kFormat;
  out.metadata["fingerprint"] = s.fingerprint;
  const double scalars[kScalars] = {s.best_validation, s.sums[0], s.sums[1], s.sums[2]};
  const std::int64_t counts[kCounts] = {s.step, s.looks_without_gain, s.best_step, s.summed};
  std::vector<double> curve;
  for (const TrainProgress& p : s.curve) {
    curve.insert(curve.end(), {static_cast<double>(p.step), p.loss, p.main, p.auxiliary,
                               p.validation, p.sigma_main, p.sigma_auxiliary, p.seconds});
  }
  const auto size = static_cast<std::int64_t>(s.parameters.size());
  out.add("scalars", {kScalars}, std::span<const double>(scalars));
  out.add("counts", {kCounts}, std::span<const std::int64_t>(counts));
  out.add("curve", {static_cast<std::int64_t>(s.curve.size()), kCurveColumns},
          std::span<const double>(curve));
  out.add("parameters", {size}, std::span<const float>(s.parameters));
  out.add("first_moment", {size}, std::span<const float>(s.first_moment));
  out.add("second_moment", {size}, std::span<const float>(s.second_moment));
  out.add("best_parameters", {size}, std::span<const float>(s.best_parameters));
  save_tensors(out, file);
}

Snapshot load_snapshot(const std::filesystem::path& file, std::int64_t size) {
  const TensorFile in = load_tensors(file);
  if (in.text("pegnn.snapshot") != kFormat) {
    throw Error(ErrorKind::model, in.source() + ": a snapshot of another version of pegnn");
  }
  Snapshot s;
  s.fingerprint = in.text("fingerprint");
  const auto scalars = in.values<double>("scalars", kScalars);
  const auto counts = in.values<std::int64_t>("counts", kCounts);
  s.best_validation = scalars[0];
  for (int i = 0; i < 3; ++i) s.sums[i] = scalars[static_cast<std::size_t>(i) + 1];
  s.step = counts[0];
  s.looks_without_gain = counts[1];
  s.best_step = counts[2];
  s.summed = counts[3];
  s.parameters = in.values<float>("parameters", size);
  s.first_moment = in.values<float>("first_moment", size);
  s.second_moment = in.values<float>("second_moment", size);
  s.best_parameters = in.values<float>("best_parameters", size);
  const auto curve = in.values<double>("curve");
  for (std::size_t i = 0; i + kCurveColumns <= curve.size(); i += kCurveColumns) {
    s.curve.push_back({.step = static_cast<std::int64_t>(curve[i]),
                       .loss = curve[i + 1],
                       .main = curve[i + 2],
                       .auxiliary = curve[i + 3],
                       .validation = curve[i + 4],
                       .sigma_main = curve[i + 5],
                       .sigma_auxiliary = curve[i + 6],
                       .seconds = curve[i + 7],
                       .measured = true});
  }
  return s;
}

}  // namespace pegnn
