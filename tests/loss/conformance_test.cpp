// What must hold for every loss in losses.def, with no line added per loss; and the task weights.

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "loss/loss.h"
#include "loss/task_weights.h"
#include "support/gradient.h"

namespace pegnn {
namespace {

class EveryLoss : public testing::TestWithParam<const LossEntry*> {};

INSTANTIATE_TEST_SUITE_P(Registered, EveryLoss, testing::ValuesIn(losses()),
                         [](const auto& p) { return std::string(p.param->info.name); });

// As many rows of outputs as there are observations.
template <class T>
Mat<T> outputs_of(std::vector<T>& values, const LossEntry& loss) {
  return {values.data(), std::ssize(values) / loss.outputs, loss.outputs};
}

TEST_P(EveryLoss, GradientAgreesWithFiniteDifferencesTimesTheScale) {
  const LossEntry& loss = *GetParam();
  const auto size = static_cast<std::size_t>(11 * loss.outputs);
  std::vector<double> raw = test::random_values(size, 1), weight = test::random_values(11, 3);
  const std::vector<double> observed = test::random_values(11, 2), alike;
  for (double& w : weight) w = std::abs(w) + 0.1;
  for (const std::vector<double>& weights : {alike, weight}) {
    std::vector<double> gradient(size);
    mean_loss<double>(loss, outputs_of(raw, loss), observed, weights, 1.7,
                      outputs_of(gradient, loss));
    const auto scaled = [&] {
      return 1.7 * mean_loss<double>(loss, outputs_of(raw, loss), observed, weights, 1.0, {});
    };
    test::expect_gradient(scaled, raw, gradient, weights.empty() ? "plain" : "weighted");
  }
}

TEST_P(EveryLoss, OfAnErrorIsZeroWithZeroGradientForPerfectPredictions) {
  if (GetParam()->outputs > 1) GTEST_SKIP() << "a likelihood has no such zero";
  std::vector<float> y{1, 2, 3}, gradient(3, 9.0F);
  EXPECT_EQ(0.0, mean_loss<float>(*GetParam(), outputs_of(y, *GetParam()), y, {}, 1.0,
                                  outputs_of(gradient, *GetParam())));
  EXPECT_EQ(std::vector<float>(3, 0.0F), gradient);
}

TEST_P(EveryLoss, OfNoRowsIsZero) {
  EXPECT_EQ(0.0, mean_loss<double>(*GetParam(), {}, {}, {}, 1.0, {}));
}

TEST_P(EveryLoss, AWeightOfTwoIsTheRowTwiceOverTheNumberOfRows) {
  const LossEntry& loss = *GetParam();
  const auto outputs = static_cast<std::size_t>(loss.outputs);
  std::vector<double> raw = test::random_values(3 * outputs, 5);
  std::vector<double> twice(raw.begin(), raw.begin() + loss.outputs);
  twice.insert(twice.end(), raw.begin(), raw.end());
  const std::vector<double> observed{3, 4, 2.5}, weight{2, 1, 1}, observed_twice{3, 3, 4, 2.5};
  EXPECT_DOUBLE_EQ(
      4 * mean_loss<double>(loss, outputs_of(twice, loss), observed_twice, {}, 1.0, {}),
      3 * mean_loss<double>(loss, outputs_of(raw, loss), observed, weight, 1.0, {}));
}

TEST_P(EveryLoss, WithoutWeightsIsTheMeanOfTheRowsToTheBit) {
  const LossEntry& loss = *GetParam();
  const auto outputs = static_cast<std::size_t>(loss.outputs);
  const std::vector<double> values = test::random_values(3 * outputs, 6);
  std::vector<float> raw(values.begin(), values.end()), gradient(3 * outputs);
  const std::vector<float> observed{3, 4.1F, 2.5F};
  const double mean =
      mean_loss<float>(loss, outputs_of(raw, loss), observed, {}, 0.7, outputs_of(gradient, loss));
  double sum = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::vector<double> row(raw.begin() + std::ssize(raw) / 3 * static_cast<int>(i),
                                  raw.begin() + std::ssize(raw) / 3 * static_cast<int>(i + 1));
    std::vector<double> slope(outputs);
    sum += loss.of_row(row.data(), static_cast<double>(observed[i]), slope.data());
    for (std::size_t o = 0; o < outputs; ++o) {
      EXPECT_EQ(static_cast<float>(0.7 * slope[o] / 3), gradient[i * outputs + o]) << i;
    }
  }
  EXPECT_EQ(sum / 3, mean);
}

TEST_P(EveryLoss, SaysWhatItIs) { EXPECT_FALSE(GetParam()->info.summary.empty()); }

class TaskWeightsTest : public testing::Test {
 protected:
  // The total loss for given log variances, and its gradient.
  double total(const Options& options, double main, double auxiliary, std::vector<double>& s) {
    TaskWeights<double> tasks(options);
    ParamLayout layout;
    WorkPlan plan;
    tasks.plan({layout, plan, "tasks"});
    std::vector<double> parameters(
        static_cast<std::size_t>(std::max<std::int64_t>(1, layout.size())));
    gradients_.assign(parameters.size(), 0.0);
    if (tasks.learned()) std::copy(s.begin(), s.end(), parameters.begin());
    Workspace<double> work;
    const ThreadPool pool(1);
    Schedule schedule(pool);
    const Pass<double> pass{.kernels = reference::kernels<double>(),
                            .schedule = schedule,
                            .work = work,
                            .parameters = parameters.data(),
                            .gradients = gradients_.data()};
    return tasks.combine(pass, main, auxiliary);
  }
  std::vector<double> gradients_;
};

TEST_F(TaskWeightsTest, LambdaWeighsTheAuxiliaryLoss) {
  Options o;
  o.lambda = 0.25;
  std::vector<double> none;
  EXPECT_EQ(2.0 + 0.25 * 4.0, total(o, 2.0, 4.0, none));
  o.lambda = 0;
  EXPECT_EQ(2.0, total(o, 2.0, std::nan(""), none)) << "no auxiliary task at all";
}

TEST_F(TaskWeightsTest, UncertaintyFormsDifferInTheirRegulariser) {
  Options o;
  o.uncertainty_weights = true;
  std::vector<double> s{std::log(4.0), std::log(9.0)};  // sigma 2 and 3
  o.uncertainty_form = "paper";
  EXPECT_NEAR(2.0 / 8 + 4.0 / 18 + std::log(2.0) + std::log(3.0), total(o, 2.0, 4.0, s), 1e-14);
  o.uncertainty_form = "reference";
  EXPECT_NEAR(2.0 / 8 + 4.0 / 18 + 2 * (std::log(2.0) + std::log(3.0)), total(o, 2.0, 4.0, s),
              1e-14);
}

TEST_F(TaskWeightsTest, GradientOfTheLearnedWeightsAgreesWithFiniteDifferences) {
  for (const char* form : {"paper", "reference"}) {
    Options o;
    o.uncertainty_weights = true;
    o.uncertainty_form = form;
    std::vector<double> s{0.3, -0.4};
    total(o, 2.0, 4.0, s);
    const std::vector<double> got(gradients_.begin(), gradients_.begin() + 2);
    test::expect_gradient([&] { return total(o, 2.0, 4.0, s); }, s, got, form);
  }
}

}  // namespace
}  // namespace pegnn
