#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "backbone/backbone.h"
#include "model/network.h"
#include "pegnn/parts.h"
#include "support/gradient.h"
#include "support/refused.h"

namespace pegnn {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr std::int64_t kNodes = 40, kFeatures = 3;

std::vector<Point> places() {
  const std::vector<double> c = test::random_values(2 * kNodes, 3);
  std::vector<Point> points;
  for (std::size_t i = 0; i < kNodes; ++i) points.push_back({c[2 * i], c[2 * i + 1]});
  return points;
}

NeighbourGraph graph() { return neighbour_graph(places(), Space::plane, 4, "gaussian", 1); }

Options small(std::string_view backbone) {
  Options o;
  o.backbone = backbone;
  o.width = 8;
  o.embedding = 5;
  o.encoder_hidden = 16;
  o.scales = 4;
  o.sigma_min = 0.1;
  o.sigma_max = 2;
  o.seed = 11;
  return o;
}

std::vector<std::string> graph_backbones() {
  std::vector<std::string> names;
  for (const BackboneEntry* entry : backbones()) {
    if (entry->reads == InputColumns()) names.emplace_back(entry->info.name);
  }
  return names;
}

NamedMatrix& named(std::vector<NamedMatrix>& parameters, const std::string& name) {
  const auto found = std::ranges::find(parameters, name, &NamedMatrix::name);
  if (found == parameters.end()) throw std::runtime_error("no parameter called " + name);
  return *found;
}

// A network in double, its initial parameters, and what it embeds the places as.
struct Whole {
  Network<double> network;
  std::vector<double> parameters, encoded, embedding;

  Whole(const Options& options, const std::vector<double>& x) : network(options, kFeatures) {
    parameters.resize(static_cast<std::size_t>(network.layout().size()));
    network.initialise(static_cast<std::uint64_t>(options.seed), parameters);
    const NeighbourGraph from = graph();
    Graph g;
    g.nodes = from.nodes();
    g.offsets = from.offsets;
    g.columns = from.columns;
    g.weights = from.weights;
    network.reserve(best_backend<double>(ThreadPool(1)), kNodes, g.edges(), false);
    const ThreadPool pool(1);
    Schedule schedule(pool);
    const std::vector<Point> points = places();
    const std::int64_t width = network.encoder().basis_width();
    std::vector<double> basis(static_cast<std::size_t>(kNodes * width));
    network.encoder().basis(reference::kernels<double>(), pool,
                            {reinterpret_cast<const double*>(points.data()), kNodes, 2},
                            {basis.data(), kNodes, width});
    const NetworkInput<double> input{.graph = g,
                                     .features = {x.data(), kNodes, kFeatures},
                                     .basis = {basis.data(), kNodes, width}};
    network.forward({.kernels = reference::kernels<double>(),
                     .schedule = schedule,
                     .work = network.work(),
                     .parameters = parameters.data()},
                    input);
    encoded = copied(network.encoded(input));
    embedding = copied(network.embedding(input));
  }
  static std::vector<double> copied(Mat<const double> m) {
    std::vector<double> values;
    for (std::int64_t i = 0; i < m.rows; ++i) {
      values.insert(values.end(), m.row(i), m.row(i) + m.cols);
    }
    return values;
  }
  void expect_parameters(const std::vector<NamedMatrix>& given, const std::string& prefix) const {
    std::size_t found = 0;
    for (const NamedParam& p : network.layout().entries()) {
      if (!p.name.starts_with(prefix)) continue;
      ASSERT_LT(found, given.size());
      const NamedMatrix& matrix = given[found++];
      EXPECT_EQ(p.name, matrix.name);
      EXPECT_EQ(p.slot.rows, matrix.rows);
      EXPECT_EQ(p.slot.cols, matrix.cols);
      const auto first = parameters.begin() + p.slot.offset;
      EXPECT_EQ(std::vector<double>(first, first + p.slot.size()), matrix.values) << p.name;
    }
    EXPECT_EQ(found, given.size());
  }
};

TEST(NetworkParts, AreThoseOfTheWholeNetwork) {
  const std::vector<double> x = test::random_values(kNodes * kFeatures, 4);
  for (const std::string& backbone : graph_backbones()) {
    for (const char* encoder : {"grid", "none"}) {
      for (const char* layers : {"shallow", "deep"}) {
        SCOPED_TRACE(backbone + ", " + encoder + ", " + layers);
        Options options = small(backbone);
        options.encoder = encoder;
        options.encoder_network = layers;
        const Whole whole(options, x);
        const std::vector<NamedMatrix> of_encoder = encoder_parameters(options);
        whole.expect_parameters(of_encoder, "encoder.");
        const std::vector<double> encoded = run_encoder(options, places(), of_encoder, 2);
        EXPECT_EQ(whole.encoded, encoded);

        const std::size_t width = encoded.size() / kNodes;
        std::vector<double> joined;
        for (std::size_t i = 0; i < kNodes; ++i) {
          joined.insert(joined.end(), &x[i * kFeatures], &x[i * kFeatures] + kFeatures);
          joined.insert(joined.end(), encoded.data() + i * width, encoded.data() + (i + 1) * width);
        }
        const std::vector<NamedMatrix> of_backbone =
            backbone_parameters(options, kFeatures + static_cast<std::int64_t>(width));
        whole.expect_parameters(of_backbone, "backbone.");
        for (const int threads : {1, 3}) {
          EXPECT_EQ(whole.embedding, run_backbone(options, graph(), joined, of_backbone, threads));
        }
      }
    }
  }
}

TEST(NetworkParts, AnotherSeedGivesOtherParameters) {
  Options options = small("gcn");
  const std::vector<NamedMatrix> first = backbone_parameters(options, 2);
  options.seed = 12;
  EXPECT_NE(first[0].values, backbone_parameters(options, 2)[0].values);
}

TEST(NetworkParts, TakeNoPointsOnePointAndAGraphWithoutEdges) {
  for (const std::string& backbone : graph_backbones()) {
    SCOPED_TRACE(backbone);
    const Options options = small(backbone);
    const std::vector<NamedMatrix> parameters = backbone_parameters(options, 2);
    EXPECT_TRUE(run_backbone(options, {{0}, {}, {}, {}}, {}, parameters, 1).empty());
    const std::vector<double> x = {0.5, -1, 2, 1};
    const std::vector<double> two =
        run_backbone(options, {{0, 0, 0}, {}, {}, {}}, x, parameters, 1);
    const std::vector<double> one =
        run_backbone(options, {{0, 0}, {}, {}, {}}, std::span(x).last(2), parameters, 1);
    EXPECT_EQ(8U, one.size());
    EXPECT_EQ(one, std::vector<double>(two.begin() + 8, two.end()));
    for (const double value : two) EXPECT_TRUE(std::isfinite(value));
  }
  const Options options = small("gcn");
  EXPECT_TRUE(run_encoder(options, {}, encoder_parameters(options), 1).empty());
}

TEST(NetworkParts, ABackboneThatNeedsMoreThanAGraphIsRefused) {
  for (const BackboneEntry* entry : backbones()) {
    if (entry->reads == InputColumns()) continue;
    const Options options = small(entry->info.name);
    const std::string said = test::refusal([&] { backbone_parameters(options, 8); });
    EXPECT_NE(said.find(entry->info.name), std::string::npos) << said;
    test::refusal([&] { run_backbone(options, graph(), std::vector<double>(80, 0), {}, 1); });
  }
}

TEST(NetworkParts, OptionsThatNoParserHasSeenAreChecked) {
  std::vector<Options> wrong(6, small("gat"));
  wrong[0].backbone = "gin";
  wrong[1].width = 0;
  wrong[2].layers = -1;
  wrong[3].heads = 3;  // does not divide the width
  wrong[4].encoder = "sphere";
  wrong[5].part.set("aggregation", "sum");
  for (const Options& options : wrong) test::refusal([&] { backbone_parameters(options, 2); });
  test::refusal([] { backbone_parameters(small("gcn"), 0); });
  Options no_scales = small("gcn");
  no_scales.sigma_min = 0;
  test::refusal([&] { encoder_parameters(no_scales); });
  no_scales.encoder = "none";
  EXPECT_TRUE(encoder_parameters(no_scales).empty());
  no_scales.encoder = "grid";
  no_scales.sigma_min = kNaN;
  test::refusal([&] { run_encoder(no_scales, places(), {}, 1); });
}

TEST(NetworkParts, ParametersThatDoNotFitAreRefusedByName) {
  const Options options = small("gcn");
  const std::vector<NamedMatrix> fine = backbone_parameters(options, 2);
  const std::vector<double> x(2 * kNodes, 0.5);
  const auto said_of = [&](const std::vector<NamedMatrix>& parameters) {
    return test::refusal([&] { run_backbone(options, graph(), x, parameters, 1); });
  };
  std::vector<std::vector<NamedMatrix>> wrong(5, fine);
  wrong[0].erase(wrong[0].begin());
  wrong[1].push_back(fine[0]);
  std::swap(wrong[2][0].rows, wrong[2][0].cols);
  wrong[3][0].values.pop_back();
  wrong[4][0].values[1] = kNaN;
  for (const std::vector<NamedMatrix>& parameters : wrong) {
    EXPECT_NE(said_of(parameters).find("'backbone.0.weight'"), std::string::npos);
  }
  std::vector<NamedMatrix> more = fine;
  more.push_back({"backbone.9.weight", 1, 1, {0.0}});
  EXPECT_NE(said_of(more).find("'backbone.9.weight'"), std::string::npos);

  std::vector<NamedMatrix> of_encoder = encoder_parameters(options);
  named(of_encoder, "encoder.0.bias").values.clear();
  test::refusal([&] { run_encoder(options, places(), of_encoder, 1); });
}

TEST(NetworkParts, InputsThatDoNotFitAreRefused) {
  const Options options = small("gcn");
  const std::vector<NamedMatrix> parameters = backbone_parameters(options, 2);
  const auto refused = [&](const NeighbourGraph& g, std::size_t values, double value) {
    return test::refusal(
        [&] { run_backbone(options, g, std::vector<double>(values, value), parameters, 1); });
  };
  refused(graph(), 2 * kNodes + 1, 0.5);
  refused(graph(), 3 * kNodes, 0.5);  // another width than the parameters
  refused(graph(), 0, 0.5);
  refused(graph(), 2 * kNodes, kNaN);
  refused({{0}, {}, {}, {}}, 2, 0.5);
  NeighbourGraph negative = graph();
  negative.weights[3] = -1;  // a degree below zero has no root
  refused(negative, 2 * kNodes, 0.5);
  NeighbourGraph beyond = graph();
  beyond.columns[3] = kNodes;
  refused(beyond, 2 * kNodes, 0.5);
  const std::vector<Point> nowhere = {{0, kNaN}};
  test::refusal([&] { run_encoder(options, nowhere, encoder_parameters(options), 1); });
}

}  // namespace
}  // namespace pegnn
