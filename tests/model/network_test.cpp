#include <vector>

#include <gtest/gtest.h>

#include "backbone/backbone.h"
#include "encoder/encoder.h"
#include "model/network.h"
#include "pegnn/train.h"
#include "support/gradient.h"
#include "support/graphs.h"
#include "support/labelled.h"

namespace pegnn {
namespace {

// The gradient of the whole network, for every encoder with every backbone and each way of weighing
// the two tasks, dropout on; rows weigh where there are features.
TEST(Network, GradientsOfEveryCombinationAgreeWithFiniteDifferences) {
  const Graph graph = test::random_graph(8, 3, 1);
  const std::int64_t n = graph.nodes;
  for (const EncoderEntry* encoder : encoders()) {
    for (const BackboneEntry* backbone : backbones()) {
      for (const int tasks : {0, 1, 2}) {
        for (const std::int64_t features : {0, 2}) {
          Options o;
          o.encoder = encoder->info.name;
          o.backbone = backbone->info.name;
          o.scales = 2;
          o.sigma_min = 0.5;
          o.sigma_max = 2;
          o.encoder_hidden = 8;
          o.embedding = 3;
          o.width = 4;
          o.dropout = o.encoder_dropout = 0.2;
          o.lambda = tasks == 0 ? 0 : 0.5;
          o.uncertainty_weights = tasks == 2;
          SCOPED_TRACE(o.encoder + " " + o.backbone + " tasks " + std::to_string(tasks));
          Network<double> network(o, features);
          network.reserve(best_backend<double>(ThreadPool(1)), n, graph.edges(), true);
          AlignedBuffer<double> parameters(network.layout().size()),
              gradients(network.layout().size());
          network.initialise(3, parameters.span());
          // Away from zero biases: a row whose inputs were all dropped would sit on ReLU's kink.
          const std::vector<double> noise =
              test::random_values(static_cast<std::size_t>(network.layout().size()), 5);
          for (std::size_t i = 0; i < noise.size(); ++i) parameters.span()[i] += 0.1 * noise[i];
          const std::vector<double> c = test::random_values(static_cast<std::size_t>(2 * n), 1);
          const std::vector<double> x =
              test::random_values(static_cast<std::size_t>(n * features), 2);
          const std::vector<double> y = test::random_values(static_cast<std::size_t>(n), 3);
          const std::vector<double> moran = test::random_values(static_cast<std::size_t>(n), 4);
          const ThreadPool pool(1);
          Schedule schedule(pool);
          std::vector<double> basis(static_cast<std::size_t>(n * network.encoder().basis_width()));
          const Mat<double> basis_mat(basis.data(), n, network.encoder().basis_width());
          network.encoder().basis(reference::kernels<double>(), pool, {c.data(), n, 2}, basis_mat);
          const Pass<double> pass{.kernels = reference::kernels<double>(),
                                  .schedule = schedule,
                                  .work = network.work(),
                                  .parameters = parameters.data(),
                                  .gradients = gradients.data(),
                                  .training = true,
                                  .seed = 1,
                                  .step = 2};
          const std::vector<double> labels =
              test::random_values(static_cast<std::size_t>(n * kLabelInputs), 6);
          const std::vector<double> sources =
              test::random_values(static_cast<std::size_t>(n * (features + 1)), 7);
          const test::LabelledNodes<double> labelled(
              graph, Mat<const double>(sources.data(), n, features + 1));
          // On local graphs only the last nodes are asked for.
          const std::int64_t asked = backbone->neighbourhood == "local" ? 3 : n;
          const NetworkInput<double> input{.graph = graph,
                                           .features = {x.data(), n, features},
                                           .basis = basis_mat,
                                           .columns = {labels.data(), n, kLabelInputs},
                                           .labelled = labelled.labelled(),
                                           .queries = asked};
          std::vector<double> weight;
          for (std::int64_t i = 0; i < asked && features > 0; ++i) {
            weight.push_back(0.25 + static_cast<double>(i % 3));
          }
          const NetworkTarget<double> target{
              std::span(y).first(static_cast<std::size_t>(asked)),
              std::span(moran).first(static_cast<std::size_t>(asked)), weight};
          network.step(pass, input, target);
          const std::vector<double> got(gradients.span().begin(), gradients.span().end());
          const auto loss = [&] { return network.step(pass, input, target).total; };
          for (const NamedParam& p : network.layout().entries()) {
            const auto at = static_cast<std::size_t>(p.slot.offset);
            const auto size = static_cast<std::size_t>(p.slot.size());
            test::expect_gradient(loss, parameters.span().subspan(at, size),
                                  std::span(got).subspan(at, size), p.name);
          }
        }
      }
    }
  }
}

TEST(Network, TheReferenceNetworkHasAboutTwentyFourThousandParameters) {
  Options o = preset("reference");
  EXPECT_EQ(64 * 128 + 128 + 128 * 64 + 64 + 64 * 32 + 32 + 32 * 64 + 64  // encoder
                + 70 * 32 + 32 + 32 * 32 + 32 + 2 * (32 + 1),             // layers and heads
            Network<float>(o, 6).layout().parameters());
}

TEST(Network, WithoutFeaturesAndEncoderItSeesAConstant) {
  Options o;
  o.encoder = "none";
  const Network<float> network(o, 0);
  EXPECT_EQ(1, network.layout().entries().front().slot.cols);
}

TEST(Network, InitialWeightsDependOnTheSeedAlone) {
  Options o;
  o.sigma_min = 1;
  o.sigma_max = 2;
  const Network<float> network(o, 2);
  const auto size = static_cast<std::size_t>(network.layout().size());
  std::vector<float> a(size), b(size), c(size);
  network.initialise(1, a);
  network.initialise(1, b);
  network.initialise(2, c);
  EXPECT_EQ(a, b);
  EXPECT_NE(a, c);
}

}  // namespace
}  // namespace pegnn
