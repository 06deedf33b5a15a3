#pragma once
// Rows at random places of a plane, for tests of what becomes of rows.

#include "base/philox.h"
#include "table/dataset.h"

namespace pegnn::test {

// With a target of random numbers around 0.
inline Dataset scattered_rows(std::size_t rows) {
  const Rng rng{5, Stream::sample};
  Dataset data;
  data.space = Space::plane;
  for (std::size_t i = 0; i < rows; ++i) {
    data.points.push_back({rng.uniform(0, i), rng.uniform(1, i)});
    data.y.push_back(rng.uniform(2, i) - 0.5);
  }
  return data;
}

}  // namespace pegnn::test
