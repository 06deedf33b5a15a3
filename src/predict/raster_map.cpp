#include "predict/raster_map.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "base/array.h"
#include "pegnn/error.h"
#include "pegnn/map.h"

namespace pegnn {
namespace {

// Side of a tile: as many cells as a network likes to see together, and a block of the file.
constexpr std::int64_t kTile = 512;
constexpr float kNone = std::numeric_limits<float>::quiet_NaN();

// Means over squares of cells, gathered tile by tile, one band beside the other.
class PreviewMaker {
 public:
  PreviewMaker(const RasterGrid& grid, std::int64_t side, bool deviation, bool applicability)
      : deviation_(deviation), applicability_(applicability) {
    const std::int64_t longer = std::max(grid.width, grid.height);
    preview_.step = (longer + side - 1) / side;
    preview_.width = (grid.width + preview_.step - 1) / preview_.step;
    preview_.height = (grid.height + preview_.step - 1) / preview_.step;
    const std::int64_t cells = preview_.width * preview_.height;
    counts_.assign(cells, 0);
    sums_.assign(cells, 0);
    if (deviation_) deviations_.assign(cells, 0);
    if (applicability_) applicable_.assign(cells, 0);
  }

  // The last two where the map has these bands.
  void add(std::int64_t column, std::int64_t row, double value, double deviation,
           double applicable) {
    const std::int64_t at = (row / preview_.step) * preview_.width + column / preview_.step;
    ++counts_[at];
    sums_[at] += value;
    if (deviation_) deviations_[at] += deviation;
    if (applicability_) applicable_[at] += applicable;
  }

  MapPreview finish() {
    preview_.cells = means_of(sums_);
    preview_.deviation = means_of(deviations_);
    preview_.applicable = means_of(applicable_);
    return std::move(preview_);
  }

 private:
  std::vector<float> means_of(const Array<double>& sums) const {
    std::vector<float> made(as_size(sums.size()), kNone);
    const Span<float> means(made);
    for (std::int64_t i = 0; i < sums.size(); ++i) {
      if (counts_[i] > 0) means[i] = static_cast<float>(sums[i] / static_cast<double>(counts_[i]));
    }
    return made;
  }

  bool deviation_, applicability_;
  MapPreview preview_;
  Array<std::int64_t> counts_;
  Array<double> sums_, deviations_, applicable_;
};

class MapMaker {
 public:
  MapMaker(const RasterMapPlan& plan, const RunSettings& run)
      : plan_(plan),
        predictor_(*plan.model, plan.mean_only, plan.applicability, run),
        preview_(plan.grid, plan.preview_side,
                 !plan.mean_only && has_column(plan.model->outputs(), OutputKind::deviation),
                 plan.applicability) {}

  // The bands of a tile, one after the other.
  const Array<Array<float>>& make(const RasterWindow& window) {
    bands_.resize(band_names(plan_).size());
    for (Array<float>& band : bands_) {
      band.assign(window.cells(), kNone);
    }
    gather(window);
    const CellValues found = predictor_.ask(places_, features_);
    std::int64_t next = 0;
    for (std::size_t c = 0; c < found.answer.columns.size(); ++c) {
      fill(next++, found.answer.column(c));
    }
    for (const std::vector<double>* values : {&found.distance, &found.applicable}) {
      if (!values->empty()) fill(next++, *values);
    }
    if (plan_.opacity && plan_.applicability) {
      opacity_.assign(found.applicable.begin(), found.applicable.end());
      // NaN stays what it is.
      for (double& value : opacity_) value = std::lerp(kFaded, kOpaque, value);
      fill(next++, opacity_);
    }
    count(window, found);
    return bands_;
  }

  // Nothing of it is kept. One window in the midst makes ready what the first question makes ready;
  // then others are timed, those far from each other first, until a second is over.
  double cells_per_second() {
    constexpr std::int64_t kSide = 64, kAcross = 3;
    constexpr double kSeconds = 1;
    using Clock = std::chrono::steady_clock;
    const RasterGrid& grid = plan_.grid;
    const auto try_window = [&](std::int64_t number, std::int64_t side) {
      const std::int64_t width = std::min(side, grid.width), height = std::min(side, grid.height);
      const RasterWindow window{(grid.width - width) * (number % kAcross) / (kAcross - 1),
                                (grid.height - height) * (number / kAcross) / (kAcross - 1), width,
                                height};
      gather(window);
      predictor_.ask(places_, features_);
      return window.cells();
    };
    try_window(4, kSide / 4);
    const auto start = Clock::now();
    std::int64_t cells = 0;
    double seconds = 0;
    for (const std::int64_t number : {4, 0, 8, 2, 6, 1, 7, 3, 5}) {
      cells += try_window(number, kSide);
      seconds = std::chrono::duration<double>(Clock::now() - start).count();
      if (seconds > kSeconds) break;
    }
    predictor_.forget();
    return static_cast<double>(cells) / std::max(seconds, 1e-9);
  }

  MapFigures finish() {
    predictor_.finish();
    figures_.cells = plan_.grid.width * plan_.grid.height;
    figures_.reach = predictor_.reach();
    figures_.preview = preview_.finish();
    return std::move(figures_);
  }

 private:
  void gather(const RasterWindow& window) {
    places_.clear();
    cells_.clear();
    if (plan_.mask != nullptr) {
      inside_.resize(window.cells());
      plan_.mask->read(window, inside_);
    }
    for (std::int64_t i = 0; i < window.cells(); ++i) {
      if (plan_.mask != nullptr && inside_[i] == 0) continue;
      cells_.push_back(i);
      places_.push_back(
          plan_.grid.centre(window.column + i % window.width, window.row + i / window.width));
    }
    sample_covariates();
    if (plan_.to_model != nullptr) plan_.to_model->apply(places_);
  }

  void sample_covariates() {
    const std::int64_t count = places_.size(), width = std::ssize(plan_.covariates);
    features_.resize(count * width);
    values_.resize(count);
    for (std::int64_t j = 0; j < width; ++j) {
      Span(plan_.covariates)[j]->sample(places_, values_);
      for (std::int64_t i = 0; i < count; ++i) features_[i * width + j] = values_[i];
    }
  }

  void fill(std::int64_t band, Span<const double> values) {
    for (std::int64_t i = 0; i < std::ssize(values); ++i) {
      bands_[band][cells_[i]] = static_cast<float>(values[i]);
    }
  }

  void count(const RasterWindow& window, const CellValues& found) {
    const Span<const double> mean(found.answer.mean());
    const Span<const double> deviation(found.answer.deviation()), applicable(found.applicable);
    for (std::int64_t i = 0; i < mean.size(); ++i) {
      const double value = mean[i];
      if (std::isnan(value)) continue;  // no place, or a feature is missing
      if (figures_.predicted++ == 0) figures_.lo = figures_.hi = value;
      figures_.lo = std::min(figures_.lo, value);
      figures_.hi = std::max(figures_.hi, value);
      preview_.add(window.column + cells_[i] % window.width, window.row + cells_[i] / window.width,
                   value, deviation.empty() ? 0 : deviation[i],
                   applicable.empty() ? 0 : applicable[i]);
    }
    figures_.applicable += std::count(found.applicable.begin(), found.applicable.end(), 1.0);
  }

  const RasterMapPlan& plan_;
  CellPredictor predictor_;
  PreviewMaker preview_;
  MapFigures figures_;
  // Kept from tile to tile.
  Array<std::int64_t> cells_;  // of a tile, those to be predicted
  Array<std::uint8_t> inside_;
  Array<Point> places_;     // of the cells, in the end in the model's CRS
  Array<double> features_;  // cells x features, unscaled
  Array<double> values_;
  std::vector<double> opacity_;
  Array<Array<float>> bands_;
};

// Error{interrupted} when it is stopped, by the prediction of a tile or between two.
void draw_tiles(const RasterMapPlan& plan, MapMaker& maker, RasterSink& sink,
                const RunSettings& run, const std::function<void(std::int64_t)>& progress) {
  std::int64_t done = 0;
  for (std::int64_t row = 0; row < plan.grid.height; row += kTile) {
    for (std::int64_t column = 0; column < plan.grid.width; column += kTile) {
      const RasterWindow window{column, row, std::min(kTile, plan.grid.width - column),
                                std::min(kTile, plan.grid.height - row)};
      const Array<Array<float>>& bands = maker.make(window);
      for (std::int64_t b = 0; b < std::ssize(bands); ++b) {
        sink.write(static_cast<int>(b), window, bands[b]);
      }
      done += window.cells();
      if (progress) progress(done);
      if (run.stopped()) throw Error(ErrorKind::interrupted, "stopped");
    }
  }
}

}  // namespace

std::vector<std::string> band_names(const RasterMapPlan& plan) {
  std::vector<OutputColumn> columns = plan.model->outputs();
  if (plan.mean_only) columns.resize(1);
  std::vector<std::string> names;
  for (const OutputColumn& column : columns) names.push_back(column_name(column));
  if (plan.applicability) names.insert(names.end(), {"distance", "aoa"});
  if (plan.applicability && plan.opacity) names.emplace_back("opacity");
  return names;
}

MapFigures draw_map(const RasterMapPlan& plan, RasterSink& sink, const RunSettings& run,
                    const std::function<void(std::int64_t)>& progress, const MapRate& rate) {
  MapMaker maker(plan, run);
  try {
    if (rate && plan.grid.width * plan.grid.height >= kCellsForARate) {
      rate(maker.cells_per_second());
    }
    draw_tiles(plan, maker, sink, run, progress);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::interrupted) throw;
    throw Error(ErrorKind::interrupted, "stopped before the map was whole");
  }
  MapFigures figures = maker.finish();
  if (figures.predicted > 0) return figures;
  std::string why = plan.mask != nullptr ? "no cell's centre lies inside <option:mask>" : "";
  if (!plan.covariates.empty()) {
    why += std::string(why.empty() ? "" : ", or ") + "no cell has a value in every covariate";
  }
  if (why.empty()) why = "no cell has a place in the model's coordinate reference system";
  throw Error(ErrorKind::data, "the map would be empty: " + why +
                                   "; compare <option:bbox> with the extents that gdalinfo shows");
}

}  // namespace pegnn
