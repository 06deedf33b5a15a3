#include "model/state.h"

#include <cmath>

#include <fmt/core.h>

#include "base/array.h"
#include "base/text.h"
#include "model/description.h"
#include "model/label_tensors.h"
#include "model/model_error.h"
#include "model/network.h"
#include "model/rank_tensors.h"
#include "pegnn/version.h"
#include "table/given_points.h"

namespace pegnn {
namespace {

std::int64_t count_of(const TensorFile& file, const char* name) {
  const TensorInfo* tensor = file.find(name);
  if (tensor == nullptr || tensor->shape.size() != 2) {
    refuse_model(file.source(), fmt::format("tensor '{}' is missing or not a matrix", name));
  }
  return tensor->shape[0];
}

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

void check_format(const TensorFile& file) {
  const auto found = file.metadata.find("pegnn.format");
  const auto format = found == file.metadata.end() ? std::nullopt : parse_integer(found->second);
  if (!format || *format < 1) {
    refuse_model(file.source(), "not a pegnn model: metadata 'pegnn.format' is no format number");
  }
  if (*format > kModelFormat) {
    refuse_model(
        file.source(),
        fmt::format("written in model format {} by pegnn {}; this is pegnn {}, which reads formats "
                    "up to {} (metadata 'pegnn.format'); a newer pegnn is needed",
                    *format, legible(file.text("pegnn.version"), 40), version(), kModelFormat));
  }
}

constexpr const char* kDescription = "pegnn.model";
constexpr std::string_view kBaselinePrefix = "baseline.";

// Points are written and read as they stand in memory.
static_assert(sizeof(Point) == 2 * sizeof(double), "points are pairs of coordinates");

// The name of a parameter of one of several members; the first have no number.
std::string member_name(std::int64_t member, const std::string& parameter) {
  return member == 0 ? parameter : fmt::format("member.{}.{}", member, parameter);
}

// All members of one kind.
struct MembersOfKind {
  Network<float> network;
  std::int64_t members;
  std::string prefix;  // of the names of their parameters
  Array<float> ModelState::*parameters;

  // Calls f(name, slot) for every parameter of every member; slots are those of `parameters`.
  template <class F>
  void for_each(F&& f) const {
    for (std::int64_t m = 0; m < members; ++m) {
      for (const NamedParam& p : network.layout().entries()) {
        ParamSlot slot = p.slot;
        slot.offset += m * network.layout().size();
        f(prefix + member_name(m, p.name), slot);
      }
    }
  }
};

Array<MembersOfKind> kinds_of_members(const ModelState& s) {
  const std::int64_t features = s.scaler.width(), far = far_members(s.options);
  Array<MembersOfKind> kinds;
  kinds.push_back({{s.options, features}, s.options.members, "", &ModelState::parameters});
  if (far > 0) {
    kinds.push_back({{far_options(s.options), features}, far, "far.", &ModelState::far_parameters});
  }
  return kinds;
}

template <class Floats>
auto values_of(Floats& parameters, ParamSlot slot) {
  return Span(parameters).subspan(slot.offset, slot.size());
}

void add_training(const ModelState& s, TensorFile& file) {
  const auto rows = std::ssize(s.points);
  file.borrow("training.points", {rows, 2},
              Span(reinterpret_cast<const double*>(s.points.data()), 2 * s.points.size()));
  file.borrow("training.features", {rows, s.scaler.width()}, Span<const float>(s.features));
}

void read_training(const TensorFile& file, ModelState& s) {
  const std::int64_t rows = count_of(file, "training.points");
  expect_shape(file, "training.points", {rows, 2});
  s.points.resize(rows);
  file.read("training.points",
            Span(reinterpret_cast<double*>(s.points.data()), 2 * s.points.size()));
  for (const Point& p : s.points) {
    if (!is_place(s.roles.geographic, p)) {
      refuse_model(file.source(), "tensor 'training.points' holds a place that cannot be");
    }
  }
  expect_shape(file, "training.features", {rows, s.scaler.width()});
  s.features = file.values<float>("training.features", rows * s.scaler.width());
  expect_finite(file, "training.features", s.features);
}

void add_network(const ModelState& s, TensorFile& file) {
  const Array<MembersOfKind> kinds = kinds_of_members(s);
  const Network<float>& network = kinds[0].network;
  for (const MembersOfKind& kind : kinds) {
    kind.for_each([&](const std::string& name, ParamSlot slot) {
      file.add(name, {slot.rows, slot.cols}, values_of(s.*kind.parameters, slot));
    });
  }
  const auto rows = std::ssize(s.points);
  if (network.neighbourhood() == Neighbourhood::labels) add_label_model(s, file);
  if (network.reads_labels()) {
    file.borrow("training.labels", {rows, 1}, Span<const float>(s.labels));
  }
}

// What training leaves to the data is known in a file.
void expect_resolved(const Options& o, const std::string& source) {
  if (o.k < 1) refuse_model(source, "option k: a network has 1 neighbour or more");
  if (o.encoder != "none" && !(o.sigma_min > 0 && o.sigma_max > 0)) {
    refuse_model(source, "option sigma-min, sigma-max: a network has scales above 0");
  }
}

void read_network(const TensorFile& file, ModelState& s) {
  expect_resolved(s.options, file.source());
  const Array<MembersOfKind> kinds = kinds_of_members(s);
  const Network<float>& network = kinds[0].network;
  for (const MembersOfKind& kind : kinds) {
    // What the file says it holds is believed when all of it is there.
    kind.for_each([&](const std::string& name, ParamSlot slot) {
      expect_shape(file, name, {slot.rows, slot.cols});
    });
    Array<float>& parameters = s.*kind.parameters;
    parameters.assign(kind.network.layout().size() * kind.members, 0.0F);
    kind.for_each([&](const std::string& name, ParamSlot slot) {
      const auto values = values_of(parameters, slot);
      file.read(name, values);
      expect_finite(file, name, values);
    });
  }
  read_training(file, s);
  const auto rows = std::ssize(s.points);
  if (network.neighbourhood() == Neighbourhood::labels) read_label_model(file, s);
  if (network.reads_labels()) {
    expect_shape(file, "training.labels", {rows, 1});
    s.labels = file.values<float>("training.labels", rows);
    expect_finite(file, "training.labels", s.labels);
  }
}

void add_baseline(const ModelState& s, TensorFile& file) {
  for (const NamedArray& array : s.arrays.list()) {
    const std::string name = std::string(kBaselinePrefix) + array.name;
    file.add(name, {array.rows, array.cols}, Span<const double>(array.values));
  }
}

void read_baseline(const TensorFile& file, ModelState& s) {
  for (const TensorInfo& tensor : file.tensors()) {
    if (!tensor.name.starts_with(kBaselinePrefix)) continue;
    if (tensor.shape.size() != 2) {
      refuse_model(file.source(), fmt::format("tensor '{}' is not a matrix", tensor.name));
    }
    if (tensor.dtype == Dtype::u8) {
      refuse_model(file.source(),
                   fmt::format("tensor '{}' holds boosted trees as XGBoost writes them (model "
                               "format 1), which are no longer read; train the model again with "
                               "this version",
                               tensor.name));
    }
    s.arrays.push({.name = tensor.name.substr(kBaselinePrefix.size()),
                   .rows = tensor.shape[0],
                   .cols = tensor.shape[1],
                   .values = file.values<double>(tensor.name)});
  }
  if (file.find("training.points") != nullptr) read_training(file, s);
  // Whether they fit is known by those who read them.
  restore_baseline(s, ThreadPool(1), file.source());
}

}  // namespace

BaselineSpec baseline_spec(const ModelState& s) {
  return {.options = s.options,
          .space = s.space,
          .features = s.scaler.width(),
          .target = s.scaler.target};
}

std::unique_ptr<Baseline> restore_baseline(const ModelState& s, const ThreadPool& pool,
                                           const std::string& source) {
  const BaselineEntry& entry = *find_baseline(s.options.model);
  BaselineSpec spec = baseline_spec(s);
  // What a file leaves open is filled in as in training: no number of neighbours is zero.
  entry.resolve(spec.options, s.training_rows);
  std::unique_ptr<Baseline> baseline = entry.make(spec);
  baseline->restore(ArrayReader(s.arrays, source), pool);
  return baseline;
}

TensorFile to_tensors(const ModelState& s) {
  TensorFile file;
  const BaselineEntry* const baseline = find_baseline(s.options.model);
  file.metadata["pegnn.format"] = std::to_string(baseline != nullptr ? baseline->format : 1);
  file.metadata["pegnn.version"] = version();
  file.metadata[kDescription] = describe_model(s);
  if (s.options.ranks) add_ranks(s.scaler.ranks, file);
  add_training(s, file);
  if (baseline != nullptr) {
    add_baseline(s, file);
  } else {
    add_network(s, file);
  }
  return file;
}

ModelState from_tensors(const TensorFile& file) {
  check_format(file);
  ModelState s;
  read_description(file.text(kDescription), file.source(), s);
  if (s.options.ranks) s.scaler.ranks = read_ranks(file, s.scaler.features.size());
  if (find_baseline(s.options.model) != nullptr) {
    read_baseline(file, s);
  } else {
    read_network(file, s);
  }
  return s;
}

}  // namespace pegnn
