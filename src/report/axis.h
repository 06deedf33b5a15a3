#pragma once
// Ranges of values, ticks at round numbers with labels, and the mapping from values to pixels.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace pegnn {

// A closed interval of finite numbers, lo <= hi.
struct Range {
  double lo = 0;
  double hi = 1;
  double span() const { return hi - lo; }
  bool holds(double value) const { return value >= lo && value <= hi; }
};

// Numbers beyond this are left out of every plot, so that no difference of two overflows.
inline constexpr double kPlotLimit = 1e300;
bool plottable(double value);  // finite and within +-kPlotLimit

// Least and greatest plottable value; nothing when there is none.
std::optional<Range> range_of(std::span<const double> values);
// `range` with `share` of its span added at both ends; an empty or relatively tiny one (below 1e-9
// of its magnitude, where labels would need more than ten digits) becomes an interval around it.
Range widened(Range range, double share);
// Value at rank q in [0, 1] (nearest rank) of the plottable values; 0 when there are none.
double quantile(std::span<const double> values, double q);

// Symmetric around 0 and wide enough for 98 % of the plottable values.
Range residual_colours(std::vector<double> residuals);

// The range a plot should show: everything, unless a few values (a thousandth at either end) would
// squeeze the others into less than a third of it; then those are left to the edges.
struct ShownRange {
  Range range;
  std::int64_t outside = 0;  // plottable values that lie beyond it
};
ShownRange shown_range(std::span<const double> values);

// Positions inside a range with their labels. Where the numbers are very large or very small the
// labels are in units of 10^exponent, which belongs into the axis title (see factor_text).
struct Ticks {
  std::vector<double> at;
  std::vector<std::string> label;
  int exponent = 0;
};

// The smallest of 1, 2, 5 x 10^n that is not below `raw` > 0.
double nice_step(double raw);
// About `at_most` ticks (at least one, and never more than one above it) at multiples of a nice
// step, which is not below `least_step`. `range` has a positive span.
Ticks linear_ticks(Range range, int at_most, double least_step = 0);
// For a logarithmic axis, 0 < lo < hi: decades, thinned out or with 3, or 2 and 5, between them as
// there is room; over a range of less than three of those the ticks of a linear axis.
Ticks log_ticks(Range range, int at_most);
// Degrees at steps people use on maps (..., 0.5, 1, 2, 5, 10, 15, 20, 30, 45, ...), labelled 120°W,
// 37.5°N. Longitudes may run beyond +-180 and are labelled as the meridian they are; latitudes
// beyond +-90 get no tick.
enum class Degrees { longitude, latitude };
Ticks degree_ticks(Range range, int at_most, Degrees kind);

// Fixed decimals, thousands in groups of three, a true minus sign.
std::string grouped(double value, int decimals);
// "10⁶" for 6.
std::string power_of_ten(int exponent);
// " (×10⁶)" for an exponent other than 0, else nothing.
std::string factor_text(int exponent);
// A number for a sentence or card: four significant digits, a true minus sign, ×10ⁿ for exponents.
std::string display_number(double value, int digits = 4);

// Values to pixels, linear or logarithmic (then lo > 0).
class Scale {
 public:
  Scale() = default;
  Scale(Range domain, double first_pixel, double last_pixel, bool log = false);
  // The pixel, kept between the first and the last; NaN goes to the first.
  double operator()(double value) const;

 private:
  double lo_ = 0, hi_ = 1, first_ = 0, last_ = 1;
  bool log_ = false;
};

}  // namespace pegnn
