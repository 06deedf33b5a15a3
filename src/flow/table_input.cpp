#include "flow/table_input.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "base/text.h"
#include "flow/input.h"
#include "flow/vector_place.h"
#include "pegnn/error.h"
#include "pegnn/log.h"

namespace pegnn {
namespace {

constexpr const char* kNoCrs = "none";
constexpr const char* kLonLat = "lonlat";

[[noreturn]] void refuse(const std::string& what) { throw Error(ErrorKind::usage, what); }

Crs named_crs(const std::string& text, const char* said_by) {
  if (text == kLonLat) return lonlat_crs();
  return gdal(fmt::format("{} {}", option(said_by), text)).crs(text, said_by);
}

bool same(const Crs& a, const Crs& b) {
  if (a.wkt == b.wkt) return true;
  return a.known() && b.known() && gdal("comparing coordinate reference systems").same(a, b);
}

}  // namespace

TableInput::TableInput(const TableRequest& request, bool keep_text)
    : request_(request),
      query_{.place = request.table,
             .layer = request.layer,
             .where = request.where,
             .centroid = request.centroid,
             .keep_text = keep_text,
             .words = request.words} {
  if (is_vector_place(request.table)) {
    if (!request.encoding.empty()) {
      refuse(
          fmt::format("<option:encoding> goes with CSV; '{}' is vector data, which says itself "
                      "what its text is in",
                      request.table));
    }
    const Gdal& module = gdal(fmt::format("reading '{}'", request.table));
    layer_ = module.open_layer(query_);
    // Rows of a sheet can become points only from their text.
    if (!keep_text && !has_geometry()) {
      query_.keep_text = true;
      layer_ = module.open_layer(query_);
    }
    source_ = layer_->source();
    if (names().empty()) {
      throw Error(ErrorKind::data,
                  fmt::format("{}: the layer has neither geometry nor fields", source_));
    }
    return;
  }
  const char* const other = !request.layer.empty()   ? "layer"
                            : !request.where.empty() ? "where"
                            : request.centroid       ? "centroid"
                                                     : nullptr;
  source_ = request.table == "-" ? "standard input" : request.table;
  if (other != nullptr) {
    refuse(
        fmt::format("{} goes with vector data; {} is read as CSV, for its name has no ending "
                    "such as .gpkg, .geojson or .shp",
                    option(other), source_));
  }
  csv_ = std::make_unique<TableReader>(
      input_reader(request.table,
                   {.keep_text = keep_text, .encoding = request.encoding, .words = request.words}));
}

const std::vector<std::string>& TableInput::names() const {
  return csv_ ? csv_->names() : layer_->names();
}

bool TableInput::has(const std::string& name) const {
  return std::find(names().begin(), names().end(), name) != names().end();
}

const CoordinateColumns& TableInput::coordinates() const {
  if (!coordinates_) {
    refuse(
        fmt::format("{}: no coordinates found; name them with <option:lon> and <option:lat> "
                    "(degrees) or <option:x> and <option:y> (projected)",
                    source_));
  }
  return *coordinates_;
}

Crs TableInput::file_crs() const {
  if (crs_.known() || request_.crs == kNoCrs) return crs_;
  return coordinates_ && coordinates_->geographic ? lonlat_crs() : Crs{};
}

Crs TableInput::said_crs() const {
  const bool of_geometry = coordinates_ && coordinates_->x == kGeometryX;
  return of_geometry && !request_.crs.empty() ? crs_ : Crs{};
}

void TableInput::locate(const ColumnChoice& choice) {
  Table empty(source_);
  for (const std::string& name : names()) empty.add(name, {});
  coordinates_ = find_coordinates(empty, choice);
}

// What the coordinates in the file are in: what the user says, else what the file says.
void TableInput::read_crs(Log& log) {
  const bool geometry = coordinates_->x == kGeometryX;
  const Crs told = geometry ? layer_->crs() : Crs{};
  const std::string& said = request_.crs;
  if (said == kNoCrs) {
    if (coordinates_->geographic) {
      refuse(
          fmt::format("<option:crs> none is a plane, but '{}' and '{}' are longitude and latitude; "
                      "name the coordinates with <option:x> and <option:y>",
                      coordinates_->x, coordinates_->y));
    }
  } else if (!said.empty()) {
    crs_ = named_crs(said, "crs");
    if (told.known() && !same(crs_, told)) {
      log.warn(fmt::format("{} says that it is in {}; {} takes it to be in {}", source_, told.name,
                           log.option("crs"), crs_.name));
    }
  } else {
    crs_ = told;
    if (geometry && !crs_.known()) {
      refuse(fmt::format(
          "{} does not say what its coordinates are in; <option:crs> says it (<option:crs> "
          "EPSG:4326), <option:crs> none takes them as they are, in a plane",
          source_));
    }
  }
  if (crs_.known() && !crs_.geographic && coordinates_->geographic) {
    refuse(
        fmt::format("<option:crs> {} is projected, but '{}' and '{}' are longitude and latitude; "
                    "name the coordinates with <option:x> and <option:y>",
                    crs_.name, coordinates_->x, coordinates_->y));
  }
  works_in_ = crs_;
}

void TableInput::settle(const ColumnChoice& choice, Log& log) {
  locate(choice);
  if (!coordinates_) return;  // whoever resolves the roles says it
  read_crs(log);
  if (request_.to_crs.empty()) return;
  const Crs from = file_crs();
  if (!from.known()) {
    refuse(fmt::format("<option:to-crs> needs to know what {} in: <option:crs> says it",
                       is_geometry(coordinates_->x)
                           ? "the geometry is"
                           : fmt::format("{}, {} are", coordinates_->x, coordinates_->y)));
  }
  convert(from, named_crs(request_.to_crs, "to-crs"), log);
}

ColumnChoice TableInput::settle_for(const Roles& model, const ColumnChoice& choice, Log& log) {
  ColumnChoice asked = choice;
  const bool named =
      !choice.lon.empty() || !choice.lat.empty() || !choice.x.empty() || !choice.y.empty();
  // Columns are called as in training; where they are not, usual names will do.
  const bool as_trained = model.x != kGeometryX && has(model.x) && has(model.y);
  if (!named && !has_geometry() && as_trained) {
    // Training may have converted the columns it names: their names tell what they hold.
    bool degrees = model.geographic;
    if (model.crs.known() && is_longitude_name(model.x)) degrees = true;
    if (model.crs.known() && is_easting_name(model.x)) degrees = false;
    if (!request_.crs.empty()) degrees = false;  // it is said, whatever their names
    (degrees ? asked.lon : asked.x) = model.x;
    (degrees ? asked.lat : asked.y) = model.y;
  }
  locate(asked);
  if (!coordinates_) return asked;
  if (coordinates_->x != kGeometryX) {
    asked.lon = asked.lat = asked.x = asked.y = {};
    (coordinates_->geographic ? asked.lon : asked.x) = coordinates_->x;
    (coordinates_->geographic ? asked.lat : asked.y) = coordinates_->y;
  }
  read_crs(log);
  const Crs to = model_crs(model);
  if (!to.known()) return asked;
  if (crs_.known() || (coordinates_->geographic && !to.geographic)) {
    convert(file_crs(), to, log);
  } else if (!coordinates_->geographic && model.crs.known()) {
    log.note(fmt::format("{}, {} are taken to be in the model's {}", coordinates_->x,
                         coordinates_->y, to.name));
    crs_ = works_in_ = to;
    taken_for_model_crs_ = true;
  }
  return asked;
}

// What the model works in; not known for one trained on a plane without CRS. Error{usage} where the
// table cannot be brought there.
Crs TableInput::model_crs(const Roles& model) const {
  if (!model.crs.known() && !model.geographic) {
    if (crs_.known()) {
      refuse(
          fmt::format("the model was trained on coordinates in a plane without CRS, {} is in {}; "
                      "{}",
                      source_, crs_.name,
                      request_.crs.empty() ? "<option:crs> none takes its coordinates as they are"
                                           : "leave out <option:crs>"));
    }
    return {};
  }
  const Crs to = crs_of(model);
  const bool planar = !crs_.known() && !coordinates_->geographic;
  if (planar && (request_.crs == kNoCrs || to.geographic)) {
    const std::string trained = model.crs.known() ? "in " + to.name : "on longitude and latitude";
    refuse(
        fmt::format("the model was trained {}, the table has projected x and y{}; <option:crs> "
                    "says what they are in",
                    trained, request_.crs == kNoCrs ? " without CRS" : ""));
  }
  return to;
}

void TableInput::convert(const Crs& from, const Crs& to, Log& log) {
  works_in_ = to;
  if (same(from, to)) return;
  transform_ = gdal("converting coordinates").transform(from, to);
  log.note(fmt::format("coordinates are converted from {} to {}", from.name, to.name));
}

void TableInput::apply_transform(Table& table) {
  const Column& x = *table.find(coordinates_->x);
  const Column& y = *table.find(coordinates_->y);
  if (!x.numeric() || !y.numeric()) return;  // whoever resolves the roles says it
  std::vector<Point> points(x.values.size());
  for (std::size_t i = 0; i < points.size(); ++i) points[i] = {x.values[i], y.values[i]};
  transform_->apply(points);
  std::vector<double> xs(points.size()), ys(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    xs[i] = points[i].x;
    ys[i] = points[i].y;
    const bool lost = std::isnan(xs[i]) && std::isfinite(x.values[i]) && std::isfinite(y.values[i]);
    if (lost && lost_++ == 0) {
      first_lost_ = fmt::format("{} ({}, {})", table.where(static_cast<std::int64_t>(i)),
                                format_number(x.values[i]), format_number(y.values[i]));
    }
  }
  table.replace(coordinates_->x, std::move(xs));
  table.replace(coordinates_->y, std::move(ys));
}

Table TableInput::next(std::int64_t most_rows) {
  Table table = csv_ ? csv_->next(most_rows) : layer_->next(most_rows);
  if (layer_ && !met_rows_ && table.rows() == 0) {
    throw Error(ErrorKind::data, request_.where.empty()
                                     ? fmt::format("{}: the layer has no features", source_)
                                     : fmt::format("{}: <option:where> '{}': no feature fulfils it",
                                                   source_, request_.where));
  }
  met_rows_ = true;
  table.set_crs(works_in_);
  if (taken_for_model_crs_) look_for_degrees(table);
  if (transform_) apply_transform(table);
  return table;
}

// In a projected CRS such numbers are next to its origin, where hardly any point is.
void TableInput::look_for_degrees(const Table& table) {
  const auto beyond = [&](const std::string& name, double most) {
    const std::vector<double>& values = table.find(name)->values;
    return std::any_of(values.begin(), values.end(), [&](double v) { return std::abs(v) > most; });
  };
  if (beyond(coordinates_->x, 360) || beyond(coordinates_->y, 90)) beyond_degrees_ = true;
}

void TableInput::warn_of_places(Log& log) const {
  if (taken_for_model_crs_ && !beyond_degrees_) {
    log.warn(
        fmt::format("{}: {}, {} are taken to be in {}, but look like degrees; {} and {} "
                    "name longitude and latitude",
                    source_, coordinates_->x, coordinates_->y, works_in_.name, log.option("lon"),
                    log.option("lat")));
  }
  if (lost_ == 0) return;
  log.warn(fmt::format("{}: {} point{} no place in {} and count as missing, first {}", source_,
                       format_count(lost_), lost_ == 1 ? " has" : "s have", works_in_.name,
                       first_lost_));
}

namespace {

// How a table of text was read, where it is not the usual way.
void tell_dialect(const Table& table, Log& log) {
  const bool comma = table.decimal_mark() == ',';
  if (table.delimiter() == ',' && !comma) return;
  const std::string between =
      table.delimiter() == '\t' ? "tabs" : fmt::format("'{}'", table.delimiter());
  log.note(fmt::format("{}: columns between {}{}", table.source(), between,
                       comma ? ", decimal commas" : ""));
}

}  // namespace

Table read_input(const TableRequest& request, const ColumnChoice& choice, Log& log) {
  TableInput input(request, false);
  input.settle(choice, log);
  Table table = input.next(kAllRows);
  tell_dialect(table, log);
  input.warn_of_places(log);
  return table;
}

}  // namespace pegnn
