// The index against brute force on the coordinates of real tables: two-decimal rounding with many
// places shared (California), stations around the globe, roads, a regular grid of heights.

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <zlib.h>

#include "base/philox.h"
#include "base/text.h"
#include "geo/nearest.h"
#include "support/places.h"

namespace pegnn {
namespace {

// The longitude and latitude columns of a comma-separated file, gzip or plain.
std::vector<Point> read_points(const std::filesystem::path& file) {
  std::vector<Point> points;
  gzFile in = gzopen(file.c_str(), "rb");
  if (in == nullptr) return points;
  char line[1024];
  std::size_t lon = 0, lat = 0;
  for (bool header = true; gzgets(in, line, sizeof line) != nullptr; header = false) {
    const auto cells = split(trim(line), ',');
    if (header) {
      const auto column = [&](const char* name) {
        return static_cast<std::size_t>(
            std::ranges::find(cells, name, [](const auto& cell) { return lower(cell); }) -
            cells.begin());
      };
      lon = column("longitude");
      lat = column("latitude");
    } else {
      points.push_back({parse_number(cells.at(lon)).value(), parse_number(cells.at(lat)).value()});
    }
  }
  gzclose(in);
  return points;
}

struct Real {
  const char* file;
  std::size_t rows;
};

class NearestOnRealTable : public testing::TestWithParam<Real> {};

// Brute force on all rows of the largest table takes half a minute: it is done when PEGNN_SLOW is
// set.
std::size_t rows_compared(std::size_t rows) {
  const bool all = rows <= 5000 || std::getenv("PEGNN_SLOW") != nullptr;
  return all ? rows : std::min<std::size_t>(rows, 2000);
}

TEST_P(NearestOnRealTable, AgreesWithBruteForce) {
  if (!std::filesystem::exists(test::data_folder())) {
    GTEST_SKIP() << "shared/data is not here; set PEGNN_DATA";
  }
  const auto points = read_points(test::data_folder() / GetParam().file);
  ASSERT_EQ(points.size(), GetParam().rows);

  std::vector<std::int32_t> sample(points.size());
  for (std::size_t i = 0; i < sample.size(); ++i) sample[i] = static_cast<std::int32_t>(i);
  shuffle(sample.data(), static_cast<std::int64_t>(sample.size()), Rng{5, Stream::sample}, 0);
  sample.resize(rows_compared(sample.size()));
  std::vector<Point> queries;
  for (const std::int32_t row : sample) queries.push_back(points[static_cast<std::size_t>(row)]);

  const ThreadPool pool(1);
  NearestIndex index;
  index.build(points, Space::sphere, pool);
  Neighbours expected, found, self;
  search_by_brute_force(points, queries, Space::sphere, 6, false, expected);
  index.search(queries, 6, false, pool, found);
  EXPECT_EQ(found.rows, expected.rows);
  EXPECT_EQ(found.distances, expected.distances);

  // Without itself, the five nearest of a row are the first five others among its six.
  index.search(points, 5, true, pool, self);
  for (std::size_t i = 0; i < sample.size(); ++i) {
    std::size_t next = static_cast<std::size_t>(sample[i]) * 5;
    const std::size_t end = next + 5;
    for (std::size_t j = 6 * i; j < 6 * i + 6 && next < end; ++j) {
      if (expected.rows[j] == sample[i]) continue;
      ASSERT_EQ(self.rows[next], expected.rows[j]) << "row " << sample[i];
      ASSERT_EQ(self.distances[next], expected.distances[j]) << "row " << sample[i];
      ++next;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(SharedData, NearestOnRealTable,
                         testing::Values(Real{"air_temperature.csv", 3076},
                                         Real{"election.csv", 3107},
                                         Real{"3d_road_sample5000.csv.gz", 5000},
                                         Real{"california_housing.csv", 20640},
                                         Real{"standin_jacksboro_dem.csv.gz", 138632}),
                         [](const auto& p) {
                           std::string name = p.param.file;
                           name.resize(name.find('.'));
                           return name[0] == '3' ? "road" + name.substr(7) : name;
                         });

}  // namespace
}  // namespace pegnn
