// A band asked for values at places.

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/core.h>

#include "gdal/crs.h"
#include "gdal/errors.h"
#include "gdal/parts.h"
#include "gdal/place.h"
#include "gdal/raster_files.h"
#include "pegnn/error.h"

namespace pegnn::gdal_module {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr double kTurn = 360;  // degrees

// Cells read at a time, and the side of the squares in which places are taken that lie farther
// apart.
constexpr std::int64_t kMostCells = std::int64_t{1} << 22;
constexpr double kSquare = 512;

class Source final : public RasterSource {
 public:
  explicit Source(const RasterQuery& query)
      : place_(shown_place(query.place)),
        bilinear_(query.bilinear),
        file_(open_raster_file(query.place)),
        finder_(*file_, query.place),
        band_(open_band(query.band)) {
    const double* t = finder_.forward();
    grid_ = {.width = file_->GetRasterXSize(),
             .height = file_->GetRasterYSize(),
             .x = t[0],
             .y = t[3],
             .dx = std::abs(t[1]),
             .dy = std::abs(t[5]),
             .crs = crs_of(file_->GetSpatialRef(), query.place)};
    const Crs& crs = grid_.crs.known() ? grid_.crs : query.points;
    round_ = crs.known() && crs.geographic;
    if (grid_.crs.known() && query.points.known() && !same_crs(grid_.crs, query.points)) {
      to_raster_ = make_transform(query.points, grid_.crs);
    }
    // Once around: beyond the last column comes the first.
    const double turn = std::abs(t[1]) * static_cast<double>(grid_.width);
    around_ = round_ && bilinear_ && std::abs(turn - kTurn) < 1e-6 * std::abs(t[1]) * kTurn;
    masked_ = (band_->GetMaskFlags() & GMF_ALL_VALID) == 0;
    scale_ = band_->GetScale();
    offset_ = band_->GetOffset();
  }

  const RasterGrid& grid() const override { return grid_; }

  void sample(std::span<const Point> points, std::span<double> values) override {
    cells_.assign(points.begin(), points.end());
    if (to_raster_) to_raster_->apply(cells_);
    for (Point& p : cells_) p = cell_of(p);
    sample_cells(cells_, values);
  }

 private:
  GDALRasterBand* open_band(int number) const {
    if (number >= 1 && number <= file_->GetRasterCount()) return file_->GetRasterBand(number);
    throw Error(ErrorKind::usage, fmt::format("'{}' has {} band{}; band {} was asked for", place_,
                                              file_->GetRasterCount(),
                                              file_->GetRasterCount() == 1 ? "" : "s", number));
  }

  // Longitudes are tried a turn to either side: rasters run from -180 to 180, or from 0 to 360.
  Point cell_of(Point p) const {
    Point cell = finder_.cell(p);
    for (const double turn : {-kTurn, kTurn}) {
      if (!round_ || inside(cell)) break;
      const Point other = finder_.cell({p.x + turn, p.y});
      if (inside(other)) cell = other;
    }
    return inside(cell) ? cell : Point{kNone, kNone};
  }
  bool inside(Point cell) const {
    return cell.x >= 0 && cell.y >= 0 && cell.x <= static_cast<double>(grid_.width) &&
           cell.y <= static_cast<double>(grid_.height);
  }

  // The part of the raster that holds everything `cells` need.
  RasterWindow window_of(std::span<const Point> cells) const {
    double west = 1e300, east = -1e300, north = 1e300, south = -1e300;
    for (const Point& c : cells) {
      if (std::isnan(c.x)) continue;
      west = std::min(west, c.x);
      east = std::max(east, c.x);
      north = std::min(north, c.y);
      south = std::max(south, c.y);
    }
    if (west > east) return {};
    const auto clip = [](double at, std::int64_t size) {
      return std::clamp(static_cast<std::int64_t>(std::floor(at)), std::int64_t{0}, size - 1);
    };
    const std::int64_t margin = bilinear_ ? 1 : 0;
    const auto first = [&](double at, std::int64_t size) {
      return std::max<std::int64_t>(0, clip(at, size) - margin);
    };
    const auto last = [&](double at, std::int64_t size) {
      return std::min(size - 1, clip(at, size) + margin);
    };
    RasterWindow w{.column = first(west, grid_.width), .row = first(north, grid_.height)};
    w.width = last(east, grid_.width) - w.column + 1;
    w.height = last(south, grid_.height) - w.row + 1;
    return w;
  }

  void sample_cells(std::span<const Point> cells, std::span<double> values) {
    const RasterWindow window = window_of(cells);
    if (window.cells() > kMostCells) return sample_by_squares(cells, values);
    if (window.cells() > 0) read(window);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      values[i] = std::isnan(cells[i].x) ? kNone
                  : bilinear_            ? between(window, cells[i])
                                         : at(window, cells[i].x, cells[i].y);
    }
  }

  // Places far from each other: those in one square of the raster are looked up together.
  void sample_by_squares(std::span<const Point> cells, std::span<double> values) {
    const auto square_of = [&](std::size_t i) {
      return std::pair(std::floor(cells[i].y / kSquare), std::floor(cells[i].x / kSquare));
    };
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      values[i] = kNone;
      if (!std::isnan(cells[i].x)) order.push_back(i);
    }
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return square_of(a) < square_of(b); });
    std::vector<Point> together;
    std::vector<double> found;
    for (std::size_t first = 0, end = 0; first < order.size(); first = end) {
      together.clear();
      for (; end < order.size() && square_of(order[end]) == square_of(order[first]); ++end) {
        together.push_back(cells[order[end]]);
      }
      found.resize(together.size());
      sample_cells(together, found);
      for (std::size_t i = first; i < end; ++i) values[order[i]] = found[i - first];
    }
  }

  void read(const RasterWindow& w) {
    read_into(w, window_);
    if (!around_) return;
    read_into({grid_.width - 1, w.row, 1, w.height}, last_column_);
    read_into({0, w.row, 1, w.height}, first_column_);
  }

  void read_into(const RasterWindow& w, std::vector<double>& out) {
    const auto count = static_cast<std::size_t>(w.cells());
    out.resize(count);
    forget_errors();
    if (!read_band(*band_, w, GDT_Float64, out.data())) fail();
    for (double& value : out) value = value * scale_ + offset_;
    if (!masked_) return;
    valid_.resize(count);
    if (!read_band(*band_->GetMaskBand(), w, GDT_Byte, valid_.data())) fail();
    for (std::size_t i = 0; i < count; ++i) {
      if (valid_[i] == 0) out[i] = kNone;
    }
  }
  static bool read_band(GDALRasterBand& band, const RasterWindow& w, GDALDataType type, void* out) {
    const int width = static_cast<int>(w.width), height = static_cast<int>(w.height);
    return band.RasterIO(GF_Read, static_cast<int>(w.column), static_cast<int>(w.row), width,
                         height, out, width, height, type, 0, 0, nullptr) == CE_None;
  }
  [[noreturn]] void fail() const {
    throw Error(ErrorKind::data,
                fmt::format("'{}' cannot be read to its end: {}", place_, reason()));
  }

  // The cell that a place lies in; the raster's last edge belongs to its last cell.
  double at(const RasterWindow& w, double column, double row) const {
    const auto index = [](double where, std::int64_t first, std::int64_t size) {
      return std::clamp(static_cast<std::int64_t>(std::floor(where)) - first, std::int64_t{0},
                        size - 1);
    };
    const std::int64_t down = index(row, w.row, w.height);
    if (around_ && column < 0) return last_column_[static_cast<std::size_t>(down)];
    if (around_ && column >= static_cast<double>(grid_.width)) {
      return first_column_[static_cast<std::size_t>(down)];
    }
    return window_[static_cast<std::size_t>(down * w.width + index(column, w.column, w.width))];
  }

  // Between the centres of four cells; those without a value do not count, and where the nearest
  // has none there is none.
  double between(const RasterWindow& w, Point cell) const {
    if (std::isnan(at(w, cell.x, cell.y))) return kNone;
    const double x = cell.x - 0.5, y = cell.y - 0.5;
    const double fx = x - std::floor(x), fy = y - std::floor(y);
    double sum = 0, weights = 0;
    for (const int down : {0, 1}) {
      for (const int right : {0, 1}) {
        const double value = at(w, std::floor(x) + right, std::floor(y) + down);
        const double weight = (right == 1 ? fx : 1 - fx) * (down == 1 ? fy : 1 - fy);
        if (std::isnan(value) || weight == 0) continue;
        sum += weight * value;
        weights += weight;
      }
    }
    return sum / weights;
  }

  std::string place_;
  bool bilinear_, round_ = false, around_ = false, masked_ = false;
  RasterFile file_;
  CellFinder finder_;
  GDALRasterBand* band_;
  RasterGrid grid_;
  double scale_ = 1, offset_ = 0;
  std::unique_ptr<Transform> to_raster_;
  // Kept from call to call.
  std::vector<Point> cells_;
  std::vector<double> window_, first_column_, last_column_;
  std::vector<std::uint8_t> valid_;
};

}  // namespace

std::unique_ptr<RasterSource> open_raster(const RasterQuery& query) {
  return std::make_unique<Source>(query);
}

}  // namespace pegnn::gdal_module
