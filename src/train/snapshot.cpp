#include "train/snapshot.h"

#include <cmath>
#include <span>
#include <string>

#include <fmt/core.h>

#include "model/safetensors.h"
#include "pegnn/error.h"

namespace pegnn {
namespace {

// The order of numbers in the tensors "scalars", "counts" and "curve".
constexpr std::int64_t kScalars = 4, kCounts = 5, kCurveColumns = 8;
// The same for the tensors of a finished run.
constexpr std::int64_t kRunScalars = 1, kRunCounts = 2;

// Raised with the layout, and whenever the same options and seed give other numbers than before: a
// run is continued by the arithmetic it was begun with, or not at all.
constexpr const char* kFormat = "4";

void add_curve(const std::string& name, const std::vector<TrainProgress>& curve, TensorFile& out) {
  std::vector<double> numbers;
  for (const TrainProgress& p : curve) {
    numbers.insert(numbers.end(), {static_cast<double>(p.step), p.loss, p.main, p.auxiliary,
                                   p.validation, p.sigma_main, p.sigma_auxiliary, p.seconds});
  }
  out.add(name, {static_cast<std::int64_t>(curve.size()), kCurveColumns},
          std::span<const double>(numbers));
}

std::vector<TrainProgress> curve_of(const TensorFile& in, const std::string& name) {
  std::vector<TrainProgress> curve;
  const auto numbers = in.values<double>(name);
  for (std::size_t i = 0; i + kCurveColumns <= numbers.size(); i += kCurveColumns) {
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

void add_numbers(const std::string& name, const std::vector<float>& numbers, TensorFile& out) {
  out.add(name, {static_cast<std::int64_t>(numbers.size())}, std::span<const float>(numbers));
}

std::string name_in(std::size_t run, const char* what) {
  return fmt::format("run.{}.{}", run, what);
}

void add_answers(const std::string& name, const HeldAnswers& a, TensorFile& out) {
  add_numbers(name + ".predicted", a.predicted, out);
  add_numbers(name + ".smooth", a.smooth, out);
  add_numbers(name + ".gaps", a.gaps, out);
}

HeldAnswers answers_of(const TensorFile& in, const std::string& name) {
  return {.predicted = in.values<float>(name + ".predicted"),
          .smooth = in.values<float>(name + ".smooth"),
          .gaps = in.values<float>(name + ".gaps")};
}

void add_run(const FinishedRun& r, std::size_t number, TensorFile& out) {
  const double scalars[kRunScalars] = {r.best_validation};
  const std::int64_t counts[kRunCounts] = {r.steps, r.best_step};
  out.add(name_in(number, "scalars"), {kRunScalars}, std::span<const double>(scalars));
  out.add(name_in(number, "counts"), {kRunCounts}, std::span<const std::int64_t>(counts));
  add_numbers(name_in(number, "parameters"), r.parameters, out);
  add_answers(name_in(number, "held"), r.held, out);
  add_curve(name_in(number, "curve"), r.curve, out);
}

FinishedRun run_of(const TensorFile& in, std::size_t number) {
  const auto scalars = in.values<double>(name_in(number, "scalars"), kRunScalars);
  const auto counts = in.values<std::int64_t>(name_in(number, "counts"), kRunCounts);
  return {.parameters = in.values<float>(name_in(number, "parameters")),
          .held = answers_of(in, name_in(number, "held")),
          .steps = counts[0],
          .best_step = counts[1],
          .best_validation = scalars[0],
          .curve = curve_of(in, name_in(number, "curve"))};
}

}  // namespace

void save_snapshot(const Snapshot& s, const std::filesystem::path& file) {
  TensorFile out;
  out.metadata["pegnn.snapshot"] = kFormat;
  out.metadata["fingerprint"] = s.fingerprint;
  const double scalars[kScalars] = {s.best_validation, s.sums[0], s.sums[1], s.sums[2]};
  const std::int64_t counts[kCounts] = {s.step, s.looks_without_gain, s.best_step, s.summed,
                                        static_cast<std::int64_t>(s.done.size())};
  const auto size = static_cast<std::int64_t>(s.parameters.size());
  out.add("scalars", {kScalars}, std::span<const double>(scalars));
  out.add("counts", {kCounts}, std::span<const std::int64_t>(counts));
  add_curve("curve", s.curve, out);
  out.add("parameters", {size}, std::span<const float>(s.parameters));
  out.add("first_moment", {size}, std::span<const float>(s.first_moment));
  out.add("second_moment", {size}, std::span<const float>(s.second_moment));
  out.add("best_parameters", {size}, std::span<const float>(s.best_parameters));
  add_numbers("averaged", s.averaged, out);
  for (std::size_t r = 0; r < s.done.size(); ++r) add_run(s.done[r], r, out);
  save_tensors(out, file);
}

Snapshot load_snapshot(const std::filesystem::path& file) {
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
  s.parameters = in.values<float>("parameters");
  const auto size = static_cast<std::int64_t>(s.parameters.size());
  s.first_moment = in.values<float>("first_moment", size);
  s.second_moment = in.values<float>("second_moment", size);
  s.best_parameters = in.values<float>("best_parameters", size);
  s.averaged = in.values<float>("averaged");
  if (!s.averaged.empty() && s.averaged.size() != s.parameters.size()) {
    throw Error(ErrorKind::model, in.source() + ": the averaged weights are not those of the run");
  }
  for (std::int64_t r = 0; r < counts[4]; ++r) {
    s.done.push_back(run_of(in, static_cast<std::size_t>(r)));
  }
  s.curve = curve_of(in, "curve");
  return s;
}

}  // namespace pegnn
