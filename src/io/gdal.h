#pragma once
// Vector layers, rasters and coordinate reference systems, by GDAL in a module that is loaded when
// it is first asked for. This header is all that the rest of the program knows of GDAL; the module
// (src/gdal/) implements it.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pegnn/geo.h"
#include "pegnn/raster.h"
#include "pegnn/table.h"

namespace pegnn {

// Points go from one CRS to another; x is always the longitude or the easting.
class Transform {
 public:
  virtual ~Transform() = default;
  // In place. What has no place in the other CRS becomes NaN.
  virtual void apply(std::span<Point> points) = 0;
};

// Which features of a file, and how they become rows.
struct LayerQuery {
  std::string place;       // a file, a folder, or a connection such as "PG:dbname=city"
  std::string layer = {};  // empty: the only one
  std::string where = {};  // an attribute filter, as in SQL after WHERE; empty: all features
  bool centroid = false;   // lines and polygons become their centroid instead of being refused
  bool keep_text = false;  // keep each row as a line of CSV for `Table::row_text`
  std::vector<std::string> words = {};  // columns with `Column::words`
  std::string layer_option = "layer";   // the option that names it, for messages
};

// A layer read from front to back.
class VectorLayer {
 public:
  virtual ~VectorLayer() = default;
  // For messages: the file, with the layer where there are several, without passwords.
  virtual const std::string& source() const = 0;
  virtual const std::vector<std::string>& names() const = 0;  // those of `next`
  virtual const Crs& crs() const = 0;                         // not known: the layer has none
  // The next rows, at most `most_rows` > 0: a column for every field, then, where the layer has
  // geometry, kGeometryX and kGeometryY. Without rows at the end. Feature r (0-based) of the layer
  // is "line" r + 1; of one without geometry, which is a sheet with a header, r + 2.
  virtual Table next(std::int64_t most_rows) = 0;
};

// A column that a result adds to the rows of a table.
struct AddedColumn {
  enum class Kind { real, integer, text };
  std::string name;
  Kind kind = Kind::real;
  std::vector<double> values = {};      // NaN: nothing
  std::vector<std::string> texts = {};  // in place of values where the kind is text
  int digits = 9;                       // significant ones, where it becomes text
};

// Rows on their way into a vector file, which appears whole or not at all.
class VectorSink {
 public:
  virtual ~VectorSink() = default;
  // The next rows, with what is added to them: columns of the names and kinds given at the start.
  virtual void append(const Table& rows, std::span<const AddedColumn> added) = 0;
  virtual void commit() = 0;
  // What the format did not keep as it was, in sentences; complete after `commit`.
  virtual std::vector<std::string> warnings() const = 0;
};

struct VectorPlan {
  std::filesystem::path file;
  std::string format = {};                 // GDAL's name of a driver; empty: by the file's ending
  std::vector<std::string> creation = {};  // NAME=VALUE
  std::string layer = {};                  // of the new file; empty: after the file
  std::vector<AddedColumn> added = {};     // names and kinds; values are not looked at
  Crs crs = {};  // of the coordinates, where the source does not say it or says it wrongly
};

// Part of a grid.
struct RasterWindow {
  std::int64_t column = 0, row = 0, width = 0, height = 0;
  std::int64_t cells() const { return width * height; }
};

// A band that is asked for values at places.
class RasterSource {
 public:
  virtual ~RasterSource() = default;
  virtual const RasterGrid& grid() const = 0;
  // NaN where the band has no value. Memory is bounded whatever the size of the raster.
  virtual void sample(std::span<const Point> points, std::span<double> values) = 0;
};

struct RasterQuery {
  std::string place;
  int band = 1;
  bool bilinear = false;  // else the cell that the point lies in
  Crs points = {};        // of the points it will be asked for; not known: those of the raster
};

// Which cells of a grid have their centre inside polygons.
class RasterMask {
 public:
  virtual ~RasterMask() = default;
  virtual void read(const RasterWindow& window, std::span<std::uint8_t> inside) = 0;
};

// A raster of 32-bit floats on its way to a file, which appears whole or not at all.
class RasterSink {
 public:
  virtual ~RasterSink() = default;
  // Cells of one band (0-based), row by row; NaN becomes the value for no data.
  virtual void write(int band, const RasterWindow& window, std::span<const float> cells) = 0;
  // `progress` is told the share done; false from it stops, Error{interrupted}.
  virtual void commit(const std::function<bool(double)>& progress) = 0;
};

struct RasterPlan {
  std::filesystem::path file;
  RasterGrid grid;
  std::vector<std::string> bands;          // their names
  double nodata = -9999;                   // may be NaN
  std::string format = {};                 // GDAL's name of a driver; empty: by the file's ending
  std::vector<std::string> creation = {};  // NAME=VALUE
  std::vector<std::pair<std::string, std::string>> metadata = {};
  int threads = 1;  // that pack the file
};

// Everything the module offers. Different threads may use what it makes at the same time, each
// object by one. Every error is an Error: {usage} for what was asked wrongly, {data} for a file
// that cannot be used as it is, {resource} for one that cannot be read or written.
class Gdal {
 public:
  virtual ~Gdal() = default;

  virtual std::string version() const = 0;  // "GDAL 3.6.2, PROJ 9.1.1"

  // From "EPSG:28992", WKT, a PROJ string, the name of a file that holds one. `option` is the
  // one that the message of the Error{usage} names.
  virtual Crs crs(const std::string& text, std::string_view option) const = 0;
  virtual bool same(const Crs& a, const Crs& b) const = 0;
  virtual std::unique_ptr<Transform> transform(const Crs& from, const Crs& to) const = 0;

  virtual std::unique_ptr<VectorLayer> open_layer(const LayerQuery& query) const = 0;
  // Error{usage} for a format, an option or an old file by which such a file cannot be written, as
  // far as that is known before there are rows.
  virtual void check_output(const VectorPlan& plan) const = 0;
  // The features of `source`, in its order and with their geometry, and columns more.
  virtual std::unique_ptr<VectorSink> create_layer(const VectorPlan& plan,
                                                   const LayerQuery& source) const = 0;
  // Points at the columns `x` and `y` of the rows, in `crs`, with every column of the table. Needs
  // tables that keep their text.
  virtual std::unique_ptr<VectorSink> create_points(const VectorPlan& plan, const Crs& crs,
                                                    const std::string& x,
                                                    const std::string& y) const = 0;

  virtual RasterGrid grid_of(const std::string& place) const = 0;
  virtual std::unique_ptr<RasterSource> open_raster(const RasterQuery& query) const = 0;
  virtual std::unique_ptr<RasterMask> open_mask(const LayerQuery& polygons,
                                                const RasterGrid& grid) const = 0;
  virtual std::unique_ptr<RasterSink> create_raster(const RasterPlan& plan) const = 0;
};

// Loads the module on the first call. Error{usage} when it is not there or does not load: what it
// is wanted for ("reading a .gpkg file"), why, and what to install.
const Gdal& gdal(std::string_view wanted_for);
// Whether it is there; loads it.
bool has_gdal();

}  // namespace pegnn
