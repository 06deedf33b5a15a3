#include "baseline/local_process.h"

#include <cstddef>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/spatial_rows.h"

namespace pegnn {
namespace {

class KrigingAndNngp : public testing::TestWithParam<const char*> {
 protected:
  std::string summary(const test::SpatialRows& data, const Options& options = {}) const {
    return test::Fitted(*find_baseline(GetParam()), options, data).baseline->summary();
  }
};

TEST_P(KrigingAndNngp, TakeTheKernelThatTellsRowsLeftOutBest) {
  for (const bool taper : {false, true}) {
    Options options;
    options.taper = taper;
    const test::SpatialRows rough =
        test::simulate(900, {Covariance::exponential, 0.3, 1.0, 0.001}, 0, 0, 1);
    EXPECT_TRUE(summary(rough, options).starts_with("exponential")) << summary(rough, options);
    const test::SpatialRows smooth =
        test::simulate(900, {Covariance::matern52, 0.3, 1.0, 0.0}, 0, 0, 2);
    EXPECT_TRUE(summary(smooth, options).starts_with("matern52")) << summary(smooth, options);
  }
}

TEST_P(KrigingAndNngp, TakeTheKernelTheyAreGiven) {
  const test::SpatialRows data =
      test::simulate(300, {Covariance::exponential, 0.3, 1.0, 0.1}, 0, 0, 3);
  for (const char* kernel : {"exponential", "matern32", "matern52", "gaussian"}) {
    Options options;
    options.kernel = kernel;
    EXPECT_TRUE(summary(data, options).starts_with(kernel)) << summary(data, options);
  }
}

TEST_P(KrigingAndNngp, TakeTheExponentialForAGivenRangeSillAndNugget) {
  const test::SpatialRows data =
      test::simulate(300, {Covariance::matern52, 0.3, 1.0, 0.0}, 0, 0, 4);
  Options options;
  options.range = 0.3;
  options.sill = 1;
  options.nugget = 0.1;
  EXPECT_TRUE(summary(data, options).starts_with("exponential")) << summary(data, options);
}

TEST_P(KrigingAndNngp, ChooseTheSameKernelWhateverTheOrderOfTheTable) {
  const test::SpatialRows data =
      test::simulate(400, {Covariance::matern32, 0.3, 1.0, 0.05}, 0, 20, 5);
  std::vector<std::size_t> back(data.points.size());
  for (std::size_t i = 0; i < back.size(); ++i) back[i] = back.size() - 1 - i;
  EXPECT_EQ(summary(data), summary(data.picked(back)));
}

INSTANTIATE_TEST_SUITE_P(Of, KrigingAndNngp, testing::Values("kriging", "nngp"),
                         [](const auto& of) { return std::string(of.param); });

}  // namespace
}  // namespace pegnn
