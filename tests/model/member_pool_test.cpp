#include "model/member_pool.h"

#include <cmath>

#include <gtest/gtest.h>

namespace pegnn {
namespace {

std::vector<float> pooled(const std::vector<OutputColumn>& columns,
                          std::vector<std::vector<float>> members) {
  MemberPool pool(columns);
  const auto width = static_cast<std::int64_t>(columns.size());
  const std::int64_t rows = std::ssize(members.front()) / width;
  std::vector<float> out(members.front().size());
  const Mat<float> to(out.data(), rows, width);
  pool.begin(std::ssize(members), to);
  for (std::vector<float>& member : members) {
    pool.add(Mat<const float>(member.data(), rows, width), to);
  }
  pool.finish(to);
  return out;
}

const OutputColumn kMean{.kind = OutputKind::mean}, kDeviation{.kind = OutputKind::deviation},
    kMedian{.kind = OutputKind::quantile, .level = 0.5};

TEST(MemberPool, MeansAndQuantilesAreAveraged) {
  EXPECT_EQ((std::vector<float>{2, 4, 0, 1}),
            pooled({kMean, kMedian}, {{1, 3, -2, 0}, {3, 5, 2, 2}}));
}

TEST(MemberPool, DeviationIsThatOfTheMixture) {
  // Two normals of deviation 1 at -1 and 1: variance 1 + 1.
  const std::vector<float> found = pooled({kMean, kDeviation}, {{-1, 1}, {1, 1}});
  EXPECT_EQ(0, found[0]);
  EXPECT_NEAR(std::sqrt(2.0), found[1], 1e-6);
}

TEST(MemberPool, OneMemberIsItselfToTheBit) {
  const std::vector<float> answers{0.1F, 0.7F, -3.3F, 1e-7F};
  EXPECT_EQ(answers, pooled({kMean, kDeviation}, {answers}));
}

TEST(MemberPool, EqualMembersAgreeWithOneUpToRounding) {
  const std::vector<float> found = pooled({kMean, kDeviation}, {{2, 0.5F}, {2, 0.5F}, {2, 0.5F}});
  EXPECT_NEAR(2, found[0], 1e-6);
  EXPECT_NEAR(0.5, found[1], 1e-6);
}

}  // namespace
}  // namespace pegnn
