#pragma once
// A table as a user names it: from CSV or from a layer, its coordinates in the CRS to work in.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/gdal.h"
#include "pegnn/table.h"
#include "table/roles.h"

namespace pegnn {

class Log;

// Which table, and how it is to be read. Empty: not said.
struct TableRequest {
  std::string table = {};              // a CSV file, "-" for standard input, or vector data
  std::string encoding = {};           // of a CSV file, as in ReadOptions
  std::string layer = {}, where = {};  // of vector data, as in LayerQuery
  std::string crs = {};     // what the coordinates are in: EPSG:28992, WKT, ...; none: a plane
  std::string to_crs = {};  // what they are converted to first; lonlat is EPSG:4326
  bool centroid = false;    // of lines and polygons
  std::vector<std::string> words = {};  // columns whose text is kept (ReadOptions::words)
};

class TableInput {
 public:
  // Opens it. Error{usage} for what does not go with the kind of file.
  TableInput(const TableRequest& request, bool keep_text);

  // Before the first rows: finds out what the coordinates are in and what they are to be converted
  // to. `choice` is what the user said of columns.
  void settle(const ColumnChoice& choice, Log& log);
  // The same for prediction, where the CRS to work in is the model's. Returns the choice by which
  // the model is to find the coordinates.
  ColumnChoice settle_for(const Roles& model, const ColumnChoice& choice, Log& log);

  const std::string& source() const { return source_; }
  const std::vector<std::string>& names() const;
  bool has_geometry() const { return has(kGeometryX); }
  // The layer to read again for its features; the place of a CSV file otherwise.
  const LayerQuery& query() const { return query_; }
  bool is_layer() const { return layer_ != nullptr; }

  // After settling: where the coordinates are, and their CRS as the file has them; longitude and
  // latitude of unknown CRS count as EPSG:4326. Error{usage} when the table has no coordinates.
  const CoordinateColumns& coordinates() const;
  Crs file_crs() const;
  // What --crs says of the geometry of a layer; not known where it says nothing of it.
  Crs said_crs() const;

  // The next rows, at most `most_rows` > 0; without rows at the end. Error{data} for a layer
  // without any. May be called in another thread than the rest.
  Table next(std::int64_t most_rows);
  // After the last rows: warns of points that have no place in the CRS to work in, and of numbers
  // that are taken to be in it and look like degrees.
  void warn_of_places(Log& log) const;

 private:
  bool has(const std::string& name) const;
  void locate(const ColumnChoice& choice);
  void read_crs(Log& log);
  void convert(const Crs& from, const Crs& to, Log& log);
  void apply_transform(Table& table);
  void look_for_degrees(const Table& table);
  Crs model_crs(const Roles& model) const;

  TableRequest request_;
  LayerQuery query_;
  std::string source_;
  std::unique_ptr<TableReader> csv_;  // this or
  std::unique_ptr<VectorLayer> layer_;
  std::optional<CoordinateColumns> coordinates_;
  Crs crs_;       // of the coordinates in the file
  Crs works_in_;  // of those in the tables
  std::unique_ptr<Transform> transform_;
  bool met_rows_ = false;
  bool taken_for_model_crs_ = false, beyond_degrees_ = false;
  std::int64_t lost_ = 0;
  std::string first_lost_;
};

// All rows at once, settled.
Table read_input(const TableRequest& request, const ColumnChoice& choice, Log& log);

}  // namespace pegnn
