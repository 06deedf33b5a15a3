#include "report/axis.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/core.h>

#include "base/text.h"

namespace pegnn {

bool plottable(double value) { return std::fabs(value) <= kPlotLimit; }

std::optional<Range> range_of(std::span<const double> values) {
  std::optional<Range> range;
  for (const double v : values) {
    if (!plottable(v)) continue;
    if (!range) range = Range{v, v};
    range->lo = std::min(range->lo, v);
    range->hi = std::max(range->hi, v);
  }
  return range;
}

Range widened(Range range, double share) {
  const double magnitude = std::max(std::fabs(range.lo), std::fabs(range.hi));
  if (range.span() > 1e-9 * magnitude && range.span() > 1e-290) {
    const double extra = share * range.span();
    return {range.lo - extra, range.hi + extra};
  }
  const double centre = range.lo + range.span() / 2;
  const double half = magnitude > 1e-280 ? 0.1 * magnitude : 1.0;
  return {centre - half, centre + half};
}

double quantile(std::span<const double> values, double q) {
  std::vector<double> kept;
  kept.reserve(values.size());
  for (const double v : values) {
    if (plottable(v)) kept.push_back(v);
  }
  if (kept.empty()) return 0;
  const auto rank = std::llround(q * static_cast<double>(kept.size() - 1));
  const auto at = kept.begin() + static_cast<std::ptrdiff_t>(rank);
  std::nth_element(kept.begin(), at, kept.end());
  return *at;
}

Range residual_colours(std::vector<double> residuals) {
  for (double& r : residuals) r = std::fabs(r);
  double most = quantile(residuals, 0.98);
  if (!(most > 1e-290)) most = range_of(residuals).value_or(Range{1, 1}).hi;
  if (!(most > 1e-290)) most = 1;
  return {-most, most};
}

ShownRange shown_range(std::span<const double> values) {
  constexpr double kTail = 1e-3;
  constexpr std::size_t kFewest = 500;  // below this a thousandth is no value at all
  const Range all = range_of(values).value_or(Range{0, 0});
  if (values.size() < kFewest) return {all, 0};
  const Range middle{quantile(values, kTail), quantile(values, 1 - kTail)};
  if (middle.span() <= 0 || all.span() <= 3 * middle.span()) return {all, 0};
  const double margin = 0.15 * middle.span();
  const Range range{std::max(all.lo, middle.lo - margin), std::min(all.hi, middle.hi + margin)};
  const auto outside = std::count_if(values.begin(), values.end(),
                                     [&](double v) { return plottable(v) && !range.holds(v); });
  return {range, outside};
}

double nice_step(double raw) {
  const double base = std::pow(10.0, std::floor(std::log10(raw)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * base >= raw * (1 - 1e-9)) return factor * base;
  }
  return 10 * base;
}

std::string grouped(double value, int decimals) {
  std::string text = fmt::format("{:.{}f}", std::fabs(value), decimals);
  const std::size_t whole = std::min(text.find('.'), text.size());
  for (std::size_t at = whole; at > 3;) text.insert(at -= 3, 1, ',');
  return value < 0 ? "−" + text : text;
}

namespace {

constexpr double kMinusZero = 1e-9;  // a multiple this near to 0, in steps, is 0

std::string with_minus_sign(std::string text) {
  if (!text.empty() && text.front() == '-') text.replace(0, 1, "−");
  return text;
}

std::string superscript(int exponent) {
  static constexpr std::array<const char*, 10> kDigits = {"⁰", "¹", "²", "³", "⁴",
                                                          "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text;
  for (const char c : fmt::format("{}", exponent)) {
    text += c == '-' ? "⁻" : kDigits[static_cast<std::size_t>(c - '0')];
  }
  return text;
}

// Digits after the point that multiples of `step` need.
int decimals_of(double step) {
  return std::clamp(static_cast<int>(-std::floor(std::log10(step) + 1e-9)), 0, 12);
}

// Multiples of `step` within `range`, exact zeros where they are meant.
std::vector<double> multiples(Range range, double step) {
  std::vector<double> at;
  if (range.span() / step > 1000) return at;  // degrees of what are no degrees
  const double last = std::floor(range.hi / step + kMinusZero);
  for (double i = std::ceil(range.lo / step - kMinusZero); i <= last; ++i) at.push_back(i * step);
  for (double& v : at) {
    if (std::fabs(v) < kMinusZero * step) v = 0;
  }
  return at;
}

}  // namespace

Ticks linear_ticks(Range range, int at_most, double least_step) {
  // Nothing to divide: one value, or none that is a number.
  if (!(range.span() > 0) || !std::isfinite(range.span())) range = {0, 1};
  const double step =
      nice_step(std::max(range.span() / static_cast<double>(std::max(at_most, 1)), least_step));
  Ticks ticks;
  ticks.at = multiples(range, step);
  // A step longer than the range may miss it; three steps never do.
  if (ticks.at.empty() && at_most < 3) return linear_ticks(range, at_most + 1, least_step);
  double magnitude = step;
  for (const double v : ticks.at) magnitude = std::max(magnitude, std::fabs(v));
  // Up to 999,999 and down to thousandths people read plain numbers; beyond, powers of a thousand.
  const double decade = std::floor(std::log10(magnitude) + 1e-9);
  if (decade >= 6 || decade < -3) ticks.exponent = 3 * static_cast<int>(std::floor(decade / 3));
  const double unit = std::pow(10.0, ticks.exponent);
  const int decimals = decimals_of(step / unit);
  for (const double v : ticks.at) ticks.label.push_back(grouped(v / unit, decimals));
  return ticks;
}

namespace {

std::string log_label(double value) {
  const double decade = std::floor(std::log10(value) + 1e-9);
  if (decade >= -4 && decade <= 5) return grouped(value, decimals_of(std::pow(10.0, decade)));
  const double lead = std::round(value / std::pow(10.0, decade));
  const std::string power = "10" + superscript(static_cast<int>(decade));
  return lead > 1 ? fmt::format("{:.0f}×{}", lead, power) : power;
}

}  // namespace

Ticks log_ticks(Range range, int at_most) {
  const double room = std::max(at_most, 2);
  const double decades = std::log10(range.hi / range.lo);
  // Steps of 1, 2, 5 are a third of a decade apart, steps of 1, 3 half of one; with fewer than
  // three of them inside, the axis is nearly linear.
  const std::vector<double> leads = 3 * decades <= room   ? std::vector<double>{1, 2, 5}
                                    : 2 * decades <= room ? std::vector<double>{1, 3}
                                                          : std::vector<double>{1};
  const double every = leads.size() > 1 ? 1 : std::max(1.0, std::ceil(decades / room));
  const Range slack{range.lo * (1 - 1e-9), range.hi * (1 + 1e-9)};
  Ticks ticks;
  const double first = std::floor(std::log10(range.lo) / every) * every;
  for (double decade = first; decade <= std::log10(slack.hi); decade += every) {
    for (const double lead : leads) {
      const double value = lead * std::pow(10.0, decade);
      if (!slack.holds(value)) continue;
      ticks.at.push_back(value);
      ticks.label.push_back(log_label(value));
    }
  }
  return ticks.at.size() < 3 ? linear_ticks(range, at_most) : ticks;
}

Ticks degree_ticks(Range range, int at_most, Degrees kind) {
  const double raw = range.span() / static_cast<double>(std::max(at_most, 1));
  double step = raw <= 1 ? nice_step(raw) : 90;
  if (raw > 1) {
    for (const double candidate : {1.0, 2.0, 5.0, 10.0, 15.0, 20.0, 30.0, 45.0, 60.0, 90.0}) {
      if (candidate >= raw) {
        step = candidate;
        break;
      }
    }
  }
  Ticks ticks;
  const int decimals = decimals_of(step);
  const bool longitude = kind == Degrees::longitude;
  for (const double at : multiples(range, step)) {
    if (!longitude && std::fabs(at) > 90 + 1e-9) continue;
    const double v = longitude ? std::remainder(at, 360.0) : at;
    const bool sideless = std::fabs(v) < 1e-9 || std::fabs(std::fabs(v) - 180) < 1e-9;
    const char* side = sideless ? "" : longitude ? (v > 0 ? "E" : "W") : (v > 0 ? "N" : "S");
    ticks.at.push_back(at);
    ticks.label.push_back(fmt::format("{:.{}f}°{}", std::fabs(v), sideless ? 0 : decimals, side));
  }
  if (ticks.at.empty() && at_most < 3) return degree_ticks(range, at_most + 1, kind);
  return ticks;
}

std::string power_of_ten(int exponent) { return "10" + superscript(exponent); }

std::string factor_text(int exponent) {
  return exponent == 0 ? std::string() : fmt::format(" (×{})", power_of_ten(exponent));
}

std::string display_number(double value, int digits) {
  if (!std::isfinite(value)) return "–";
  const std::string text = format_short(value, digits);
  const std::size_t e = text.find('e');
  if (e == std::string::npos) return with_minus_sign(text);
  const auto exponent = static_cast<int>(parse_integer(text.substr(e + 1)).value_or(0));
  return with_minus_sign(text.substr(0, e)) + "×10" + superscript(exponent);
}

Scale::Scale(Range domain, double first_pixel, double last_pixel, bool log)
    : lo_(log ? std::log10(domain.lo) : domain.lo),
      hi_(log ? std::log10(domain.hi) : domain.hi),
      first_(first_pixel),
      last_(last_pixel),
      log_(log) {}

double Scale::operator()(double value) const {
  const double v = log_ ? std::log10(std::max(value, 1e-320)) : value;
  const double share = (v - lo_) / (hi_ - lo_);
  if (!(share > 0)) return first_;
  return first_ + std::min(share, 1.0) * (last_ - first_);
}

}  // namespace pegnn
