#pragma once
// Colour maps that read the same to colour-blind eyes and in grey: values to "#rrggbb".

#include <string>

#include "base/shapes.h"
#include "report/axis.h"

namespace pegnn {

std::string hex(Rgb colour);  // "#rrggbb"
// Relative luminance of WCAG 2, in [0, 1].
double luminance(Rgb colour);

// Dark violet over green to yellow, brightening all the way (the course of viridis). t in [0, 1],
// beyond it the end colours.
Rgb sequential(double t);
// Blue over neutral to red. On a light page the middle is nearly white and the ends are dark; on a
// dark page the middle is dark and the ends are bright, so that small values always recede.
enum class Ground { light, dark };
Rgb diverging(double t, Ground ground = Ground::light);

// Pale yellow over orange to dark plum, darkening all the way: for how uncertain something is, so
// that nobody takes it for the thing itself.
Rgb uncertainty(double t);

// Plots name colours by level, not by value: shapes of one level share a path, which keeps the page
// small, and the style sheet can give a dark page its own colours. Odd, so that the middle of a
// diverging map has a level of its own.
inline constexpr int kColourLevels = 49;

enum class ColourMap { sequential, diverging };
// Level of `value` within `range`; values beyond it take the end levels.
int colour_level(double value, Range range);
// CSS class of a level: "s12", "d12".
std::string level_class(ColourMap map, int level);
// Rules `.s0{color:#440154}...` for all levels of both maps.
std::string palette_css(Ground ground);

}  // namespace pegnn
