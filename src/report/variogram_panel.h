#pragma once
// Variograms as a figure with a table of their lags.

#include <span>
#include <string>
#include <vector>

#include "pegnn/geo.h"
#include "stats/variogram.h"

namespace pegnn {

// One curve. Those that share a variance share its line: it is drawn for the first of them.
struct NamedVariogram {
  std::string name;  // "observed"
  Variogram variogram;
};

// In what distances are taken, and how many metres one of them is in a plane; 0: not
// known.
struct Distances {
  Space space = Space::sphere;
  double metres_per_unit = 0;
};

// Of the target and of what a model has left of it, side by side with the numbers; a sentence
// instead when there is no residual variogram.
std::string residual_variogram_row_html(const Variogram& observed, const Variogram& residual,
                                        const Distances& distances, const std::string& target);
// Of one quantity, by the usual and by the robust form: a panel with the figure, and the numbers to
// be put elsewhere. A sentence and no numbers when there are no lags.
struct VariogramPanel {
  std::string figure_html, numbers_html;
};
VariogramPanel value_variogram_panel(const Variogram& usual, const Variogram& robust,
                                     const Distances& distances, const std::string& value);

}  // namespace pegnn
