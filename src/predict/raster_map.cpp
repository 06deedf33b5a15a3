#include "predict/raster_map.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "base/thread_pool.h"
#include "model/state.h"
#include "pegnn/error.h"
#include "predict/applicability.h"

namespace pegnn {
namespace {

// Side of a tile: as many cells as a network likes to see together, and a block of the file.
constexpr std::int64_t kTile = 512;
constexpr float kNone = std::numeric_limits<float>::quiet_NaN();

// Means of squares of cells, gathered tile by tile.
class PreviewMaker {
 public:
  PreviewMaker(const RasterGrid& grid, std::int64_t side) {
    const std::int64_t longer = std::max(grid.width, grid.height);
    preview_.step = (longer + side - 1) / side;
    preview_.width = (grid.width + preview_.step - 1) / preview_.step;
    preview_.height = (grid.height + preview_.step - 1) / preview_.step;
    const auto cells = static_cast<std::size_t>(preview_.width * preview_.height);
    sums_.assign(cells, 0);
    counts_.assign(cells, 0);
  }

  void add(std::int64_t column, std::int64_t row, double value) {
    const auto at =
        static_cast<std::size_t>((row / preview_.step) * preview_.width + column / preview_.step);
    sums_[at] += value;
    ++counts_[at];
  }

  MapPreview finish() {
    preview_.cells.resize(sums_.size());
    for (std::size_t i = 0; i < sums_.size(); ++i) {
      preview_.cells[i] =
          counts_[i] == 0 ? kNone : static_cast<float>(sums_[i] / static_cast<double>(counts_[i]));
    }
    return std::move(preview_);
  }

 private:
  MapPreview preview_;
  std::vector<double> sums_;
  std::vector<std::int64_t> counts_;
};

// The cells of a tile that are to be predicted: their number in the tile, place and features.
struct TileRows {
  std::vector<std::int64_t> cells;
  std::vector<Point> points;     // in the model's CRS
  std::vector<double> features;  // rows x features, unscaled
};

class MapMaker {
 public:
  MapMaker(const RasterMapPlan& plan, const RunSettings& run)
      : plan_(plan),
        pool_(run.threads),
        predictor_(*plan.model, {.deviation = plan.deviation}, run),
        preview_(plan.grid, plan.preview_side) {
    if (plan.applicability) applicability_.emplace(plan.model->state(), pool_);
  }

  // The bands of a tile, one after the other.
  const std::vector<std::vector<float>>& make(const RasterWindow& window) {
    bands_.resize(band_names(plan_).size());
    for (std::vector<float>& band : bands_) {
      band.assign(static_cast<std::size_t>(window.cells()), kNone);
    }
    gather(window);
    if (rows_.points.empty()) return bands_;
    const Prediction found = predictor_.ask(rows_.points, rows_.features);
    std::size_t next = 0;
    fill(next++, found.mean);
    if (plan_.deviation) fill(next++, found.deviation);
    if (applicability_) judge(next);
    count(window, found.mean);
    return bands_;
  }

  MapFigures finish() {
    predictor_.finish();
    figures_.cells = plan_.grid.width * plan_.grid.height;
    if (applicability_) figures_.reach = applicability_->reach();
    figures_.preview = preview_.finish();
    return std::move(figures_);
  }

 private:
  void gather(const RasterWindow& window) {
    places_.clear();
    rows_.cells.clear();
    if (plan_.mask != nullptr) {
      inside_.resize(static_cast<std::size_t>(window.cells()));
      plan_.mask->read(window, inside_);
    }
    for (std::int64_t i = 0; i < window.cells(); ++i) {
      if (plan_.mask != nullptr && inside_[static_cast<std::size_t>(i)] == 0) continue;
      rows_.cells.push_back(i);
      places_.push_back(
          plan_.grid.centre(window.column + i % window.width, window.row + i / window.width));
    }
    sample_covariates();
    rows_.points = places_;
    if (plan_.to_model != nullptr) plan_.to_model->apply(rows_.points);
    keep_complete();
  }

  void sample_covariates() {
    const std::size_t count = places_.size(), width = plan_.covariates.size();
    rows_.features.resize(count * width);
    values_.resize(count);
    for (std::size_t j = 0; j < width; ++j) {
      plan_.covariates[j]->sample(places_, values_);
      for (std::size_t i = 0; i < count; ++i) rows_.features[i * width + j] = values_[i];
    }
  }

  // Cells without a place in the model's CRS, or with a feature missing, stay empty.
  void keep_complete() {
    const bool round = plan_.model->state().roles.geographic;
    const std::size_t width = plan_.covariates.size();
    std::size_t kept = 0;
    for (std::size_t i = 0; i < rows_.points.size(); ++i) {
      const double* row = rows_.features.data() + i * width;
      bool complete = std::isfinite(rows_.points[i].x) && std::isfinite(rows_.points[i].y);
      for (std::size_t j = 0; j < width; ++j) complete = complete && std::isfinite(row[j]);
      if (!complete) continue;
      Point p = rows_.points[i];
      if (round) p.x = std::remainder(p.x, 360.0);  // as the training points' longitudes are
      rows_.cells[kept] = rows_.cells[i];
      rows_.points[kept] = p;
      std::copy(row, row + width,
                rows_.features.begin() + static_cast<std::ptrdiff_t>(kept * width));
      ++kept;
    }
    rows_.cells.resize(kept);
    rows_.points.resize(kept);
    rows_.features.resize(kept * width);
  }

  void fill(std::size_t band, std::span<const double> values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      bands_[band][static_cast<std::size_t>(rows_.cells[i])] = static_cast<float>(values[i]);
    }
  }

  void judge(std::size_t band) {
    const std::size_t count = rows_.points.size();
    values_.resize(count);
    applicable_.resize(count);
    applicability_->judge(rows_.points,
                          {rows_.features.data(), static_cast<std::int64_t>(count),
                           static_cast<std::int64_t>(plan_.covariates.size())},
                          pool_, values_, applicable_);
    fill(band, values_);
    fill(band + 1, applicable_);
    figures_.applicable += std::count(applicable_.begin(), applicable_.end(), 1.0);
  }

  void count(const RasterWindow& window, std::span<const double> values) {
    if (figures_.predicted == 0) figures_.lo = figures_.hi = values.front();
    figures_.predicted += static_cast<std::int64_t>(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      figures_.lo = std::min(figures_.lo, values[i]);
      figures_.hi = std::max(figures_.hi, values[i]);
      preview_.add(window.column + rows_.cells[i] % window.width,
                   window.row + rows_.cells[i] / window.width, values[i]);
    }
  }

  const RasterMapPlan& plan_;
  ThreadPool pool_;
  Predictor predictor_;
  std::optional<Applicability> applicability_;
  PreviewMaker preview_;
  MapFigures figures_;
  // Kept from tile to tile.
  TileRows rows_;
  std::vector<std::uint8_t> inside_;
  std::vector<Point> places_;
  std::vector<double> values_, applicable_;
  std::vector<std::vector<float>> bands_;
};

// Error{interrupted} when it is stopped, by the prediction of a tile or between two.
void draw_tiles(const RasterMapPlan& plan, MapMaker& maker, RasterSink& sink,
                const RunSettings& run, const std::function<void(std::int64_t)>& progress) {
  std::int64_t done = 0;
  for (std::int64_t row = 0; row < plan.grid.height; row += kTile) {
    for (std::int64_t column = 0; column < plan.grid.width; column += kTile) {
      const RasterWindow window{column, row, std::min(kTile, plan.grid.width - column),
                                std::min(kTile, plan.grid.height - row)};
      const std::vector<std::vector<float>>& bands = maker.make(window);
      for (std::size_t b = 0; b < bands.size(); ++b) {
        sink.write(static_cast<int>(b), window, bands[b]);
      }
      done += window.cells();
      if (progress) progress(done);
      if (run.stop && run.stop()) throw Error(ErrorKind::interrupted, "stopped");
    }
  }
}

}  // namespace

std::vector<std::string> band_names(const RasterMapPlan& plan) {
  std::vector<std::string> names = {"pred"};
  if (plan.deviation) names.push_back("pred_sd");
  if (plan.applicability) names.insert(names.end(), {"distance", "aoa"});
  return names;
}

MapFigures draw_map(const RasterMapPlan& plan, RasterSink& sink, const RunSettings& run,
                    const std::function<void(std::int64_t)>& progress) {
  MapMaker maker(plan, run);
  try {
    draw_tiles(plan, maker, sink, run, progress);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::interrupted) throw;
    throw Error(ErrorKind::interrupted, "stopped before the map was whole");
  }
  MapFigures figures = maker.finish();
  if (figures.predicted > 0) return figures;
  std::string why = plan.mask != nullptr ? "no cell's centre lies inside --mask" : "";
  if (!plan.covariates.empty()) {
    why += std::string(why.empty() ? "" : ", or ") + "no cell has a value in every covariate";
  }
  if (why.empty()) why = "no cell has a place in the model's coordinate reference system";
  throw Error(ErrorKind::data, "the map would be empty: " + why +
                                   "; compare --bbox with the extents that gdalinfo shows");
}

}  // namespace pegnn
