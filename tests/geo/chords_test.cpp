#include "geo/chords.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "geo/sphere.h"
#include "support/targets.h"

namespace pegnn {
namespace {

TEST(Chords, ManyBecomeMetresAsOneDoes) {
  // Runs of near ones, runs of far ones and both in one vector, of every length.
  for (std::size_t count = 0; count < 40; ++count) {
    std::vector<double> chords;
    for (std::size_t i = 0; i < count; ++i) {
      const double near = 0.0099 * static_cast<double>(i * i % 37) / 37;
      chords.push_back(i % 23 == 19 || i > 33 ? 4.0 * static_cast<double>(i) / 39 : near);
    }
    test::for_every_target([&](const char*) {
      std::vector<double> metres = chords;
      chords_to_metres(metres);
      for (std::size_t i = 0; i < count; ++i) {
        EXPECT_EQ(metres_of_squared_chord(chords[i]).value, metres[i]) << i << " of " << count;
      }
    });
  }
}

TEST(Chords, TheSeriesMeetsTheArcWhereItEnds) {
  for (const double squared : {1e-18, 1e-6, 0.004, 0.00999999, 0.01}) {
    const double arc = 2 * kEarthRadiusMetres * std::asin(std::sqrt(squared) / 2);
    EXPECT_NEAR(1, metres_of_squared_chord(squared).value / arc, 1e-15);
  }
}

}  // namespace
}  // namespace pegnn
