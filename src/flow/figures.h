#pragma once
// The figures of an evaluation by the names they have in JSON.

#include "base/json_writer.h"
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

// The members that an evaluation has as an object of "rows".
void write_evaluation(const Evaluation& evaluation, JsonWriter& json);

}  // namespace pegnn
