#pragma once
// The files of a map: the raster, its style, its picture; and what is said of them.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "flow/map_pictures.h"
#include "flow/output.h"
#include "flow/prepared_map.h"

namespace pegnn {

class Log;

// How the raster is to be written, but for its place and its bands.
struct MapFormat {
  std::string format = {};  // as in RasterPlan
  std::vector<std::string> creation = {};
  std::string nodata = "-9999";  // as in `parse_nodata`
};

// Told what is being done ("predicting", "writing") and how many cells are done with; may be empty.
using MapProgress = std::function<void(const char* doing, std::int64_t cells)>;

class MapFiles {
 public:
  // Style and picture go beside the raster, under its name with another ending. Error{usage} when
  // files are there and not to be replaced, Error{resource} when they cannot be written: better
  // learnt now than after an hour of work. Those of the standard deviation are looked at by
  // `write`, before its work, as not every map has one.
  MapFiles(std::string raster, const MapFormat& format, const MapLook& look, bool overwrite);

  // Those that are to be written, and after `write` those that were: a build without Pango leaves
  // out the pictures, with a warning.
  std::vector<std::string> names() const;
  // Makes the map and writes them all; a note says beforehand how long it will take. Error{usage}
  // for a value of empty cells that a band has.
  MapFigures write(const PreparedMap& map, const RunSettings& run, const MapProgress& progress,
                   Log& log);

 private:
  void check_nodata(const RasterMapPlan& plan) const;

  std::string raster_;
  MapFormat format_;
  double nodata_;
  MapLook look_;
  bool overwrite_;
  std::vector<std::string> beside_;  // its styles and pictures
};

// How long a map will take, where that is more than a few seconds, for people: "100,000,000 cells;
// about 4 min at 400,000 cells/s". Empty where it is less.
std::string map_estimate(std::int64_t cells, double cells_per_second);

// Three lines for people.
std::string describe_map(const RasterMapPlan& plan, const MapFigures& figures);
std::string map_json(const std::string& file, const RasterMapPlan& plan, const MapFigures& figures,
                     double seconds);

}  // namespace pegnn
