#include "linalg/small_systems.h"

#include <cmath>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "base/aligned_buffer.h"
#include "base/philox.h"
#include "support/spatial_rows.h"
#include "support/targets.h"

namespace pegnn {
namespace {

// kSide systems of n unknowns with `rows` right-hand sides, each system with numbers of its own.
struct Systems {
  Systems(std::int64_t size, std::int64_t rows)
      : n(size), a(triangle_at(n, 0)), b(rows * n * kSide) {
    for (std::int64_t s = 0; s < kSide; ++s) put(s, s, rows);
  }

  // System number `which` at `side`.
  void put(std::int64_t side, std::int64_t which, std::int64_t rows) {
    const Rng rng{static_cast<std::uint64_t>(which), Stream::sample};
    const auto at = [&](std::int64_t i) {
      return 9 * rng.uniform(0, static_cast<std::uint64_t>(i));
    };
    for (std::int64_t i = 0; i < n; ++i) {
      for (std::int64_t j = 0; j <= i; ++j) {
        a[triangle_at(i, j) + side] = std::exp(-std::abs(at(i) - at(j))) + (i == j ? 0.3 : 0.0);
      }
    }
    for (std::int64_t i = 0; i < rows * n; ++i) {
      b[i * kSide + side] = rng.uniform(1, static_cast<std::uint64_t>(i)) - 0.5;
    }
  }

  std::vector<double> matrix(std::int64_t side) const {
    std::vector<double> full(static_cast<std::size_t>(n * n));
    for (std::int64_t i = 0; i < n; ++i) {
      for (std::int64_t j = 0; j < n; ++j) {
        full[static_cast<std::size_t>(i * n + j)] =
            a[triangle_at(std::max(i, j), std::min(i, j)) + side];
      }
    }
    return full;
  }
  std::vector<double> side_of(std::int64_t side, std::int64_t row) const {
    std::vector<double> out;
    for (std::int64_t i = 0; i < n; ++i) out.push_back(b[(row * n + i) * kSide + side]);
    return out;
  }
  double* row(std::int64_t r) { return b.data() + r * n * kSide; }

  std::int64_t n;
  AlignedBuffer<double> a, b;
};

TEST(SmallSystems, SolutionsAndProductsAreThoseOfADenseSolve) {
  test::for_every_target([](const char*) {
    for (const std::int64_t n : {1, 2, 3, 4, 5, 7, 8, 11, 16, 24, 33}) {
      for (const std::int64_t rows : {1, 2, 3, 4, 7}) {
        const Systems before(n, rows);
        Systems after = before;
        eliminate(n, 0.0, after.a.data(), rows, after.b.data());
        alignas(kAlignment) double product[kSide];
        inverse_product(n, after.a.data(), after.row(0), after.row(rows - 1), product);
        for (std::int64_t r = 0; r < rows; ++r) back_substitute(n, after.a.data(), after.row(r));
        for (std::int64_t s = 0; s < kSide; ++s) {
          std::vector<double> want;
          for (std::int64_t r = 0; r < rows; ++r) {
            want = test::solve(before.matrix(s), before.side_of(s, r));
            for (std::int64_t i = 0; i < n; ++i) {
              ASSERT_NEAR(after.b[(r * n + i) * kSide + s], want[static_cast<std::size_t>(i)],
                          1e-12)
                  << n << " unknowns, side " << r << " of " << rows;
            }
          }
          EXPECT_NEAR(product[s], test::dot(before.side_of(s, 0), want), 1e-11);
        }
      }
    }
  });
}

TEST(SmallSystems, ASystemDoesNotFeelItsNeighboursNorItsPlace) {
  test::for_every_target([](const char*) {
    constexpr std::int64_t kSize = 13, kRows = 3;
    const auto solved = [](Systems systems) {
      eliminate(kSize, 0.0, systems.a.data(), kRows, systems.b.data());
      back_substitute(kSize, systems.a.data(), systems.row(1));
      return systems;
    };
    const Systems want = solved(Systems(kSize, kRows));
    for (std::int64_t turn = 1; turn < kSide; ++turn) {
      Systems turned(kSize, kRows);
      // Number 0 moves on; elsewhere stand others than before, one of them not solvable.
      for (std::int64_t s = 0; s < kSide; ++s) turned.put(s, s == turn ? 0 : 100 + s, kRows);
      turned.a[triangle_at(2, 2)] = std::nan("");
      const Systems got = solved(turned);
      for (std::int64_t i = 0; i < kRows * kSize; ++i) {
        ASSERT_EQ(got.b[i * kSide + turn], want.b[i * kSide]);
      }
    }
  });
}

TEST(SmallSystems, PassesOverAVariableThatIsThereAlready) {
  test::for_every_target([](const char*) {
    // Variables 1 and 2 are one; without the second of them the system is 2 x 2.
    Systems twice(3, 1), once(2, 1);
    for (std::int64_t s = 0; s < kSide; ++s) {
      const double entries[] = {1, 0.5, 1, 0.5, 1, 1};
      for (std::int64_t i = 0; i < 6; ++i) twice.a[i * kSide + s] = entries[i];
      for (std::int64_t i = 0; i < 3; ++i) once.a[i * kSide + s] = entries[i];
      for (std::int64_t i = 0; i < 3; ++i) twice.b[i * kSide + s] = static_cast<double>(1 + i);
      for (std::int64_t i = 0; i < 2; ++i) once.b[i * kSide + s] = static_cast<double>(1 + i);
    }
    alignas(kAlignment) double with[kSide], without[kSide];
    eliminate(3, 1e-10, twice.a.data(), 1, twice.b.data());
    inverse_product(3, twice.a.data(), twice.row(0), twice.row(0), with);
    back_substitute(3, twice.a.data(), twice.row(0));
    eliminate(2, 1e-10, once.a.data(), 1, once.b.data());
    inverse_product(2, once.a.data(), once.row(0), once.row(0), without);
    back_substitute(2, once.a.data(), once.row(0));
    EXPECT_EQ(with[3], without[3]);
    EXPECT_EQ(twice.b[0], once.b[0]);
    EXPECT_EQ(twice.b[kSide], once.b[kSide]);
    EXPECT_EQ(twice.b[2 * kSide], 0);
  });
}

}  // namespace
}  // namespace pegnn
