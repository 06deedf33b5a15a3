#pragma once
// Made-up points and tables, the same for every run: places in a box the size of California,
// uniform or clustered, with features and a target drawn uniformly.

#include <cstdint>
#include <string>
#include <vector>

#include "base/aligned_buffer.h"
#include "pegnn/options.h"
#include "table/dataset.h"

namespace pegnn::bench {

// Rows and features of the table that the goals speak of: California's training rows.
inline constexpr std::int64_t kRows = 16'512;
inline constexpr std::int64_t kFeatures = 6;
inline constexpr std::int64_t kBatch = 2'048;
inline constexpr std::int64_t kNeighbours = 5;

enum class Places { uniform, clustered };

// Clustered: nine of ten points gather around 1 in 1,000 places, spread by a hundredth of a degree.
std::vector<Point> make_points(std::int64_t rows, Places places, std::uint64_t seed = 1);

Dataset make_data(std::int64_t rows, Places places = Places::uniform);

// The published network on that backbone, with k = 5 and lambda = 0.25; nothing is left to the
// data.
Options step_options(const std::string& backbone, std::int64_t batch);

// Numbers in [lo, hi).
AlignedBuffer<float> random_floats(std::int64_t size, float lo, float hi, std::uint64_t seed);

// A table of four columns, two of them coordinates, as text.
std::string make_csv(std::int64_t rows);

}  // namespace pegnn::bench
