#include "report/layers.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include <fmt/core.h>

#include "report/frame.h"

namespace pegnn {

namespace {

void append_int(std::string& out, long value) {
  std::array<char, 24> buffer{};
  out.append(buffer.data(), std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr);
}

constexpr std::size_t kDotsPerRound = 256;
constexpr std::int64_t kMostCells = 24000;  // about 9 bytes each, three maps: 650 kB

}  // namespace

void draw_dots(Svg& svg, std::span<const Pixel> at, std::span<const std::uint8_t> css_class,
               std::span<const std::string> classes, double radius, std::string_view group_class) {
  // Tenths of a pixel as whole numbers, and a stroke of one tenth with round ends for a dot: the
  // shortest that every browser draws (a stroke of no length is not).
  svg.open_group(group_class, fmt::format("transform=\"scale(.1)\" stroke-width=\"{}\"",
                                          coordinate(20 * radius)));
  const std::size_t rounds = (at.size() + kDotsPerRound - 1) / kDotsPerRound;
  std::vector<std::string> data(classes.size());
  for (std::size_t round = 0; round < rounds; ++round) {
    for (std::size_t i = round; i < at.size(); i += rounds) {
      std::string& out = data[css_class[i]];
      out += 'M';
      append_int(out, std::lround(10 * at[i].x));
      out += ' ';
      append_int(out, std::lround(10 * at[i].y));
      out += "h1";
    }
    for (std::size_t c = 0; c < classes.size(); ++c) {
      svg.path(data[c], classes[c]);
      data[c].clear();
    }
  }
  svg.close_group();
}

double dot_radius(const Box& box, std::int64_t count) {
  const double spacing =
      std::sqrt(box.width() * box.height() / static_cast<double>(std::max<std::int64_t>(count, 1)));
  return std::clamp(0.24 * spacing, 1.3, 5.0);
}

CellGrid::CellGrid(const Box& box, std::int64_t points) : box_(box) {
  const double area = box.width() * box.height();
  const double spacing = std::sqrt(area / static_cast<double>(std::max<std::int64_t>(points, 1)));
  const double smallest = std::sqrt(area / static_cast<double>(kMostCells));
  // A multiple of what `coordinate` writes, so that the last column stands where it should.
  size_ = std::ceil(100 * std::max(std::clamp(1.1 * spacing, 2.4, 5.0), smallest)) / 100;
  columns_ = std::max(1, static_cast<std::int32_t>(std::ceil(box.width() / size_)));
  rows_ = std::max(1, static_cast<std::int32_t>(std::ceil(box.height() / size_)));
  count_.resize(static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_));
  sum_.resize(count_.size());
}

void CellGrid::add(Pixel at, double value) {
  const auto cell = [&](double distance, std::int32_t cells) {
    return std::clamp(static_cast<std::int32_t>(distance / size_), 0, cells - 1);
  };
  const auto index =
      static_cast<std::size_t>(cell(at.y - box_.top, rows_)) * static_cast<std::size_t>(columns_) +
      static_cast<std::size_t>(cell(at.x - box_.left, columns_));
  ++count_[index];
  sum_[index] += value;
}

template <class LevelOf>
void CellGrid::draw(Svg& svg, ColourMap map, LevelOf&& level_of) const {
  // One unit is one cell; a run of cells of one level is one stroke.
  std::vector<std::string> data(kColourLevels);
  std::size_t index = 0;
  for (std::int32_t row = 0; row < rows_; ++row) {
    int open_level = -1;
    std::int32_t begin = 0;
    const auto close = [&](std::int32_t end) {
      if (open_level < 0) return;
      std::string& out = data[static_cast<std::size_t>(open_level)];
      out += 'M';
      append_int(out, begin);
      out += ' ';
      append_int(out, row);
      out += 'h';
      append_int(out, end - begin);
    };
    for (std::int32_t column = 0; column < columns_; ++column, ++index) {
      const int level = count_[index] > 0 ? level_of(index) : -1;
      if (level == open_level) continue;
      close(column);
      open_level = level;
      begin = column;
    }
    close(columns_);
  }
  svg.open_group("cells",
                 fmt::format("transform=\"translate({} {}) scale({})\"", coordinate(box_.left),
                             coordinate(box_.top + size_ / 2), coordinate(size_)));
  for (int level = 0; level < kColourLevels; ++level) {
    svg.path(data[static_cast<std::size_t>(level)], level_class(map, level));
  }
  svg.close_group();
}

void CellGrid::draw_counts(Svg& svg, Range log_counts) const {
  draw(svg, ColourMap::sequential, [&](std::size_t i) {
    return colour_level(std::log10(static_cast<double>(count_[i])), log_counts);
  });
}

void CellGrid::draw_means(Svg& svg, ColourMap map, Range range) const {
  draw(svg, map, [&](std::size_t i) {
    return colour_level(sum_[i] / static_cast<double>(count_[i]), range);
  });
}

std::vector<double> CellGrid::means() const {
  std::vector<double> means;
  for (std::size_t i = 0; i < count_.size(); ++i) {
    if (count_[i] > 0) means.push_back(sum_[i] / static_cast<double>(count_[i]));
  }
  return means;
}

std::int64_t CellGrid::most() const { return *std::max_element(count_.begin(), count_.end()); }

std::int64_t CellGrid::occupied() const {
  return std::count_if(count_.begin(), count_.end(), [](std::int32_t count) { return count > 0; });
}

void draw_colour_bar(Svg& svg, const ColourBar& bar, double left, double right, double top) {
  constexpr double kThick = 10, kPoint = 8;
  const Box box{left + kPoint, top + 18, right - kPoint, top + 18 + kThick};
  const Scale scale(bar.range, box.left, box.right, bar.log);
  const Ticks ticks = ticks_that_fit(
      scale, 6,
      [&](int count) {
        return bar.log ? log_ticks(bar.range, count) : linear_ticks(bar.range, count);
      },
      horizontal_room);
  const std::string factor = factor_text(ticks.exponent);
  svg.text({left, top + 10}, fitted(bar.title, kPlotWidth - left - text_width(factor)) + factor,
           "axis");
  const double step = box.width() / kColourLevels;
  svg.open_group("bar");
  const auto triangle = [&](double base, double tip, int level) {
    svg.path(fmt::format("M{} {}v{}L{} {}z", coordinate(base), coordinate(box.top), kThick,
                         coordinate(tip), coordinate(box.top + kThick / 2)),
             level_class(bar.map, level));
  };
  if (bar.pointed_low) triangle(box.left, box.left - kPoint, 0);
  if (bar.pointed_high) triangle(box.right, box.right + kPoint, kColourLevels - 1);
  for (int level = 0; level < kColourLevels; ++level) {
    const double from = box.left + step * level;
    // Each reaches to the end and is covered by the next, so that no gap shows between them.
    svg.path(fmt::format("M{} {}H{}v{}H{}z", coordinate(from), coordinate(box.top),
                         coordinate(box.right), kThick, coordinate(from)),
             level_class(bar.map, level));
  }
  svg.close_group();
  for (std::size_t i = 0; i < ticks.at.size(); ++i) {
    const double x = scale(ticks.at[i]);
    svg.line({x, box.bottom}, {x, box.bottom + 3}, "mark");
    svg.text({x, box.bottom + 15}, ticks.label[i], "tick", Anchor::middle);
  }
}

}  // namespace pegnn
