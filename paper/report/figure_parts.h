#pragma once
// What the figures of a reproduction share: series of numbers that may be missing, and sentences.

#include <string>
#include <vector>

#include "report/plots.h"

namespace pegnn {

inline constexpr double kSmallHeight = 340;  // of a chart among others

bool any_plottable(const std::vector<double>& values);
// As many x as y: a curve that was cut short is drawn as far as it goes.
Series series_of(const std::string& name, int colour, const std::vector<double>& x,
                 const std::vector<double>& y);
// The caption and, where there is one, the note of a plot.
std::string sentences(const std::string& caption, const std::string& note);
// " Not run: GCN, GAT."; nothing for none.
std::string not_run(const std::vector<std::string>& names);

}  // namespace pegnn
