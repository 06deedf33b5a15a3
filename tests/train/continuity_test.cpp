// Surfaces have no jumps: a prediction moves little where a place moves little, wherever other
// training points become the nearest.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/philox.h"
#include "pegnn/train.h"
#include "support/options.h"
#include "support/tables.h"

namespace pegnn {
namespace {

// Places to learn from and a box to walk through, in degrees.
struct Land {
  std::string name;
  Table table;
  double west, east, south, north;
};

double field(double lon, double lat) {
  const double turn = lon * 0.017453292519943295;
  return 20 + 3 * std::sin(3 * turn + 0.1 * lat) + 2 * std::cos(0.2 * lat) + std::sin(40 * turn);
}

Land scattered(const std::string& name, std::size_t rows, double west, double east, double south,
               double north) {
  const Rng rng{7, Stream::sample};
  std::vector<double> lon(rows), lat(rows), y(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    // Every tenth row stands where the one before it does, with a label of its own.
    const std::size_t at = i % 10 == 9 ? i - 1 : i;
    lon[i] = west + (east - west) * rng.uniform(0, at);
    lat[i] = south + (north - south) * rng.uniform(1, at);
    y[i] = field(lon[i], lat[i]) + 0.3 * rng.normal(2, i);
    if (lon[i] > 180) lon[i] -= 360;
  }
  Table table(name);
  table.add("lon", lon);
  table.add("lat", lat);
  table.add("y", y);
  return {name, std::move(table), west, east, south, north};
}

double deviation_of(const std::vector<double>& values) {
  double sum = 0, squares = 0;
  for (const double v : values) sum += v, squares += v * v;
  const auto n = static_cast<double>(values.size());
  return std::sqrt(std::max(0.0, squares / n - sum * sum / n / n));
}

// A way from one place to another, in degrees; longitudes wrap.
struct Way {
  Point from, to;

  Point at(double t) const {
    Point p{from.x + t * (to.x - from.x), from.y + t * (to.y - from.y)};
    if (p.x > 180) p.x -= 360;
    if (p.x < -180) p.x += 360;
    return p;
  }
};

// The largest jump along a way of length 1: it is looked at in steps of 1/steps, and where it changes
// most in halves of these, and so on, down to `least`. A slope shrinks with the step, a jump stays.
double largest_jump(const Model& model, const Way& way, std::int64_t steps, double least) {
  const auto ask = [&](const std::vector<double>& at) {
    std::vector<Point> places;
    for (const double t : at) places.push_back(way.at(t));
    return model.predict(places, {}, {.threads = 2});
  };
  struct Piece {
    double begin, end, first, last;
    double change() const { return std::abs(last - first); }
  };
  std::vector<double> at;
  for (std::int64_t i = 0; i <= steps; ++i)
    at.push_back(static_cast<double>(i) / static_cast<double>(steps));
  const std::vector<double> values = ask(at);
  std::vector<Piece> pieces;
  for (std::size_t i = 0; i + 1 < at.size(); ++i)
    pieces.push_back({at[i], at[i + 1], values[i], values[i + 1]});
  constexpr std::size_t kKept = 64;
  for (double step = 1.0 / static_cast<double>(steps); step > least; step /= 2) {
    std::sort(pieces.begin(), pieces.end(),
              [](const Piece& a, const Piece& b) { return a.change() > b.change(); });
    if (pieces.size() > kKept) pieces.resize(kKept);
    std::vector<double> middles;
    for (const Piece& p : pieces) middles.push_back((p.begin + p.end) / 2);
    const std::vector<double> between = ask(middles);
    std::vector<Piece> halves;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      const Piece& p = pieces[i];
      halves.push_back({p.begin, middles[i], p.first, between[i]});
      halves.push_back({middles[i], p.end, between[i], p.last});
    }
    pieces = std::move(halves);
  }
  double most = 0;
  for (const Piece& p : pieces) most = std::max(most, p.change());
  return most;
}

void expect_no_jumps(const Land& land, const Options& options, const std::string& what) {
  const Roles roles{.x = "lon", .y = "lat", .geographic = true, .target = "y", .features = {}};
  const Model model = train(land.table, roles, options, false, {.threads = 2}).model;
  const std::vector<double>& y = land.table.find("y")->values;
  const double width = land.east - land.west, height = land.north - land.south;
  const double spacing = std::sqrt(width * height / static_cast<double>(y.size()));
  const Rng rng{11, Stream::sample};
  constexpr std::uint64_t kWays = 4;
  for (std::uint64_t w = 0; w < kWays; ++w) {
    // Through the points and somewhat beyond them.
    const auto inside = [&](std::uint64_t number, double low, double size) {
      return low + size * (1.2 * rng.uniform(number, w) - 0.1);
    };
    Way way{{inside(0, land.west, width), std::min(89.9, inside(1, land.south, height))},
            {inside(2, land.west, width), std::min(89.9, inside(3, land.south, height))}};
    const double length = std::hypot(way.to.x - way.from.x, way.to.y - way.from.y);
    const double jump = largest_jump(model, way, 1500, 1e-6 * spacing / length);
    EXPECT_LT(jump, 1e-4 * deviation_of(y)) << what << " on " << land.name << ", way " << w;
  }
}

std::vector<Land> lands(std::size_t rows) {
  std::vector<Land> all;
  all.push_back(scattered("mid-latitudes", rows, 5, 11, 44, 50));
  all.push_back(scattered("across 180 degrees", rows, 176, 184, -20, -14));
  all.push_back(scattered("around the pole", rows, -180, 180, 80, 89.9));
  return all;
}

class SurfacesWithoutJumps : public testing::TestWithParam<const char*> {};

TEST_P(SurfacesWithoutJumps, OfAModelByItsName) {
  for (const Land& land : lands(200)) {
    Options o = test::small_model(GetParam());
    expect_no_jumps(land, o, GetParam());
  }
}

TEST_P(SurfacesWithoutJumps, OfAFewNeighbours) {
  for (const Land& land : lands(200)) {
    Options o = test::small_model(GetParam());
    o.k = 9;
    expect_no_jumps(land, o, GetParam());
  }
}

INSTANTIATE_TEST_SUITE_P(Baselines, SurfacesWithoutJumps,
                         testing::Values("mean", "idw", "kriging", "nngp", "gp", "svgp"),
                         [](const auto& p) { return std::string(p.param); });

TEST(SurfaceWithoutJumps, OfTheDefaultNetwork) {
  Options o = test::small_default(60, 1);
  o.choose = "none";
  for (const Land& land : lands(300)) expect_no_jumps(land, o, "label_attention");
}

TEST(SurfaceWithoutJumps, OfTheDefaultNetworkWithoutKrigingAndWithAttentionAmong) {
  Options o = test::small_default(60, 1);
  o.choose = "none";
  o.part.set("smoother", "none");
  o.part.set("among", 1);
  expect_no_jumps(lands(300)[0], o, "label_attention, among");
}

TEST(SurfaceWithoutJumps, OfTheWholeDefault) {
  Options o = test::small_combined(60, 2);
  o.choose = "none";
  expect_no_jumps(lands(300)[0], o, "default");
}

TEST(SurfaceWithoutJumps, IsSeenToJumpWhereNothingTapersOff) {
  Options o = test::small_model("kriging");
  o.k = 9;
  o.taper = false;
  const Land land = lands(200)[0];
  const Roles roles{.x = "lon", .y = "lat", .geographic = true, .target = "y", .features = {}};
  const Model model = train(land.table, roles, o, false, {.threads = 2}).model;
  const Way way{{5.2, 44.3}, {10.7, 49.6}};
  EXPECT_GT(largest_jump(model, way, 1500, 1e-7), 1e-3);
}

}  // namespace
}  // namespace pegnn
