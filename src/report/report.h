#pragma once
// One self-contained HTML page that shows a trained model: figures, curves, maps, residuals.

#include <cstdint>
#include <string>
#include <vector>

#include "pegnn/geo.h"
#include "pegnn/stats.h"
#include "report/page.h"
#include "stats/variogram.h"

namespace pegnn {

struct ReportCurvePoint {
  std::int64_t step = 0;
  double main = 0, auxiliary = 0, validation = 0;  // NaN where not measured
};

// All text is plain (it is escaped). Rows whose observed or predicted value is not finite are left
// out of the plots, and the page says how many.
struct ReportData {
  std::string title, subtitle;      // "MedHouseVal", "PE-GCN on california_housing.csv"
  std::vector<ReportFact> figures;  // headline numbers (RMSE, R², rows, seconds), shown as cards
  std::vector<ReportFact> options;  // every option with its value and sentence
  std::vector<ReportFact> provenance;  // table, rows, columns, CRS, seed, version

  std::vector<ReportCurvePoint> curve;  // ascending steps; may be empty
  std::int64_t best_step = -1;          // step whose weights were kept; -1: none
  std::string auxiliary_name = "local Moran's I";

  Space space = Space::sphere;
  double metres_per_unit = 0;  // of distances in that space; 0: not known
  std::string x_name, y_name, target_name;
  std::string rows_shown;     // what observed and predicted are: "2,064 validation rows"
  std::vector<Point> points;  // as many as observed, or none: the maps are left out
  std::vector<double> observed, predicted;  // of the same length
  Moran residual_moran;  // of observed - predicted; z and lag empty: the panel is left out
  Variogram observed_variogram, residual_variogram;  // no lags: the panel says so

  std::vector<std::string> remarks;  // plain sentences, warnings
};

// The bytes of the page (UTF-8). No outside resource, no script. Below about 1.5 MB for any number
// of rows, apart from the text passed in. Safe to call from several threads.
std::string render_report(const ReportData& data);

}  // namespace pegnn
