#include "train/snapshot.h"

#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/core.h>

#include "base/array.h"
#include "model/model_error.h"
#include "pegnn/version.h"

namespace pegnn {
namespace {

// The order of numbers in the tensors "scalars", "counts" and "curve".
constexpr std::int64_t kScalars = 4, kCounts = 4, kCurveColumns = 8;
// The same for the tensors of a task that is done.
constexpr std::int64_t kDoneScalars = 1, kDoneCounts = 2;

// Names of tensors begin so, then come the key of the task and what it is; every task has counts.
constexpr std::string_view kDone = "done.", kBegun = "begun.", kCountsOf = ".counts";

constexpr double kMostSteps = 9.0e15;  // of --steps

// Raised with the layout, and whenever the same options and seed give other numbers than before: a
// run is continued by the arithmetic it was begun with, or not at all.
constexpr const char* kFormat = "5";

void add_curve(const std::string& name, const std::vector<TrainProgress>& curve, TensorFile& out) {
  Array<double> numbers;
  for (const TrainProgress& p : curve) {
    numbers.insert(numbers.end(), {static_cast<double>(p.step), p.loss, p.main, p.auxiliary,
                                   p.validation, p.sigma_main, p.sigma_auxiliary, p.seconds});
  }
  out.add(name, {std::ssize(curve), kCurveColumns}, Span<const double>(numbers));
}

[[noreturn]] void refuse(const TensorFile& in, const std::string& name, const char* what) {
  refuse_model(in.source(), fmt::format("tensor '{}' {}", name, what));
}

std::vector<TrainProgress> curve_of(const TensorFile& in, const std::string& name) {
  std::vector<TrainProgress> curve;
  const auto numbers = in.values<double>(name);
  if (numbers.size() % kCurveColumns != 0) refuse(in, name, "has a row that is not complete");
  for (std::int64_t i = 0; i < numbers.size(); i += kCurveColumns) {
    const bool is_count = numbers[i] >= 0 && numbers[i] <= kMostSteps;
    if (!is_count || numbers[i] != std::floor(numbers[i])) {
      refuse(in, name, "holds no count of steps");
    }
    curve.push_back({.step = static_cast<std::int64_t>(numbers[i]),
                     .loss = numbers[i + 1],
                     .main = numbers[i + 2],
                     .auxiliary = numbers[i + 3],
                     .validation = numbers[i + 4],
                     .sigma_main = numbers[i + 5],
                     .sigma_auxiliary = numbers[i + 6],
                     .seconds = numbers[i + 7],
                     .measured = true});
  }
  return curve;
}

Array<std::int64_t> counts_of(const TensorFile& in, const std::string& name, std::int64_t size) {
  auto counts = in.values<std::int64_t>(name, size);
  for (const std::int64_t count : counts) {
    if (count < 0 || static_cast<double>(count) > kMostSteps) refuse(in, name, "holds no count");
  }
  return counts;
}

// Weights and moments: a run that goes on from NaN would not end well.
Array<float> finite(const TensorFile& in, const std::string& name,
                    std::optional<std::int64_t> size = {}) {
  auto numbers = in.values<float>(name, size);
  for (const float number : numbers) {
    if (!std::isfinite(number)) refuse(in, name, "holds a number that is not finite");
  }
  return numbers;
}

void add_numbers(const std::string& name, const Array<float>& numbers, TensorFile& out) {
  out.add(name, {std::ssize(numbers)}, Span<const float>(numbers));
}

void add_done(const std::string& task, const TrainedNetwork& n, TensorFile& out) {
  const double scalars[kDoneScalars] = {n.best_validation};
  const std::int64_t counts[kDoneCounts] = {n.steps, n.best_step};
  out.add(task + ".scalars", {kDoneScalars}, Span<const double>(scalars));
  out.add(task + ".counts", {kDoneCounts}, Span<const std::int64_t>(counts));
  add_numbers(task + ".parameters", n.parameters, out);
  add_numbers(task + ".held.predicted", n.held.predicted, out);
  add_numbers(task + ".held.smooth", n.held.smooth, out);
  add_numbers(task + ".held.gaps", n.held.gaps, out);
  add_curve(task + ".curve", n.curve, out);
}

TrainedNetwork done_of(const TensorFile& in, const std::string& task) {
  TrainedNetwork n;
  const auto scalars = in.values<double>(task + ".scalars", kDoneScalars);
  const auto counts = counts_of(in, task + ".counts", kDoneCounts);
  n.best_validation = scalars[0];
  n.steps = counts[0];
  n.best_step = counts[1];
  n.parameters = finite(in, task + ".parameters");
  n.held.predicted = finite(in, task + ".held.predicted");
  n.held.smooth = finite(in, task + ".held.smooth");
  n.held.gaps = finite(in, task + ".held.gaps");
  n.curve = curve_of(in, task + ".curve");
  return n;
}

void add_begun(const std::string& task, const TrainState& s, TensorFile& out) {
  const double scalars[kScalars] = {s.best_validation, s.sums[0], s.sums[1], s.sums[2]};
  const std::int64_t counts[kCounts] = {s.step, s.looks_without_gain, s.best_step, s.summed};
  out.add(task + ".scalars", {kScalars}, Span<const double>(scalars));
  out.add(task + ".counts", {kCounts}, Span<const std::int64_t>(counts));
  add_curve(task + ".curve", s.curve, out);
  add_numbers(task + ".parameters", s.parameters, out);
  add_numbers(task + ".first_moment", s.first_moment, out);
  add_numbers(task + ".second_moment", s.second_moment, out);
  add_numbers(task + ".best_parameters", s.best_parameters, out);
  add_numbers(task + ".averaged", s.averaged, out);
}

TrainState begun_of(const TensorFile& in, const std::string& task) {
  TrainState s;
  const auto scalars = in.values<double>(task + ".scalars", kScalars);
  const auto counts = counts_of(in, task + ".counts", kCounts);
  s.best_validation = scalars[0];
  for (int i = 0; i < 3; ++i) s.sums[i] = scalars[i + 1];
  s.step = counts[0];
  s.looks_without_gain = counts[1];
  s.best_step = counts[2];
  s.summed = counts[3];
  s.parameters = finite(in, task + ".parameters");
  const auto size = std::ssize(s.parameters);
  s.first_moment = finite(in, task + ".first_moment", size);
  s.second_moment = finite(in, task + ".second_moment", size);
  s.best_parameters = finite(in, task + ".best_parameters", size);
  s.averaged = finite(in, task + ".averaged");
  if (!s.averaged.empty() && s.averaged.size() != s.parameters.size()) {
    refuse(in, task + ".averaged", "does not fit: the averaged weights are not those of the task");
  }
  s.curve = curve_of(in, task + ".curve");
  return s;
}

// The keys of the tasks whose tensors begin so.
std::vector<std::string> keys_of(const TensorFile& in, std::string_view beginning) {
  std::vector<std::string> keys;
  for (const TensorInfo& tensor : in.tensors()) {
    std::string_view name = tensor.name;
    if (!name.starts_with(beginning) || !name.ends_with(kCountsOf)) continue;
    name.remove_prefix(beginning.size());
    if (name.size() < kCountsOf.size()) continue;  // the dot is that of both
    name.remove_suffix(kCountsOf.size());
    keys.emplace_back(name);
  }
  return keys;
}

}  // namespace

TensorFile to_tensors(const Snapshot& s) {
  TensorFile out;
  out.metadata["pegnn.snapshot"] = kFormat;
  out.metadata["fingerprint"] = s.fingerprint;
  for (const auto& [key, network] : s.done) add_done(std::string(kDone) + key, network, out);
  for (const auto& [key, state] : s.begun) add_begun(std::string(kBegun) + key, state, out);
  return out;
}

Snapshot snapshot_of(const TensorFile& in) {
  if (const std::string& format = in.text("pegnn.snapshot"); format != kFormat) {
    refuse_model(
        in.source(),
        fmt::format(
            "metadata 'pegnn.snapshot': a snapshot of another version of pegnn, in format {}; this "
            "is pegnn {}, which continues those of format {}; start anew with <option:overwrite>",
            legible(format, 20), version(), kFormat));
  }
  Snapshot s;
  s.fingerprint = in.text("fingerprint");
  for (const std::string& key : keys_of(in, kDone)) {
    s.done[key] = done_of(in, std::string(kDone) + key);
  }
  for (const std::string& key : keys_of(in, kBegun)) {
    s.begun[key] = begun_of(in, std::string(kBegun) + key);
  }
  return s;
}

void save_snapshot(const Snapshot& snapshot, const std::filesystem::path& file) {
  save_tensors(to_tensors(snapshot), file);
}

Snapshot load_snapshot(const std::filesystem::path& file) {
  return snapshot_of(load_tensors(file));
}

}  // namespace pegnn
