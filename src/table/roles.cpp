#include "table/roles.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "base/array.h"
#include "base/text.h"
#include "pegnn/error.h"
#include "pegnn/log.h"

namespace pegnn {
namespace {

// Lower case, the likeliest first. Kept short: a wrong guess costs more than naming the columns.
constexpr std::string_view kLongitudes[] = {"longitude",        "lon",           "lng",  "long",
                                            "decimallongitude", "longitude_deg", "x_lon"};
constexpr std::string_view kLatitudes[] = {"latitude", "lat", "decimallatitude", "latitude_deg",
                                           "y_lat"};
constexpr std::string_view kEastings[] = {"x",      "easting", "x_coord",
                                          "xcoord", "coord_x", "point_x"};
constexpr std::string_view kNorthings[] = {"y",      "northing", "y_coord",
                                           "ycoord", "coord_y",  "point_y"};

// Names of columns that number the rows of a table or the features of a layer.
constexpr std::string_view kIds[] = {"id",    "fid",   "gid",    "objectid",   "ogc_fid",
                                     "rowid", "index", "row_id", "unnamed: 0", "pk"};

constexpr std::size_t kMostListed = 12;  // features named in the note; the rest are counted

bool is_one_of(std::string_view name, Span<const std::string_view> words) {
  return std::find(words.begin(), words.end(), lower(name)) != words.end();
}

[[noreturn]] void fail_usage(const Table& table, const std::string& what) {
  throw Error(ErrorKind::usage, fmt::format("{}: {}", table.source(), what));
}

std::vector<std::string> names_of(const Table& table) {
  std::vector<std::string> names;
  for (const Column& column : table.columns()) {
    if (!is_geometry(column.name)) names.push_back(column.name);
  }
  return names;
}

// The column the user named with `option`.
const Column& named(const Table& table, const std::string& name, std::string_view option) {
  const Column* column = table.find(name);
  if (column == nullptr) {
    const std::vector<std::string> names = names_of(table);
    fail_usage(table, names.empty()
                          ? fmt::format("{}: no column '{}'; there is geometry alone", option, name)
                          : fmt::format("{}: {}", option, unknown_word("column", name, names)));
  }
  return *column;
}

// The first column called by one of the usual names; empty when there is none.
std::string guess(const Table& table, Span<const std::string_view> usual) {
  for (const std::string_view word : usual) {
    for (const Column& column : table.columns()) {
      if (lower(column.name) == word) return column.name;
    }
  }
  return {};
}

[[noreturn]] void fail_text(const Table& table, const Column& column, const std::string& help) {
  throw Error(ErrorKind::data, fmt::format("{}, {}, column '{}': '{}' is not a number; {}",
                                           table.source(), table.where(column.first_text_row),
                                           column.name, column.first_text, help));
}

void require_numbers(const Table& table, const std::string& name, const std::string& help) {
  const Column& column = *table.find(name);
  if (!column.numeric()) fail_text(table, column, help);
}

void check_pair(const Table& table, const std::string& first, const std::string& second,
                std::string_view first_option, std::string_view second_option) {
  if (first.empty() && second.empty()) return;
  if (first.empty()) {
    fail_usage(table, fmt::format("{} is given without {}", second_option, first_option));
  }
  if (second.empty()) {
    fail_usage(table, fmt::format("{} is given without {}", first_option, second_option));
  }
  named(table, first, first_option);
  named(table, second, second_option);
  if (first == second) {
    fail_usage(table, fmt::format("{} and {} are the same column '{}'", first_option, second_option,
                                  first));
  }
}

// The column that holds points as text, as PostGIS and many exports write them.
const Column* wkt_column(const Table& table) {
  const auto is_wkt = [](const Column& column) {
    // "POINT (1 2)", "Point Z(1 2 3)", "POINT EMPTY"; not "Pointe-Noire".
    const std::string text = lower(column.first_text);
    constexpr std::string_view kPoint = "point";
    if (!text.starts_with(kPoint)) return false;
    const std::string_view rest = trim(std::string_view(text).substr(kPoint.size()));
    const std::size_t bracket = rest.find('(');
    return rest == "empty" ||
           (bracket != std::string_view::npos && rest.find_first_not_of(" zm") == bracket);
  };
  const auto found = std::find_if(table.columns().begin(), table.columns().end(), is_wkt);
  return found == table.columns().end() ? nullptr : &*found;
}

[[noreturn]] void fail_no_coordinates(const Table& table) {
  const std::vector<std::string> names = names_of(table);
  if (const Column* const wkt = wkt_column(table)) {
    fail_usage(table,
               fmt::format("no coordinates found; column '{0}' holds points as WKT: `ogr2ogr -oo "
                           "GEOM_POSSIBLE_NAMES={0} OUT.gpkg {1}` makes a layer of them, or split "
                           "them into two columns for <option:lon> and <option:lat>",
                           wkt->name, table.source()));
  }
  const bool headless = std::all_of(names.begin(), names.end(), [](const std::string& name) {
    return parse_number(name).has_value();
  });
  fail_usage(
      table,
      fmt::format("no coordinates found; name them with <option:lon> and <option:lat> (degrees) or "
                  "<option:x> and <option:y> (projected). Columns: {}{}",
                  join(names, ", "), headless ? ". The first line must name the columns" : ""));
}

void resolve_coordinates(const Table& table, const ColumnChoice& choice, Roles& roles) {
  const std::optional<CoordinateColumns> found = find_coordinates(table, choice);
  if (!found) fail_no_coordinates(table);
  roles.x = found->x;
  roles.y = found->y;
  roles.geographic = table.crs().known() ? table.crs().geographic : found->geographic;
  roles.crs = table.crs();
  const std::string help =
      roles.geographic ? "correct the cell or name other columns with <option:lon> and <option:lat>"
                       : "correct the cell or name other columns with <option:x> and <option:y>";
  require_numbers(table, roles.x, help);
  require_numbers(table, roles.y, help);
}

void resolve_target(const Table& table, const ColumnChoice& choice, Roles& roles) {
  if (choice.target.empty()) return;
  named(table, choice.target, option(choice.target_option));
  if (choice.target == roles.x || choice.target == roles.y) {
    fail_usage(table, fmt::format("{} '{}' is also a coordinate; name the coordinates with {}",
                                  option(choice.target_option), choice.target,
                                  roles.geographic ? "<option:lon> and <option:lat>"
                                                   : "<option:x> and <option:y>"));
  }
  require_numbers(table, choice.target,
                  "correct the cell or choose another " + option(choice.target_option));
  roles.target = choice.target;
}

void resolve_weight(const Table& table, const ColumnChoice& choice, Roles& roles) {
  if (choice.weight.empty()) return;
  named(table, choice.weight, "<option:weight>");
  if (choice.weight == roles.x || choice.weight == roles.y || choice.weight == roles.target) {
    fail_usage(table,
               fmt::format("<option:weight> '{}' is also {}; weights are a column of their own",
                           choice.weight,
                           choice.weight == roles.target ? "the " + option(choice.target_option)
                                                         : "a coordinate"));
  }
  require_numbers(table, choice.weight, "correct the cell or choose another <option:weight>");
  roles.weight = choice.weight;
}

void check_fold(const Table& table, const ColumnChoice& choice, const Roles& roles) {
  if (choice.fold.empty()) return;
  named(table, choice.fold, "<option:fold-column>");
  const bool target = choice.fold == roles.target;
  if (target || choice.fold == roles.x || choice.fold == roles.y) {
    fail_usage(table, fmt::format("<option:fold-column> '{}' is also {}; folds are told by a "
                                  "column of their own",
                                  choice.fold,
                                  target ? "the " + option(choice.target_option) : "a coordinate"));
  }
}

void take_named_features(const Table& table, const ColumnChoice& choice, Roles& roles) {
  // Without a target this is prediction: the model named the features, and needs them all.
  const std::string help = choice.target.empty()
                               ? "correct the cell; the model needs this column"
                               : "correct the cell or leave the column out of <option:features>";
  for (const std::string& name : choice.features) {
    named(table, name, "<option:features>");
    if (name == roles.target) {
      fail_usage(table,
                 fmt::format("'{}' is both <option:target> and among <option:features>", name));
    }
    if (name == roles.weight) {
      fail_usage(table,
                 fmt::format("'{}' is both <option:weight> and among <option:features>", name));
    }
    if (name == choice.fold) {
      fail_usage(table, fmt::format("'{}' is both <option:fold-column> and among "
                                    "<option:features>; what tells folds apart is not learned from",
                                    name));
    }
    if (std::find(roles.features.begin(), roles.features.end(), name) != roles.features.end()) {
      fail_usage(table, fmt::format("<option:features> names '{}' twice", name));
    }
    require_numbers(table, name, help);
    roles.features.push_back(name);
  }
}

// True when no number stands in the first `rows` rows.
bool all_missing(const Column& column, std::int64_t rows) {
  return std::all_of(column.values.begin(), column.values.begin() + rows,
                     [](double value) { return std::isnan(value); });
}

// True when no number stands in any row; those of weight 0 are as good as not there.
bool no_values(const Table& table, const Column& column, const std::string& weight) {
  if (table.rows() == 0) return false;
  if (weight.empty()) return all_missing(column, table.rows());
  const std::vector<double>& weights = table.find(weight)->values;
  for (std::size_t row = 0; row < column.values.size(); ++row) {
    if (weights[row] != 0 && !std::isnan(column.values[row])) return false;
  }
  return true;
}

// Whether a column holds coordinates that the table tells twice: one of a pair with a usual name.
bool tells_place_again(const Table& table, const std::string& name) {
  const auto in_pair = [&](Span<const std::string_view> xs, Span<const std::string_view> ys) {
    return (is_one_of(name, xs) && !guess(table, ys).empty()) ||
           (is_one_of(name, ys) && !guess(table, xs).empty());
  };
  return in_pair(kLongitudes, kLatitudes) || in_pair(kEastings, kNorthings);
}

// Whether a column tells rows apart and nothing more: it is called so, and no two of its values,
// all whole numbers, are equal.
bool only_names_rows(const Column& column) {
  if (!is_one_of(column.name, kIds) || column.values.empty()) return false;
  Array<double> values(column.values);
  const bool whole = std::all_of(values.begin(), values.end(), [](double value) {
    return std::isfinite(value) && value == std::floor(value);
  });
  if (!whole) return false;
  std::sort(values.begin(), values.end());
  return std::adjacent_find(values.begin(), values.end()) == values.end();
}

// Every other column of numbers. A column that starts with text is a text column; one that starts
// with numbers and has text later is more likely a damaged column of numbers, which leaving out in
// silence would hide.
void take_other_features(const Table& table, const std::string& fold, Roles& roles, Log& log) {
  std::vector<std::string> left_out;
  for (const Column& column : table.columns()) {
    const std::string& name = column.name;
    if (name == roles.x || name == roles.y || name == roles.target || name == roles.weight) {
      continue;
    }
    if (name == kGeometryX) {
      left_out.push_back("geometry (coordinate)");
    } else if (name == kGeometryY) {
      continue;  // named with the other
    } else if (name == kRowNames) {
      left_out.push_back(name);
    } else if (name == fold) {
      left_out.push_back(name + " (tells folds)");
    } else if (tells_place_again(table, name)) {
      left_out.push_back(name + " (coordinate)");
    } else if (!column.numeric()) {
      if (!all_missing(column, column.first_text_row)) {
        fail_text(table, column,
                  "correct the cell, or name the columns to learn from with <option:features>, "
                  "without this one");
      }
      left_out.push_back(name + " (text)");
    } else if (no_values(table, column, roles.weight)) {
      left_out.push_back(name + " (no values)");
    } else if (only_names_rows(column)) {
      left_out.push_back(name + " (names rows)");
    } else {
      roles.features.push_back(name);
    }
  }
  if (!left_out.empty()) log.note("columns left out: " + join(left_out, ", "));
}

std::string describe_roles(const Roles& roles, const std::string& target_option) {
  const std::string target =
      roles.target.empty() ? std::string() : fmt::format("; {}: {}", target_option, roles.target);
  const std::string weight =
      roles.weight.empty() ? std::string() : fmt::format("; weights: {}", roles.weight);
  std::string features = "none";
  if (const std::size_t count = roles.features.size(); count > 0) {
    const Span<const std::string> shown(roles.features.data(), std::min(count, kMostListed));
    features =
        fmt::format("{}{} ({})", join(shown, ", "), count > kMostListed ? ", ..." : "", count);
  }
  return fmt::format("coordinates: {}{}{}; features: {}", describe_coordinates(roles), target,
                     weight, features);
}

}  // namespace

Crs crs_of(const Roles& roles) {
  return roles.crs.known() || !roles.geographic ? roles.crs : lonlat_crs();
}

std::string x_name(const Roles& roles) {
  if (roles.x != kGeometryX) return roles.x;
  return roles.geographic ? "longitude" : "x";
}

std::string y_name(const Roles& roles) {
  if (roles.y != kGeometryY) return roles.y;
  return roles.geographic ? "latitude" : "y";
}

bool is_geometry(std::string_view name) { return name == kGeometryX || name == kGeometryY; }

std::string describe_column(const std::string& name) {
  return is_geometry(name) ? "geometry" : fmt::format("column '{}'", name);
}

std::string describe_coordinates(const Roles& roles) {
  return fmt::format("{} ({})",
                     roles.x == kGeometryX ? "geometry" : fmt::format("{}, {}", roles.x, roles.y),
                     roles.crs.known()  ? roles.crs.name
                     : roles.geographic ? "degrees"
                                        : "projected");
}

bool is_longitude_name(std::string_view name) { return is_one_of(name, kLongitudes); }
bool is_latitude_name(std::string_view name) { return is_one_of(name, kLatitudes); }
bool is_easting_name(std::string_view name) { return is_one_of(name, kEastings); }

std::optional<CoordinateColumns> find_coordinates(const Table& table, const ColumnChoice& choice) {
  check_pair(table, choice.lon, choice.lat, "<option:lon>", "<option:lat>");
  check_pair(table, choice.x, choice.y, "<option:x>", "<option:y>");
  if (!choice.lon.empty() && !choice.x.empty()) {
    fail_usage(table,
               "give either <option:lon> and <option:lat> or <option:x> and <option:y>, not both");
  }
  std::optional<CoordinateColumns> found;
  const auto take = [&](const std::string& x, const std::string& y, bool geographic) {
    if (!found && !x.empty() && !y.empty()) found = {x, y, geographic};
  };
  take(choice.lon, choice.lat, true);
  take(choice.x, choice.y, false);
  // A layer without a CRS is in the plane.
  if (table.has_geometry()) take(kGeometryX, kGeometryY, false);
  take(guess(table, kLongitudes), guess(table, kLatitudes), true);
  take(guess(table, kEastings), guess(table, kNorthings), false);
  return found;
}

Roles resolve_roles(const Table& table, const ColumnChoice& choice, Log& log) {
  Roles roles;
  resolve_coordinates(table, choice, roles);
  resolve_target(table, choice, roles);
  resolve_weight(table, choice, roles);
  check_fold(table, choice, roles);
  if (choice.no_features && !choice.features.empty()) {
    fail_usage(table, "<option:features> and <option:no-features> exclude each other");
  }
  if (!choice.features.empty()) {
    take_named_features(table, choice, roles);
  } else if (!choice.no_features) {
    take_other_features(table, choice.fold, roles, log);
  }
  log.note(describe_roles(roles, choice.target_option));
  return roles;
}

}  // namespace pegnn
