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
  std::vector<double> predicted = test::random_values(11, 1), weight = test::random_values(11, 3);
  const std::vector<double> observed = test::random_values(11, 2), alike;
  for (double& w : weight) w = std::abs(w) + 0.1;
  for (const std::vector<double>& weights : {alike, weight}) {
    std::vector<double> gradient(11);
    mean_loss<double>(GetParam()->of_row, predicted, observed, weights, 1.7, gradient);
    const auto scaled = [&] {
      return 1.7 * mean_loss<double>(GetParam()->of_row, predicted, observed, weights, 1.0, {});
    };
    test::expect_gradient(scaled, predicted, gradient, weights.empty() ? "plain" : "weighted");
  }
}

TEST_P(EveryLoss, IsZeroWithZeroGradientForPerfectPredictions) {
  const std::vector<float> y{1, 2, 3};
  std::vector<float> gradient(3, 9.0F);
  EXPECT_EQ(0.0, mean_loss<float>(GetParam()->of_row, y, y, {}, 1.0, gradient));
  EXPECT_EQ(std::vector<float>(3, 0.0F), gradient);
}

TEST_P(EveryLoss, OfNoRowsIsZero) {
  EXPECT_EQ(0.0, mean_loss<double>(GetParam()->of_row, {}, {}, {}, 1.0, {}));
}

TEST_P(EveryLoss, AWeightOfTwoIsTheRowTwiceOverTheNumberOfRows) {
  const std::vector<double> predicted{1, 5, 2}, observed{3, 4, 2.5}, weight{2, 1, 1};
  const std::vector<double> twice{1, 1, 5, 2}, observed_twice{3, 3, 4, 2.5};
  const LossFunction loss = GetParam()->of_row;
  EXPECT_DOUBLE_EQ(4 * mean_loss<double>(loss, twice, observed_twice, {}, 1.0, {}),
                   3 * mean_loss<double>(loss, predicted, observed, weight, 1.0, {}));
}

TEST_P(EveryLoss, WithoutWeightsIsTheMeanOfTheRowsToTheBit) {
  const std::vector<float> predicted{1, 5, 2.2F}, observed{3, 4.1F, 2.5F};
  std::vector<float> gradient(3);
  const double mean = mean_loss<float>(GetParam()->of_row, predicted, observed, {}, 0.7, gradient);
  double sum = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const RowLoss row =
        GetParam()->of_row(static_cast<double>(predicted[i]) - static_cast<double>(observed[i]));
    sum += row.value;
    EXPECT_EQ(static_cast<float>(0.7 * row.slope / 3), gradient[i]) << i;
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
