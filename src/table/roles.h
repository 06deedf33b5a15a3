#pragma once
// Which columns hold the coordinates, and the usual names of such columns.

#include <optional>
#include <string>
#include <string_view>

#include "pegnn/table.h"

namespace pegnn {

struct CoordinateColumns {
  std::string x, y;
  bool geographic = true;  // by their names, or by the options that named them
};

// Those that `choice` names, else the points of the geometry, else columns with usual names;
// nothing when there are none. Error{usage} for a choice that does not fit the table.
std::optional<CoordinateColumns> find_coordinates(const Table& table, const ColumnChoice& choice);

// What the coordinates are in: their CRS; EPSG:4326 for degrees of which nothing more is known; not
// known for a plane.
Crs crs_of(const Roles& roles);

// What axes are called: the columns' names, or for geometry what its coordinates are.
std::string x_name(const Roles& roles);
std::string y_name(const Roles& roles);
// Whether a column is one of the two that hold the points of a layer.
bool is_geometry(std::string_view name);
// For messages: "column 'a'", of those two "geometry".
std::string describe_column(const std::string& name);
// Where the coordinates come from: "lon, lat", "geometry"; with their CRS where it is known.
std::string describe_coordinates(const Roles& roles);

// True for names that commonly hold a longitude (lon, Longitude, ...) or a latitude, in any case.
bool is_longitude_name(std::string_view name);
bool is_latitude_name(std::string_view name);
// The same for a projected x.
bool is_easting_name(std::string_view name);

}  // namespace pegnn
