#pragma once
// What `pegnn map` is told about its grid and its rasters, read from words.

#include <string>
#include <vector>

#include "pegnn/map.h"

namespace pegnn {

// Error{usage} for what is not as described.
Extent parse_box(const std::vector<std::string>& words);     // xmin,ymin,xmax,ymax
CellSize parse_cell(const std::vector<std::string>& words);  // 100 or 100,50
GridSize parse_size(const std::vector<std::string>& words);  // 800x600 or 800,600
double parse_nodata(const std::string& word);                // a number or nan

// A raster for a feature: "rain=rain.tif", "rain=climate.tif#2" for its second band.
struct Covariate {
  std::string feature, place;
  int band = 1;
};
// In the order of `features`, the model's. Error{usage} that tells which are missing, unknown or
// given twice.
std::vector<Covariate> parse_covariates(const std::vector<std::string>& words,
                                        const std::vector<std::string>& features);

// The raster of the first of these words.
std::string first_raster(const std::vector<std::string>& words);

}  // namespace pegnn
