#include "bench/data.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "base/philox.h"
#include "pegnn/train.h"

namespace pegnn::bench {
namespace {

Point place(const Rng& rng, std::uint64_t stream, std::uint64_t i) {
  return {-124.3 + 10.0 * rng.uniform(stream, i), 32.5 + 9.5 * rng.uniform(stream + 1, i)};
}

}  // namespace

std::vector<Point> make_points(std::int64_t rows, Places places, std::uint64_t seed) {
  const Rng rng{seed, Stream::sample};
  const auto centres = static_cast<std::uint64_t>(std::max<std::int64_t>(1, rows / 1'000));
  std::vector<Point> points(static_cast<std::size_t>(rows));
  for (std::size_t i = 0; i < points.size(); ++i) {
    points[i] = place(rng, 0, i);
    if (places == Places::uniform || i % 10 == 0) continue;
    const Point centre = place(rng, 2, rng.below(centres, 4, i));
    points[i] = {centre.x + 0.01 * rng.normal(5, i), centre.y + 0.01 * rng.normal(6, i)};
  }
  return points;
}

Dataset make_data(std::int64_t rows, Places places) {
  const Rng rng{2, Stream::sample};
  Dataset data;
  data.points = make_points(rows, places);
  data.space = Space::sphere;
  for (std::int64_t f = 0; f < kFeatures; ++f) data.feature_names.push_back(fmt::format("x{}", f));
  const auto n = static_cast<std::size_t>(rows), width = static_cast<std::size_t>(kFeatures);
  data.x.resize(n * width);
  data.y.resize(n);
  data.table_rows.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t f = 0; f < width; ++f) data.x[i * width + f] = rng.uniform(f, i);
    data.y[i] = rng.uniform(width, i);
    data.table_rows[i] = static_cast<std::int64_t>(i);
  }
  return data;
}

Options step_options(const std::string& backbone, std::int64_t batch) {
  Options options = preset("reference");
  options.backbone = backbone;
  options.k = kNeighbours;
  options.lambda = 0.25;
  options.batch = batch;
  return options;
}

AlignedBuffer<float> random_floats(std::int64_t size, float lo, float hi, std::uint64_t seed) {
  const Rng rng{seed, Stream::sample};
  AlignedBuffer<float> buffer(size);
  for (std::int64_t i = 0; i < size; ++i) {
    buffer[i] = lo + (hi - lo) * static_cast<float>(rng.uniform(0, static_cast<std::uint64_t>(i)));
  }
  return buffer;
}

std::string make_csv(std::int64_t rows) {
  const std::vector<Point> points = make_points(rows, Places::uniform);
  const Rng rng{3, Stream::sample};
  fmt::memory_buffer text;
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "longitude,latitude,a,y\n");
  for (std::size_t i = 0; i < points.size(); ++i) {
    fmt::format_to(out, "{:.6f},{:.6f},{:.4f},{:.5f}\n", points[i].x, points[i].y,
                   10 * rng.uniform(0, i), 100 * rng.uniform(1, i));
  }
  return fmt::to_string(text);
}

}  // namespace pegnn::bench
