// What must hold for every encoder in encoders.def, with no line added per encoder.

#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "encoder/encoder.h"
#include "pegnn/options.h"
#include "support/gradient.h"

namespace pegnn {
namespace {

Options small_options() {
  Options o;
  o.scales = 3;
  o.sigma_min = 0.1;
  o.sigma_max = 10;
  o.encoder_hidden = 8;
  o.embedding = 4;
  o.encoder_dropout = 0.25;
  return o;
}

class EveryEncoder : public testing::TestWithParam<const EncoderEntry*> {};

INSTANTIATE_TEST_SUITE_P(Registered, EveryEncoder, testing::ValuesIn(encoders()),
                         [](const auto& p) { return std::string(p.param->info.name); });

TEST_P(EveryEncoder, SaysWhatItIs) {
  EXPECT_FALSE(GetParam()->info.summary.empty());
  EXPECT_FALSE(GetParam()->info.source.empty());
}

TEST_P(EveryEncoder, GradientsAgreeWithFiniteDifferences) {
  for (const char* network : {"shallow", "deep"}) {
    Options options = small_options();
    options.encoder_network = network;
    const auto encoder = GetParam()->make_double(options);
    if (encoder->width() == 0) return;
    ParamLayout layout;
    WorkPlan plan;
    encoder->plan({layout, plan, "e"});
    Workspace<double> work;
    const std::int64_t n = 7;
    work.reserve(best_backend<double>(ThreadPool(1)), plan, n, 0, true);
    AlignedBuffer<double> parameters(layout.size()), gradients(layout.size());
    Initialiser<double> init(5, parameters.span());
    encoder->initialise(init);
    const ThreadPool pool(1);
    Schedule schedule(pool);
    std::vector<double> coordinates = test::random_values(static_cast<std::size_t>(2 * n), 1);
    for (double& c : coordinates) c *= 100;
    std::vector<double> basis(static_cast<std::size_t>(n * encoder->basis_width()));
    const Mat<double> basis_mat(basis.data(), n, encoder->basis_width());
    encoder->basis(reference::kernels<double>(), pool, {coordinates.data(), n, 2}, basis_mat);
    const Pass<double> pass{.kernels = reference::kernels<double>(),
                            .schedule = schedule,
                            .work = work,
                            .parameters = parameters.data(),
                            .gradients = gradients.data(),
                            .training = true,
                            .seed = 2,
                            .step = 9};
    const std::vector<double> r =
        test::random_values(static_cast<std::size_t>(n * encoder->width()), 3);
    std::vector<double> out(r.size());
    const Mat<double> out_mat(out.data(), n, encoder->width());
    const auto loss = [&] {
      encoder->forward(pass, basis_mat, out_mat);
      schedule.run();
      return std::inner_product(out.begin(), out.end(), r.begin(), 0.0);
    };
    loss();
    std::vector<double> dout = r;
    encoder->backward(pass, basis_mat, out_mat, Mat<double>(dout.data(), n, encoder->width()));
    schedule.run();
    const std::vector<double> got(gradients.span().begin(), gradients.span().end());
    for (const NamedParam& p : layout.entries()) {
      const auto at = static_cast<std::size_t>(p.slot.offset);
      const auto size = static_cast<std::size_t>(p.slot.size());
      test::expect_gradient(loss, parameters.span().subspan(at, size),
                            std::span(got).subspan(at, size), std::string(network) + " " + p.name);
    }
  }
}

TEST_P(EveryEncoder, TheBasisOfAPointDoesNotDependOnTheOtherPoints) {
  const auto encoder = GetParam()->make_float(small_options());
  const std::int64_t n = 300, width = encoder->basis_width();
  if (width == 0) return;
  std::vector<double> coordinates = test::random_values(static_cast<std::size_t>(2 * n), 1);
  std::vector<float> together(static_cast<std::size_t>(n * width)),
      alone(static_cast<std::size_t>(width));
  encoder->basis(best_kernels<float>(), ThreadPool(2), {coordinates.data(), n, 2},
                 {together.data(), n, width});
  for (const std::int64_t i : {std::int64_t{0}, n / 2, n - 1}) {
    encoder->basis(best_kernels<float>(), ThreadPool(1), {coordinates.data() + 2 * i, 1, 2},
                   {alone.data(), 1, width});
    EXPECT_TRUE(std::equal(alone.begin(), alone.end(), together.begin() + i * width));
  }
}

}  // namespace
}  // namespace pegnn
