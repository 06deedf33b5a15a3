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

TEST_P(EveryLoss, GradientAgreesWithFiniteDifferencesTimesTheScale) {
  std::vector<double> predicted = test::random_values(11, 1);
  const std::vector<double> observed = test::random_values(11, 2);
  std::vector<double> gradient(11);
  GetParam()->of_double(predicted, observed, 1.7, gradient);
  test::expect_gradient([&] { return 1.7 * GetParam()->of_double(predicted, observed, 1.0, {}); },
                        predicted, gradient, "predicted");
}

TEST_P(EveryLoss, IsZeroWithZeroGradientForPerfectPredictions) {
  const std::vector<float> y{1, 2, 3};
  std::vector<float> gradient(3, 9.0F);
  EXPECT_EQ(0.0, GetParam()->of_float(y, y, 1.0, gradient));
  EXPECT_EQ(std::vector<float>(3, 0.0F), gradient);
}

TEST_P(EveryLoss, OfNoRowsIsZero) { EXPECT_EQ(0.0, GetParam()->of_double({}, {}, 1.0, {})); }

TEST_P(EveryLoss, GradientWithWeightsAgreesWithFiniteDifferencesTimesTheScale) {
  std::vector<double> predicted = test::random_values(11, 1), weight = test::random_values(11, 3);
  const std::vector<double> observed = test::random_values(11, 2);
  for (double& w : weight) w = std::abs(w) + 0.1;
  std::vector<double> gradient(11);
  const auto of_double = GetParam()->of_double;
  weighted_loss<double>(of_double, predicted, observed, weight, 1.7, gradient);
  test::expect_gradient(
      [&] { return 1.7 * weighted_loss<double>(of_double, predicted, observed, weight, 1.0, {}); },
      predicted, gradient, "predicted");
}

TEST_P(EveryLoss, AWeightOfTwoIsTheRowTwiceOverTheNumberOfRows) {
  const std::vector<double> predicted{1, 5, 2}, observed{3, 4, 2.5}, weight{2, 1, 1};
  const std::vector<double> twice{1, 1, 5, 2}, observed_twice{3, 3, 4, 2.5};
  const auto of_double = GetParam()->of_double;
  EXPECT_DOUBLE_EQ(4 * of_double(twice, observed_twice, 1.0, {}),
                   3 * weighted_loss<double>(of_double, predicted, observed, weight, 1.0, {}));
}

TEST_P(EveryLoss, WithoutWeightsIsItself) {
  const std::vector<float> predicted{1, 5, 2.2F}, observed{3, 4.1F, 2.5F};
  std::vector<float> plain(3), got(3);
  const auto of_float = GetParam()->of_float;
  EXPECT_EQ(of_float(predicted, observed, 0.7, plain),
            weighted_loss<float>(of_float, predicted, observed, {}, 0.7, got));
  EXPECT_EQ(plain, got);
  const std::vector<float> none;
  EXPECT_EQ(0.0, weighted_loss<float>(of_float, none, none, none, 1.0, {}));
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
