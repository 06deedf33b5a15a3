#include "model/description.h"

#include <cmath>

#include <fmt/core.h>

#include "base/json_writer.h"
#include "base/options.h"
#include "model/json_field.h"
#include "model/model_error.h"
#include "model/preset.h"
#include "model/state.h"

namespace pegnn {
namespace {

void write_scaler(const Scaler& scaler, JsonWriter& json) {
  const TargetScaler& target = scaler.target;
  json.list("target", {target.linear.offset, target.linear.scale});
  json.list("features", [&] {
    for (const ColumnScale& f : scaler.features) {
      json.list([&] {
        json.item(f.offset);
        json.item(f.scale);
      });
    }
  });
  if (target.transform != TargetTransform::none) {
    json.list("asinh", {target.centre, target.spread, target.least, target.most});
  }
  if (std::isfinite(scaler.limit)) json.field("limit", scaler.limit);
}

void write_columns(const Roles& roles, JsonWriter& json) {
  json.field("x", roles.x);
  json.field("y", roles.y);
  json.field("geographic", roles.geographic);
  json.field("target", roles.target);
  json.list("features", roles.features);
  if (roles.crs.known()) {
    json.object("crs", [&] {
      json.field("name", roles.crs.name);
      json.field("wkt", roles.crs.wkt);
      json.field("metres_per_unit", roles.crs.metres_per_unit);
    });
  }
  if (!roles.weight.empty()) json.field("weight", roles.weight);
}

void write_provenance(const Provenance& provenance, JsonWriter& json) {
  json.field("name", provenance.table);
  json.field("hash", provenance.table_hash);
  json.field("rows", provenance.rows);
  json.list("target_range", {provenance.target_lo, provenance.target_hi});
}

Space space_of(const JsonField& field) {
  const std::string name = field.text();
  for (const Space space : {Space::sphere, Space::plane, Space::degrees}) {
    if (name_of(space) == name) return space;
  }
  field.refuse(fmt::format("is '{}', an unknown space", name));
}

ColumnScale scale_of(const JsonField& offset, const JsonField& scale) {
  const ColumnScale found{offset.number(), scale.number()};
  if (!(found.scale > 0)) scale.refuse("is not above 0: the scaler cannot be used");
  return found;
}

ColumnScale scale_of(const JsonField& pair) {
  const std::vector<JsonField> two = pair.items(2);
  return scale_of(two[0], two[1]);
}

// All but the ranks, which are tensors. What the options do not ask for is not looked for.
Scaler scaler_of(const JsonField& field, const Options& options) {
  Scaler scaler;
  for (const JsonField& feature : field["features"].items()) {
    scaler.features.push_back(scale_of(feature));
  }
  scaler.target.linear = scale_of(field["target"]);
  if (options.target_transform == "asinh") {
    const std::vector<JsonField> four = field["asinh"].items(4);
    const ColumnScale inner = scale_of(four[0], four[1]);
    scaler.target.transform = TargetTransform::asinh;
    scaler.target.centre = inner.offset;
    scaler.target.spread = inner.scale;
    scaler.target.least = four[2].number();
    scaler.target.most = four[3].number();
    if (!(scaler.target.least <= scaler.target.most)) {
      field["asinh"].refuse("has its bounds reversed");
    }
  }
  if (field.has("limit")) {
    scaler.limit = field["limit"].number();
    if (!(scaler.limit > 0)) field["limit"].refuse("is not above 0");
  }
  return scaler;
}

// Of the columns; not known where they have none.
Crs crs_of(const JsonField& columns) {
  if (!columns.has("crs")) return {};
  const JsonField field = columns["crs"];
  Crs crs{.wkt = field["wkt"].text(),
          .name = field["name"].text(),
          .geographic = columns["geographic"].flag(),
          .metres_per_unit = field["metres_per_unit"].number()};
  if (crs.wkt.empty() || !(crs.metres_per_unit > 0)) field.refuse("cannot be used");
  return crs;
}

Roles roles_of(const JsonField& columns) {
  return {.x = columns["x"].text(),
          .y = columns["y"].text(),
          .geographic = columns["geographic"].flag(),
          .target = columns["target"].text(),
          .features = columns["features"].texts(),
          .crs = crs_of(columns),
          .weight = columns.has("weight") ? columns["weight"].text() : std::string()};
}

Options options_of(const JsonField& field, const std::string& source) {
  Options options;
  try {
    for (const auto& [name, value] : field.members()) {
      set_option(options, name, value.text(), "option " + name);
    }
    check_options(options);
  } catch (const Error& e) {
    if (e.kind() == ErrorKind::model) throw;
    refuse_model(source, e.neutral());
  }
  return options;
}

Provenance provenance_of(const JsonField& table) {
  const std::vector<JsonField> range = table["target_range"].items(2);
  Provenance found{.table = table["name"].text(),
                   .table_hash = table["hash"].text(),
                   .rows = table["rows"].count(),
                   .target_lo = range[0].number(),
                   .target_hi = range[1].number()};
  if (found.target_lo > found.target_hi) table["target_range"].refuse("is reversed");
  return found;
}

}  // namespace

std::string describe_model(const ModelState& s) {
  JsonWriter json;
  json.object([&] {
    json.object("options", [&] {
      for (const OptionText& text : option_texts(s.options)) json.field(text.name, text.value);
    });
    json.object("columns", [&] { write_columns(s.roles, json); });
    json.field("space", name_of(s.space));
    json.object("scaler", [&] { write_scaler(s.scaler, json); });
    json.object("table", [&] { write_provenance(s.provenance, json); });
    json.object("training", [&] {
      json.field("rows", s.training_rows);
      json.field("steps", s.steps);
      json.field("best_step", s.best_step);
      json.field("best_validation", s.best_validation);
    });
  });
  return json.text();
}

void read_description(const std::string& text, const std::string& source, ModelState& s) {
  constexpr const char* kName = "metadata 'pegnn.model'";
  const JsonDocument document(text, kName, source);
  const JsonField all = document.root();
  s.options = options_of(all["options"], source);
  s.roles = roles_of(all["columns"]);
  s.space = space_of(all["space"]);
  if (s.space != Space::plane && !s.roles.geographic) {
    all["space"].refuse("does not fit columns that are not geographic");
  }
  s.scaler = scaler_of(all["scaler"], s.options);
  if (s.scaler.features.size() != std::ssize(s.roles.features)) {
    all["scaler"]["features"].refuse("and the columns differ in the number of features");
  }
  s.provenance = provenance_of(all["table"]);
  const JsonField training = all["training"];
  s.training_rows = training["rows"].count();
  s.steps = training["steps"].count();
  s.best_step = training["best_step"].count();
  s.best_validation = training["best_validation"].number_or_nan();
}

}  // namespace pegnn
