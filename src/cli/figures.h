#pragma once
// The figures of an evaluation by the names they have in JSON.

#include <nlohmann/json.hpp>

#include "pegnn/evaluate.h"

namespace pegnn {

struct Figure {
  const char* name;
  double Metrics::*value;
};
inline constexpr Figure kFigures[] = {{"mse", &Metrics::mse},
                                      {"mae", &Metrics::mae},
                                      {"rmse", &Metrics::rmse},
                                      {"r2", &Metrics::r2},
                                      {"mse_minmax", &Metrics::mse_minmax},
                                      {"mae_minmax", &Metrics::mae_minmax}};

// An evaluation as one object of "rows".
nlohmann::ordered_json evaluation_row(const Evaluation& evaluation);

}  // namespace pegnn
