#include "train/snapshot.h"

#include <cmath>
#include <optional>
#include <string>

#include <fmt/core.h>

#include "base/array.h"
#include "model/model_error.h"
#include "pegnn/version.h"

namespace pegnn {
namespace {

// The order of numbers in the tensors "scalars", "counts" and "curve".
constexpr std::int64_t kScalars = 4, kCounts = 5, kCurveColumns = 8;
// The same for the tensors of a finished run.
constexpr std::int64_t kRunScalars = 1, kRunCounts = 2;

constexpr double kMostSteps = 9.0e15;  // of --steps

// Raised with the layout, and whenever the same options and seed give other numbers than before: a
// run is continued by the arithmetic it was begun with, or not at all.
constexpr const char* kFormat = "4";

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

std::string name_in(std::int64_t run, const char* what) {
  return fmt::format("run.{}.{}", run, what);
}

void add_answers(const std::string& name, const HeldAnswers& a, TensorFile& out) {
  add_numbers(name + ".predicted", a.predicted, out);
  add_numbers(name + ".smooth", a.smooth, out);
  add_numbers(name + ".gaps", a.gaps, out);
}

HeldAnswers answers_of(const TensorFile& in, const std::string& name) {
  return {.predicted = finite(in, name + ".predicted"),
          .smooth = finite(in, name + ".smooth"),
          .gaps = finite(in, name + ".gaps")};
}

void add_run(const FinishedRun& r, std::int64_t number, TensorFile& out) {
  const double scalars[kRunScalars] = {r.best_validation};
  const std::int64_t counts[kRunCounts] = {r.steps, r.best_step};
  out.add(name_in(number, "scalars"), {kRunScalars}, Span<const double>(scalars));
  out.add(name_in(number, "counts"), {kRunCounts}, Span<const std::int64_t>(counts));
  add_numbers(name_in(number, "parameters"), r.parameters, out);
  add_answers(name_in(number, "held"), r.held, out);
  add_curve(name_in(number, "curve"), r.curve, out);
}

FinishedRun run_of(const TensorFile& in, std::int64_t number) {
  const auto scalars = in.values<double>(name_in(number, "scalars"), kRunScalars);
  const auto counts = counts_of(in, name_in(number, "counts"), kRunCounts);
  return {.parameters = finite(in, name_in(number, "parameters")),
          .held = answers_of(in, name_in(number, "held")),
          .steps = counts[0],
          .best_step = counts[1],
          .best_validation = scalars[0],
          .curve = curve_of(in, name_in(number, "curve"))};
}

}  // namespace

TensorFile to_tensors(const Snapshot& s) {
  TensorFile out;
  out.metadata["pegnn.snapshot"] = kFormat;
  out.metadata["fingerprint"] = s.fingerprint;
  const double scalars[kScalars] = {s.best_validation, s.sums[0], s.sums[1], s.sums[2]};
  const std::int64_t counts[kCounts] = {s.step, s.looks_without_gain, s.best_step, s.summed,
                                        std::ssize(s.done)};
  const auto size = std::ssize(s.parameters);
  out.add("scalars", {kScalars}, Span<const double>(scalars));
  out.add("counts", {kCounts}, Span<const std::int64_t>(counts));
  add_curve("curve", s.curve, out);
  out.add("parameters", {size}, Span<const float>(s.parameters));
  out.add("first_moment", {size}, Span<const float>(s.first_moment));
  out.add("second_moment", {size}, Span<const float>(s.second_moment));
  out.add("best_parameters", {size}, Span<const float>(s.best_parameters));
  add_numbers("averaged", s.averaged, out);
  for (std::int64_t r = 0; r < std::ssize(s.done); ++r) add_run(s.done[r], r, out);
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
  const auto scalars = in.values<double>("scalars", kScalars);
  const auto counts = counts_of(in, "counts", kCounts);
  s.best_validation = scalars[0];
  for (int i = 0; i < 3; ++i) s.sums[i] = scalars[i + 1];
  s.step = counts[0];
  s.looks_without_gain = counts[1];
  s.best_step = counts[2];
  s.summed = counts[3];
  s.parameters = finite(in, "parameters");
  const auto size = std::ssize(s.parameters);
  s.first_moment = finite(in, "first_moment", size);
  s.second_moment = finite(in, "second_moment", size);
  s.best_parameters = finite(in, "best_parameters", size);
  s.averaged = finite(in, "averaged");
  if (!s.averaged.empty() && s.averaged.size() != s.parameters.size()) {
    refuse(in, "averaged", "does not fit: the averaged weights are not those of the run");
  }
  for (std::int64_t r = 0; r < counts[4]; ++r) {
    s.done.push_back(run_of(in, r));
  }
  s.curve = curve_of(in, "curve");
  return s;
}

void save_snapshot(const Snapshot& snapshot, const std::filesystem::path& file) {
  save_tensors(to_tensors(snapshot), file);
}

Snapshot load_snapshot(const std::filesystem::path& file) {
  return snapshot_of(load_tensors(file));
}

}  // namespace pegnn
