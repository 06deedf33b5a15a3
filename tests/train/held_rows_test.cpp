#include "train/held_rows.h"

#include <vector>

#include <gtest/gtest.h>

#include "base/philox.h"
#include "support/scattered_rows.h"
#include "table/split.h"

namespace pegnn {
namespace {

// Answers of a smoother that says 0 everywhere, and corrections that are this part of the truth.
HeldAnswers answers(const Dataset& data, std::span<const std::int64_t> rows, double part,
                    float gap = 0) {
  HeldAnswers a;
  a.rows.assign(rows.begin(), rows.end());
  for (const std::int64_t row : rows) {
    a.predicted.push_back(static_cast<float>(part * data.y[static_cast<std::size_t>(row)]));
    a.smooth.push_back(0);
    a.gaps.push_back(gap);
  }
  return a;
}

double blend_of(double part, std::size_t rows = 600, float gap = 0, bool gaps = false,
                std::int32_t groups = 0) {
  const Dataset data = test::scattered_rows(rows);
  HeldRows held(data, gaps);
  const std::vector<std::int64_t> all = all_rows(data.rows());
  HeldAnswers a = answers(data, all, part, gap);
  for (std::size_t i = 0; i < rows && groups > 0; ++i) {
    a.groups.push_back(static_cast<std::int32_t>(i) % groups);
  }
  held.add(a, Scaler{});
  return held.blend();
}

TEST(HeldRows, CorrectionsThatHelpAreKept) {
  EXPECT_NEAR(1, blend_of(0.9), 1e-9);
  EXPECT_NEAR(0.5, blend_of(2), 1e-6) << "those that go too far in part";
}

TEST(HeldRows, CorrectionsThatHarmAreNot) { EXPECT_EQ(0, blend_of(-0.5)); }

TEST(HeldRows, FewGroupsDoNotTell) {
  EXPECT_EQ(0, blend_of(0.9, 4));
  EXPECT_EQ(0, blend_of(0.9, 600, 1, true, 5)) << "many rows in five blocks";
  EXPECT_GT(blend_of(0.9, 600, 1, true, 12), 0.9);
}

TEST(HeldRows, RowsCountWhereTheMembersHaveTheirSay) {
  EXPECT_EQ(0, blend_of(0.9, 600, 1, false)) << "in gaps others answer";
  EXPECT_EQ(0, blend_of(0.9, 600, 0, true)) << "in the midst others answer";
  EXPECT_NEAR(1, blend_of(0.9, 600, 0.5F, true), 1e-9);
}

TEST(HeldRows, NoiseIsHardlyKept) {
  const Dataset data = test::scattered_rows(200);
  const Rng rng{6, Stream::sample};
  double sum = 0;
  for (std::uint64_t draw = 0; draw < 50; ++draw) {
    HeldRows held(data, false);
    const std::vector<std::int64_t> all = all_rows(data.rows());
    HeldAnswers a = answers(data, all, 0);
    std::uint64_t i = 0;
    for (float& predicted : a.predicted) {
      predicted = static_cast<float>(rng.uniform(draw, i++) - 0.5);
    }
    held.add(a, Scaler{});
    sum += held.blend() / 50;
  }
  EXPECT_LT(sum, 0.02);
}

TEST(HeldRows, WithoutASmootherAllIsKept) {
  const Dataset data = test::scattered_rows(20);
  HeldRows held(data, false);
  EXPECT_TRUE(held.empty());
  const std::vector<std::int64_t> all = all_rows(data.rows());
  HeldAnswers a = answers(data, all, 0.5);
  a.smooth.clear();
  a.gaps.clear();
  held.add(a, Scaler{});
  EXPECT_FALSE(held.empty());
  EXPECT_EQ(1, held.blend());
}

TEST(HeldRows, HeavyRowsDecideWhatIsKept) {
  Dataset data = test::scattered_rows(600);
  const std::vector<std::int64_t> all = all_rows(data.rows());
  HeldAnswers a = answers(data, all, 0.9);
  // In the second half the corrections go the wrong way, and further.
  for (std::size_t i = 300; i < 600; ++i) a.predicted[i] *= -2;
  const auto blend = [&] {
    HeldRows held(data, false);
    held.add(a, Scaler{});
    return held.blend();
  };
  EXPECT_EQ(0, blend());
  for (std::size_t i = 0; i < 600; ++i) data.weight.push_back(i < 300 ? 1.99 : 0.01);
  EXPECT_GT(blend(), 0.5);
}

}  // namespace
}  // namespace pegnn
