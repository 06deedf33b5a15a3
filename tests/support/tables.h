#pragma once
// Small tables for tests.

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "base/philox.h"
#include "pegnn/table.h"

namespace pegnn::test {

// `rows` places in a box with a smooth surface `y`, a feature `a` that helps and one that does not.
inline Table smooth_table(std::size_t rows, std::uint64_t seed = 1) {
  const Rng rng{seed, Stream::sample};
  std::vector<double> lon(rows), lat(rows), a(rows), b(rows), y(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    lon[i] = 10 + 5 * rng.uniform(0, i);
    lat[i] = 45 + 4 * rng.uniform(1, i);
    a[i] = rng.uniform(2, i);
    b[i] = rng.uniform(3, i);
    y[i] = 20 + 3 * std::sin(lon[i]) + 2 * std::cos(1.5 * lat[i]) + 4 * a[i];
  }
  Table table("smooth.csv");
  table.add("lon", lon);
  table.add("lat", lat);
  table.add("a", a);
  table.add("b", b);
  table.add("y", y);
  return table;
}

inline Roles smooth_roles(bool features = true) {
  return {.x = "lon",
          .y = "lat",
          .geographic = true,
          .target = "y",
          .features = features ? std::vector<std::string>{"a", "b"} : std::vector<std::string>{}};
}

}  // namespace pegnn::test
