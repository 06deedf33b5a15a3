// What must hold for every head in heads.def, with no line added per head.

#include <cmath>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "head/head.h"
#include "loss/loss.h"
#include "support/gradient.h"

namespace pegnn {
namespace {

class EveryHead : public testing::TestWithParam<const HeadEntry*> {};

INSTANTIATE_TEST_SUITE_P(Registered, EveryHead, testing::ValuesIn(heads()),
                         [](const auto& p) { return std::string(p.param->info.name); });

TEST_P(EveryHead, GradientsAgreeWithFiniteDifferencesAndCanBeAddedUp) {
  const auto head = GetParam()->make_double();
  ParamLayout layout;
  WorkPlan plan;
  head->plan({layout, plan, "head"}, 6);
  Workspace<double> work;
  work.reserve(best_backend<double>(ThreadPool(1)), plan, 5, 0, true);
  AlignedBuffer<double> parameters(layout.size()), gradients(layout.size());
  Initialiser<double> init(1, parameters.span());
  head->initialise(init);
  const ThreadPool pool(1);
  Schedule schedule(pool);
  const Pass<double> pass{.kernels = reference::kernels<double>(),
                          .schedule = schedule,
                          .work = work,
                          .parameters = parameters.data(),
                          .gradients = gradients.data(),
                          .training = true};
  const std::int64_t outputs = head->outputs();
  const auto all = static_cast<std::size_t>(5 * outputs);
  std::vector<double> h = test::random_values(30, 2), out(all);
  const std::vector<double> r = test::random_values(all, 3);
  const auto loss = [&] {
    head->forward(pass, Mat<double>(h.data(), 5, 6), Mat<double>(out.data(), 5, outputs));
    schedule.run();
    return std::inner_product(out.begin(), out.end(), r.begin(), 0.0);
  };
  loss();
  std::vector<double> dout = r, dh(30, 1.0);
  head->backward(pass, Mat<double>(h.data(), 5, 6), Mat<double>(out.data(), 5, outputs),
                 Mat<double>(dout.data(), 5, outputs), Mat<double>(dh.data(), 5, 6), true);
  schedule.run();
  const std::vector<double> got(gradients.span().begin(), gradients.span().end());
  for (double& d : dh) d -= 1.0;  // what was there before
  test::expect_gradient(loss, h, dh, "embedding");
  for (const NamedParam& p : layout.entries()) {
    const auto at = static_cast<std::size_t>(p.slot.offset);
    const auto size = static_cast<std::size_t>(p.slot.size());
    test::expect_gradient(loss, parameters.span().subspan(at, size),
                          std::span(got).subspan(at, size), p.name);
  }
}

TEST_P(EveryHead, AnswersBeginWithTheMeanAndAreNumbersAnEnsembleCanPool) {
  const auto head = GetParam()->make_double();
  const std::vector<OutputColumn> columns = head->columns();
  if (GetParam()->target != HeadTarget::outcome) {
    EXPECT_TRUE(columns.empty());
    return;
  }
  ASSERT_FALSE(columns.empty());
  EXPECT_EQ(OutputKind::mean, columns.front().kind);
  const auto width = static_cast<std::int64_t>(columns.size());
  for (const double scale : {0.1, 1.0, 1e6}) {  // of outputs as they may come
    std::vector<double> raw = test::random_values(static_cast<std::size_t>(7 * head->outputs()), 4);
    for (double& value : raw) value *= scale;
    std::vector<double> answers(static_cast<std::size_t>(7 * width), std::nan(""));
    head->answer(Mat<double>(raw.data(), 7, head->outputs()),
                 Mat<double>(answers.data(), 7, width));
    for (std::size_t i = 0; i < answers.size(); ++i) {
      ASSERT_TRUE(std::isfinite(answers[i])) << i;
      if (columns[i % columns.size()].kind == OutputKind::deviation) {
        EXPECT_GT(answers[i], 0);
      }
    }
  }
}

TEST_P(EveryHead, NamesLossesThatFitIt) {
  ASSERT_FALSE(GetParam()->losses.empty());
  const std::int64_t outputs = GetParam()->make_double()->outputs();
  EXPECT_LE(outputs, kMostOutputs);
  for (const std::string_view name : GetParam()->losses) {
    EXPECT_EQ(outputs, find_loss(std::string(name)).outputs) << name;
  }
}

TEST_P(EveryHead, SaysWhatItIs) {
  EXPECT_FALSE(GetParam()->info.summary.empty());
  EXPECT_FALSE(GetParam()->info.source.empty());
}

}  // namespace
}  // namespace pegnn
