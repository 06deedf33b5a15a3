#include "model/state.h"

#include <cmath>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "base/options.h"
#include "base/text.h"
#include "model/label_tensors.h"
#include "model/network.h"
#include "model/preset.h"
#include "model/rank_tensors.h"
#include "pegnn/error.h"
#include "pegnn/version.h"

namespace pegnn {
namespace {

using nlohmann::ordered_json;

ordered_json scale_json(const ColumnScale& s) { return {s.offset, s.scale}; }

ordered_json scaler_json(const Scaler& scaler) {
  ordered_json features = ordered_json::array();
  for (const ColumnScale& f : scaler.features) features.push_back(scale_json(f));
  const TargetScaler& target = scaler.target;
  ordered_json j{{"target", scale_json(target.linear)}, {"features", features}};
  if (target.transform != TargetTransform::none) {
    j["asinh"] = {target.centre, target.spread, target.least, target.most};
  }
  if (std::isfinite(scaler.limit)) j["limit"] = scaler.limit;
  return j;
}

std::string_view space_name(Space space) { return name_of(space); }

Space space_of(std::string_view name, const std::string& source) {
  for (const Space space : {Space::sphere, Space::plane, Space::degrees}) {
    if (name_of(space) == name) return space;
  }
  throw Error(ErrorKind::model, fmt::format("{}: unknown space '{}'", source, name));
}

// A number that may be NaN, which JSON does not have.
ordered_json number_or_null(double v) {
  return std::isfinite(v) ? ordered_json(v) : ordered_json();
}
double null_or_number(const ordered_json& v) {
  return v.is_null() ? std::nan("") : v.get<double>();
}

ColumnScale scale_of(const ordered_json& pair, const std::string& source) {
  const ColumnScale scale{pair.at(0), pair.at(1)};
  if (!std::isfinite(scale.offset) || !std::isfinite(scale.scale) || !(scale.scale > 0)) {
    throw Error(ErrorKind::model, source + ": the scaler holds a value that cannot be used");
  }
  return scale;
}

// All but the ranks, which are tensors. What the options do not ask for is not looked for.
Scaler scaler_of(const ordered_json& j, const Options& options, const std::string& source) {
  Scaler scaler;
  for (const ordered_json& f : j.at("features")) scaler.features.push_back(scale_of(f, source));
  scaler.target.linear = scale_of(j.at("target"), source);
  if (options.target_transform == "asinh") {
    const ColumnScale inner = scale_of(j.at("asinh"), source);
    scaler.target.transform = TargetTransform::asinh;
    scaler.target.centre = inner.offset;
    scaler.target.spread = inner.scale;
    scaler.target.least = j.at("asinh").at(2);
    scaler.target.most = j.at("asinh").at(3);
    if (!(scaler.target.least <= scaler.target.most)) {
      throw Error(ErrorKind::model, source + ": the scaler's bounds of the target are reversed");
    }
  }
  if (j.contains("limit")) {
    scaler.limit = j.at("limit");
    if (!(scaler.limit > 0)) {
      throw Error(ErrorKind::model, source + ": the scaler holds a limit that cannot be used");
    }
  }
  return scaler;
}

std::int64_t count_of(const TensorFile& file, const char* name) {
  const TensorInfo* tensor = file.find(name);
  if (tensor == nullptr || tensor->shape.size() != 2) {
    throw Error(ErrorKind::model,
                fmt::format("{}: tensor '{}' is missing or not a matrix", file.source(), name));
  }
  return tensor->shape[0];
}

void expect_shape(const TensorFile& file, const std::string& name,
                  const std::vector<std::int64_t>& shape) {
  const TensorInfo* tensor = file.find(name);
  if (tensor == nullptr || tensor->shape != shape) {
    throw Error(ErrorKind::model,
                fmt::format("{}: tensor '{}' is missing or not of the shape {} x {}", file.source(),
                            name, shape[0], shape[1]));
  }
}

void expect_finite(const TensorFile& file, const char* what, std::span<const float> values) {
  for (const float v : values) {
    if (!std::isfinite(v)) {
      throw Error(ErrorKind::model, fmt::format("{}: {} are not all finite", file.source(), what));
    }
  }
}

ordered_json crs_json(const Crs& crs) {
  return {{"name", crs.name}, {"wkt", crs.wkt}, {"metres_per_unit", crs.metres_per_unit}};
}

// Of the columns; not known where they have none.
Crs crs_of(const ordered_json& columns, const std::string& source) {
  if (!columns.contains("crs")) return {};
  const ordered_json& j = columns.at("crs");
  Crs crs{.wkt = j.at("wkt"),
          .name = j.at("name"),
          .geographic = columns.at("geographic"),
          .metres_per_unit = j.at("metres_per_unit")};
  if (crs.wkt.empty() || !(crs.metres_per_unit > 0)) {
    throw Error(ErrorKind::model, source + ": its coordinate reference system cannot be used");
  }
  return crs;
}

ordered_json metadata_json(const ModelState& s) {
  ordered_json options;
  for (const OptionText& text : option_texts(s.options)) options[text.name] = text.value;
  ordered_json columns{{"x", s.roles.x},
                       {"y", s.roles.y},
                       {"geographic", s.roles.geographic},
                       {"target", s.roles.target},
                       {"features", s.roles.features}};
  if (s.roles.crs.known()) columns["crs"] = crs_json(s.roles.crs);
  if (!s.roles.weight.empty()) columns["weight"] = s.roles.weight;
  return {{"options", options},
          {"columns", columns},
          {"space", space_name(s.space)},
          {"scaler", scaler_json(s.scaler)},
          {"table",
           {{"name", s.provenance.table},
            {"hash", s.provenance.table_hash},
            {"rows", s.provenance.rows},
            {"target_range", {s.provenance.target_lo, s.provenance.target_hi}}}},
          {"training",
           {{"rows", s.training_rows},
            {"steps", s.steps},
            {"best_step", s.best_step},
            {"best_validation", number_or_null(s.best_validation)}}}};
}

void read_metadata(const ordered_json& j, const std::string& source, ModelState& s) {
  for (const auto& [name, value] : j.at("options").items()) {
    set_option(s.options, name, value.get<std::string>(), "option " + name);
  }
  check_options(s.options);
  const ordered_json& columns = j.at("columns");
  s.roles = {.x = columns.at("x"),
             .y = columns.at("y"),
             .geographic = columns.at("geographic"),
             .target = columns.at("target"),
             .features = columns.at("features").get<std::vector<std::string>>(),
             .crs = crs_of(columns, source),
             .weight = columns.value("weight", std::string())};
  s.space = space_of(j.at("space").get<std::string>(), source);
  s.scaler = scaler_of(j.at("scaler"), s.options, source);
  if (s.scaler.features.size() != s.roles.features.size()) {
    throw Error(ErrorKind::model, source + ": scaler and columns differ in the number of features");
  }
  const ordered_json& table = j.at("table");
  s.provenance = {.table = table.at("name"),
                  .table_hash = table.at("hash"),
                  .rows = table.at("rows"),
                  .target_lo = table.at("target_range").at(0),
                  .target_hi = table.at("target_range").at(1)};
  s.training_rows = j.at("training").at("rows");
  s.steps = j.at("training").at("steps");
  s.best_step = j.at("training").at("best_step");
  s.best_validation = null_or_number(j.at("training").at("best_validation"));
}

void check_format(const TensorFile& file) {
  const auto found = file.metadata.find("pegnn.format");
  const auto format = found == file.metadata.end() ? std::nullopt : parse_integer(found->second);
  if (!format || *format < 1) {
    throw Error(ErrorKind::model, file.source() + ": not a pegnn model (no format number)");
  }
  if (*format > kModelFormat) {
    throw Error(
        ErrorKind::model,
        fmt::format("{}: written in model format {} by pegnn {}; this is pegnn {}, which "
                    "reads formats up to {}; a newer pegnn is needed",
                    file.source(), *format, file.text("pegnn.version"), version(), kModelFormat));
  }
}

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
  std::vector<float> ModelState::*parameters;

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

std::vector<MembersOfKind> kinds_of_members(const ModelState& s) {
  const std::int64_t features = s.scaler.width(), far = far_members(s.options);
  std::vector<MembersOfKind> kinds;
  kinds.push_back({{s.options, features}, s.options.members, "", &ModelState::parameters});
  if (far > 0) {
    kinds.push_back({{far_options(s.options), features}, far, "far.", &ModelState::far_parameters});
  }
  return kinds;
}

template <class Floats>
auto values_of(Floats& parameters, ParamSlot slot) {
  return std::span(parameters)
      .subspan(static_cast<std::size_t>(slot.offset), static_cast<std::size_t>(slot.size()));
}

void add_training(const ModelState& s, TensorFile& file) {
  const auto rows = static_cast<std::int64_t>(s.points.size());
  file.borrow("training.points", {rows, 2},
              std::span(reinterpret_cast<const double*>(s.points.data()), 2 * s.points.size()));
  file.borrow("training.features", {rows, s.scaler.width()}, std::span<const float>(s.features));
}

void read_training(const TensorFile& file, ModelState& s) {
  const std::int64_t rows = count_of(file, "training.points");
  expect_shape(file, "training.points", {rows, 2});
  s.points.resize(static_cast<std::size_t>(rows));
  file.read("training.points",
            std::span(reinterpret_cast<double*>(s.points.data()), 2 * s.points.size()));
  for (const Point& p : s.points) {
    if (!std::isfinite(p.x) || !std::isfinite(p.y)) {
      throw Error(ErrorKind::model, file.source() + ": a training point is not finite");
    }
  }
  expect_shape(file, "training.features", {rows, s.scaler.width()});
  s.features = file.values<float>("training.features", rows * s.scaler.width());
  expect_finite(file, "the features of the training points", s.features);
}

void add_network(const ModelState& s, TensorFile& file) {
  const std::vector<MembersOfKind> kinds = kinds_of_members(s);
  const Network<float>& network = kinds[0].network;
  for (const MembersOfKind& kind : kinds) {
    kind.for_each([&](const std::string& name, ParamSlot slot) {
      file.add(name, {slot.rows, slot.cols}, values_of(s.*kind.parameters, slot));
    });
  }
  const auto rows = static_cast<std::int64_t>(s.points.size());
  if (network.listens() == Listens::to_labels) add_label_model(s, file);
  if (network.reads_labels()) {
    file.borrow("training.labels", {rows, 1}, std::span<const float>(s.labels));
  }
}

void read_network(const TensorFile& file, ModelState& s) {
  const std::vector<MembersOfKind> kinds = kinds_of_members(s);
  const Network<float>& network = kinds[0].network;
  for (const MembersOfKind& kind : kinds) {
    // What the file says it holds is believed when all of it is there.
    kind.for_each([&](const std::string& name, ParamSlot slot) {
      expect_shape(file, name, {slot.rows, slot.cols});
    });
    std::vector<float>& parameters = s.*kind.parameters;
    parameters.assign(static_cast<std::size_t>(kind.network.layout().size() * kind.members), 0.0F);
    kind.for_each([&](const std::string& name, ParamSlot slot) {
      file.read(name, values_of(parameters, slot));
    });
    expect_finite(file, "the parameters", parameters);
  }
  read_training(file, s);
  const auto rows = static_cast<std::int64_t>(s.points.size());
  if (network.listens() == Listens::to_labels) read_label_model(file, s);
  if (network.reads_labels()) {
    expect_shape(file, "training.labels", {rows, 1});
    s.labels = file.values<float>("training.labels", rows);
  }
  expect_finite(file, "the labels of the training points", s.labels);
}

void add_baseline(const ModelState& s, TensorFile& file) {
  for (const NamedArray& array : s.arrays.list()) {
    const std::string name = std::string(kBaselinePrefix) + array.name;
    if (array.bytes.empty()) {
      file.add(name, {array.rows, array.cols}, std::span<const double>(array.values));
    } else {
      file.add(name, {array.rows, array.cols}, std::span<const std::uint8_t>(array.bytes));
    }
  }
}

void read_baseline(const TensorFile& file, ModelState& s) {
  for (const TensorInfo& tensor : file.tensors()) {
    if (!tensor.name.starts_with(kBaselinePrefix)) continue;
    if (tensor.shape.size() != 2) {
      throw Error(ErrorKind::model,
                  fmt::format("{}: tensor '{}' is not a matrix", file.source(), tensor.name));
    }
    NamedArray array{.name = tensor.name.substr(kBaselinePrefix.size()),
                     .rows = tensor.shape[0],
                     .cols = tensor.shape[1],
                     .values = {},
                     .bytes = {}};
    if (tensor.dtype == Dtype::u8) {
      array.bytes = file.values<std::uint8_t>(tensor.name);
    } else {
      array.values = file.values<double>(tensor.name);
    }
    s.arrays.push(std::move(array));
  }
  if (file.find("training.points") != nullptr) read_training(file, s);
  // Whether they fit is known by those who read them.
  restore_baseline(s, ThreadPool(1));
}

}  // namespace

BaselineSpec baseline_spec(const ModelState& s) {
  return {.options = s.options,
          .space = s.space,
          .features = s.scaler.width(),
          .target = s.scaler.target};
}

std::unique_ptr<Baseline> restore_baseline(const ModelState& s, const ThreadPool& pool) {
  const BaselineEntry& entry = *find_baseline(s.options.model);
  BaselineSpec spec = baseline_spec(s);
  // What a file leaves open is filled in as in training: no number of neighbours is zero.
  entry.resolve(spec.options, s.training_rows);
  std::unique_ptr<Baseline> baseline = entry.make(spec);
  baseline->restore(ArrayReader(s.arrays, "model"), pool);
  return baseline;
}

TensorFile to_tensors(const ModelState& s) {
  TensorFile file;
  file.metadata["pegnn.format"] = std::to_string(kModelFormat);
  file.metadata["pegnn.version"] = version();
  file.metadata["pegnn.model"] = metadata_json(s).dump();
  if (s.options.ranks) add_ranks(s.scaler.ranks, file);
  add_training(s, file);
  if (find_baseline(s.options.model) != nullptr) {
    add_baseline(s, file);
  } else {
    add_network(s, file);
  }
  return file;
}

ModelState from_tensors(const TensorFile& file) {
  check_format(file);
  ModelState s;
  try {
    read_metadata(ordered_json::parse(file.text("pegnn.model")), file.source(), s);
  } catch (const nlohmann::json::exception& e) {
    throw Error(ErrorKind::model, fmt::format("{}: the description of the model is damaged: {}",
                                              file.source(), e.what()));
  } catch (const Error& e) {
    throw Error(ErrorKind::model, fmt::format("{}: {}", file.source(), e.what()));
  }
  if (s.options.ranks) s.scaler.ranks = read_ranks(file, s.scaler.features.size());
  if (find_baseline(s.options.model) != nullptr) {
    read_baseline(file, s);
  } else {
    read_network(file, s);
  }
  return s;
}

}  // namespace pegnn
