#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include <fmt/core.h>

#include "base/assert.h"
#include "base/text.h"
#include "report/layers.h"
#include "report/plots.h"

namespace pegnn {

namespace {

constexpr std::array<const char*, 5> kMeaning = {"not significant", "HH high among high",
                                                 "LH low among high", "LL low among low",
                                                 "HL high among low"};
// The kinds in which likes meet come first.
constexpr std::array<std::size_t, 5> kOrder = {1, 3, 2, 4, 0};

using Counts = std::array<std::int64_t, 5>;

struct Marks {
  std::vector<Pixel> at;
  std::vector<std::uint8_t> kind;
};

std::size_t kind_of(int cluster) {
  return cluster >= 1 && cluster <= 4 ? static_cast<std::size_t>(cluster) : 0;
}

// One mark for each square of the picture with points in it: the commonest cluster there, grey only
// where there is none. Ties go to the kind with the lower number.
Marks joined(const Marks& points, const Box& box, double size) {
  std::map<std::pair<int, int>, Counts> squares;
  for (std::size_t i = 0; i < points.at.size(); ++i) {
    const std::pair<int, int> square{static_cast<int>((points.at[i].y - box.top) / size),
                                     static_cast<int>((points.at[i].x - box.left) / size)};
    ++squares[square][points.kind[i]];
  }
  Marks marks;
  for (const auto& [square, counts] : squares) {
    marks.at.push_back(
        {box.left + (square.second + 0.5) * size, box.top + (square.first + 0.5) * size});
    const auto most = std::max_element(counts.begin() + 1, counts.end());
    marks.kind.push_back(static_cast<std::uint8_t>(*most > 0 ? most - counts.begin() : 0));
  }
  return marks;
}

void draw(Svg& svg, const Marks& marks, bool clusters, double radius) {
  Marks some;
  for (std::size_t i = 0; i < marks.at.size(); ++i) {
    if ((marks.kind[i] != 0) != clusters) continue;
    some.at.push_back(marks.at[i]);
    some.kind.push_back(marks.kind[i]);
  }
  const std::array<std::string, 5> classes = {"q0", "q1", "q2", "q3", "q4"};
  if (!some.at.empty()) draw_dots(svg, some.at, some.kind, classes, radius, "dots");
}

// Dots with their meaning and how many rows they are, in as many lines as they need.
void draw_kinds(Svg& svg, const Counts& counts, double top) {
  constexpr double kLine = 19, kGap = 16;
  double x = 4, y = top + 10;
  for (const std::size_t kind : kOrder) {
    const std::string label = fmt::format("{}: {}", kMeaning[kind], format_count(counts[kind]));
    const double width = 14 + text_width(label);
    if (x > 4 && x + width > kPlotWidth) {
      x = 4;
      y += kLine;
    }
    svg.circle({x + 4, y - 4}, 4.5, fmt::format("dot q{}", kind));
    svg.text({x + 14, y}, label, "axis");
    x += width + kGap;
  }
}

}  // namespace

Plot cluster_map(const ClusterMap& plot, const MapFrame& frame) {
  PEGNN_ASSERT(plot.points.size() == plot.cluster.size(), "every place of a map has its kind");
  Marks marks;
  Counts counts{};
  for (std::size_t i = 0; i < plot.points.size(); ++i) {
    ++counts[kind_of(plot.cluster[i])];
    if (!plottable(plot.points[i].x) || !plottable(plot.points[i].y)) continue;
    marks.at.push_back(frame.pixel(plot.points[i]));
    marks.kind.push_back(static_cast<std::uint8_t>(kind_of(plot.cluster[i])));
  }
  // The room below the map is for a bar of colours; the kinds may need a line more.
  Svg svg(plot.text.id, frame.height() + 12, plot.text.title, plot.text.description);
  frame.draw_grid(svg);
  Plot result;
  double radius = dot_radius(frame.box(), std::ssize(marks.at));
  if (std::ssize(marks.at) > kMostMapDots) {
    constexpr double kSquare = 3;  // pixels: at most some 20,000 marks, a page of bounded size
    marks = joined(marks, frame.box(), kSquare);
    radius = 0.55 * kSquare;
    result.note = fmt::format(
        "Each of the {} marks stands for the rows in a small square: the commonest cluster among "
        "them, grey only where there is none.",
        format_count(static_cast<long long>(marks.at.size())));
  }
  draw(svg, marks, false, 0.8 * radius);
  draw(svg, marks, true, radius);
  draw_kinds(svg, counts, frame.height() - kColourBarHeight);
  result.svg = svg.finish();
  return result;
}

}  // namespace pegnn
