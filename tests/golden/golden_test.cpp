// Values computed by PyTorch, PyTorch Geometric and GPyTorch against ours. The file comes from the
// environment variable PEGNN_GOLDEN, else from this folder; its README says what it holds.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "backbone/backbone.h"
#include "baseline/exact_gp.h"
#include "encoder/scales.h"
#include "geo/nearest.h"
#include "geo/sphere.h"
#include "graph/graph.h"
#include "graph/local.h"
#include "model/network.h"
#include "nn/optimiser.h"
#include "pegnn/parts.h"
#include "stats/moran.h"
#include "support/json.h"
#include "support/places.h"

namespace pegnn {
namespace {

using nlohmann::json;

const json& golden() {
  static const json file = [] {
    const std::filesystem::path path = test::golden_file();
    std::ifstream in(path);
    if (!in) throw std::runtime_error("cannot open the golden file " + path.string());
    return test::parse_json(in);
  }();
  return file;
}

std::vector<Point> points_of(const json& lonlat) {
  std::vector<Point> points;
  for (const json& p : lonlat) points.push_back({p.at(0), p.at(1)});
  return points;
}

// A vector or a matrix, flattened by rows.
std::vector<double> numbers(const json& value) {
  std::vector<double> flat;
  if (!value.is_array()) return {value.get<double>()};
  for (const json& v : value) {
    const std::vector<double> inner = numbers(v);
    flat.insert(flat.end(), inner.begin(), inner.end());
  }
  return flat;
}

// |got - want| <= tolerance * scale, where the scale is the largest magnitude of the array: the
// relative error of the array as a whole, so that entries near zero do not ask for more digits than
// the arithmetic has.
template <class Got>
void expect_close(const std::vector<double>& want, const Got& got, double tolerance,
                  const std::string& what) {
  ASSERT_EQ(want.size(), static_cast<std::size_t>(std::size(got))) << what;
  double scale = 1e-300;
  for (const double w : want) scale = std::max(scale, std::abs(w));
  for (std::size_t i = 0; i < want.size(); ++i) {
    ASSERT_NEAR(want[i], static_cast<double>(got[i]), tolerance * scale)
        << what << ", element " << i;
  }
}

// The outputs of a head that has one.
template <class T>
std::span<const T> column_of(Mat<const T> outputs) {
  return {outputs.data, static_cast<std::size_t>(outputs.rows)};
}

const ThreadPool kPool(2);

// The graph all cases share, with the file's own edges and weights.
Graph golden_graph(bool binary) {
  const json& g = golden().at("graph");
  Graph graph;
  graph.nodes = static_cast<std::int64_t>(g.at("neighbours").size());
  graph.offsets.push_back(0);
  for (std::size_t i = 0; i < g.at("neighbours").size(); ++i) {
    for (std::size_t j = 0; j < g.at("neighbours").at(i).size(); ++j) {
      graph.columns.push_back(g.at("neighbours").at(i).at(j));
      graph.lengths.push_back(g.at("metres").at(i).at(j));
      graph.weights.push_back(binary ? 1.0 : g.at("edge_weight").at(i).at(j).get<double>());
    }
    graph.offsets.push_back(static_cast<std::int64_t>(graph.columns.size()));
  }
  add_reverse(graph);
  return graph;
}

TEST(Golden, GreatCircleDistances) {
  for (const json& c : golden().at("haversine")) {
    const Point a{c.at("a_lonlat").at(0), c.at("a_lonlat").at(1)};
    const Point b{c.at("b_lonlat").at(0), c.at("b_lonlat").at(1)};
    const double want = c.at("metres");
    EXPECT_NEAR(want, great_circle(a, b).value, 1e-9 * std::max(want, 1.0)) << c.dump();
  }
}

TEST(Golden, NearestNeighboursInOrderWithDistances) {
  for (const json& c : golden().at("knn")) {
    const std::vector<Point> points = points_of(c.at("lonlat"));
    NearestIndex index;
    index.build(points, Space::sphere, kPool);
    Neighbours found;
    index.search(points, c.at("k"), true, kPool, found);
    const std::vector<double> rows = numbers(c.at("neighbours"));
    const std::vector<double> metres = numbers(c.at("metres"));
    ASSERT_EQ(rows.size(), found.rows.size());
    for (std::size_t e = 0; e < rows.size(); ++e) {
      EXPECT_EQ(static_cast<std::int32_t>(rows[e]), found.rows[e]) << c.at("name") << " edge " << e;
      EXPECT_NEAR(metres[e], found.distances[e], 1e-9 * metres[e]) << c.at("name") << " edge " << e;
    }
  }
}

TEST(Golden, GraphAndEdgeWeights) {
  const json& g = golden().at("graph");
  Graph graph;
  NearestIndex index;
  Neighbours scratch;
  knn_graph(points_of(g.at("lonlat")), Space::sphere, g.at("k"), kPool, index, scratch, graph);
  weigh_edges(EdgeWeight::minmax, length_scale(EdgeWeight::minmax, graph.lengths), graph);
  expect_close(numbers(g.at("neighbours")), graph.columns, 0, "neighbours");
  expect_close(numbers(g.at("metres")), graph.lengths, 1e-9, "metres");
  expect_close(numbers(g.at("edge_weight")), graph.weights, 1e-9, "edge weights");
}

TEST(Golden, GraphAndLocalMoranByThePublicFunctions) {
  const json& g = golden().at("graph");
  NeighbourGraph graph =
      neighbour_graph(points_of(g.at("lonlat")), Space::sphere, g.at("k"), "minmax", 2);
  expect_close(numbers(g.at("neighbours")), graph.columns, 0, "neighbours");
  expect_close(numbers(g.at("metres")), graph.lengths, 1e-9, "metres");
  expect_close(numbers(g.at("edge_weight")), graph.weights, 1e-9, "edge weights");
  const std::vector<double> y = numbers(g.at("y"));
  const json& m = golden().at("moran");
  expect_close(numbers(m.at("local_weighted")), local_moran(y, graph, 2), 1e-9, "weighted");
  std::fill(graph.weights.begin(), graph.weights.end(), 1.0);
  expect_close(numbers(m.at("local_binary")), local_moran(y, graph, 2), 1e-9, "binary");
}

TEST(Golden, LocalAndGlobalMoran) {
  const json& m = golden().at("moran");
  const std::vector<double> y = numbers(golden().at("graph").at("y"));
  const Graph graph = golden_graph(false);
  const NeighbourLists lists{graph.offsets, graph.columns};
  std::vector<double> local(y.size());
  local_moran(y, lists, {}, kPool, local);
  expect_close(numbers(m.at("local_binary")), local, 1e-9, "binary");
  minmax_scale(local);
  expect_close(numbers(m.at("local_binary_minmax")), local, 1e-9, "binary, min-max scaled");
  local_moran(y, lists, graph.weights, kPool, local);
  expect_close(numbers(m.at("local_weighted")), local, 1e-9, "weighted");

  const Moran binary = moran(y, lists, {.weights = MoranWeights::binary, .permutations = 0}, kPool);
  EXPECT_NEAR(m.at("global_binary").get<double>(), binary.I, 1e-9);
  const Moran row =
      moran(y, lists, {.weights = MoranWeights::row_standardised, .permutations = 0}, kPool);
  EXPECT_NEAR(m.at("global_rowstandardised").get<double>(), row.I, 1e-9);
}

// `transform` fills n x 4S from n points and S scales between two sigmas.
template <class T, class Transform>
void check_sinusoidal(Transform&& transform, double tolerance) {
  for (const json& c : golden().at("sinusoidal")) {
    const std::int64_t count = c.at("S");
    const std::vector<double> scales =
        geometric_scales(count, c.at("sigma_min"), c.at("sigma_max"));
    expect_close(numbers(c.at("scales")), scales, 1e-12, "scales");
    const std::vector<Point> points = points_of(c.at("lonlat"));
    const std::vector<double> lonlat = numbers(c.at("lonlat"));
    const auto n = static_cast<std::int64_t>(points.size());
    std::vector<T> out = transform(c, points, scales);
    ASSERT_EQ(static_cast<std::size_t>(n * 4 * count), out.size());
    const Mat<T> result(out.data(), n, 4 * count);
    for (std::int64_t i = 0; i < n; ++i) {
      for (std::int64_t v = 0; v < 2; ++v) {
        for (std::int64_t s = 0; s < count; ++s) {
          // One unit in the last place of a scale moves the sine of an angle a by about a * 1e-16;
          // below sigma = 1e-3 that is more than 1e-9 can bear.
          const double angle = std::abs(lonlat[static_cast<std::size_t>(2 * i + v)]) /
                               scales[static_cast<std::size_t>(s)];
          const double bound = std::max(tolerance, angle > 1e5 ? 1e-6 : 0.0);
          const auto at = [&](const char* key) {
            return c.at(key)
                .at(static_cast<std::size_t>(i))
                .at(static_cast<std::size_t>(v))
                .at(static_cast<std::size_t>(s))
                .get<double>();
          };
          EXPECT_NEAR(at("sin[point][dim][scale]"), result(i, v * 2 * count + 2 * s), bound);
          EXPECT_NEAR(at("cos[point][dim][scale]"), result(i, v * 2 * count + 2 * s + 1), bound);
        }
      }
    }
  }
}

// By the kernel alone.
template <class T>
auto transform_of(const Kernels<T>& kernels) {
  return [&](const json& c, const std::vector<Point>& points, const std::vector<double>& scales) {
    const std::vector<double> lonlat = numbers(c.at("lonlat"));
    const auto n = static_cast<std::int64_t>(points.size()),
               width = static_cast<std::int64_t>(4 * scales.size());
    std::vector<T> out(static_cast<std::size_t>(n * width));
    kernels.sinusoidal(kPool, {lonlat.data(), n, 2}, scales, Mat<T>(out.data(), n, width));
    return out;
  };
}

TEST(Golden, SinusoidalTransformInDouble) {
  check_sinusoidal<double>(transform_of(reference::kernels<double>()), 1e-9);
}
TEST(Golden, SinusoidalTransformInFloatOnTheFastKernels) {
  check_sinusoidal<float>(transform_of(cpu::kernels()), 1e-6);
}
TEST(Golden, SinusoidalTransformByThePublicFunction) {
  check_sinusoidal<double>(
      [](const json& c, const std::vector<Point>& points, const std::vector<double>&) {
        return sinusoidal_transform(points, c.at("S"), c.at("sigma_min"), c.at("sigma_max"), 2);
      },
      1e-9);
}

template <class T>
std::vector<T> cast(const std::vector<double>& values) {
  return {values.begin(), values.end()};
}

// Their names of parameters and ours; "a+b" are two of theirs that are one of ours, b below a.
using ParameterNames = std::vector<std::pair<const char*, const char*>>;

std::vector<double> joined(const json& parameters, const std::string& names) {
  std::vector<double> values;
  for (std::size_t begin = 0; begin < names.size();) {
    const std::size_t end = std::min(names.find('+', begin), names.size());
    const std::vector<double> part = numbers(parameters.at(names.substr(begin, end - begin)));
    values.insert(values.end(), part.begin(), part.end());
    begin = end + 1;
  }
  return values;
}

// A layer of the file by our names: which backbone it is, and where its parameters go.
struct LayerCase {
  const char* golden_name;
  const char* backbone;
  bool binary;
  ParameterNames parameters;
  std::int64_t heads = 1;
  bool edge_attention = false;
  bool max_aggregation = false;
};

PartOptions part_options_of(const LayerCase& layer) {
  return {{"edge-attention", layer.edge_attention},
          {"aggregation", layer.max_aggregation ? "max" : "mean"}};
}

const ParameterNames kGcnNames = {{"lin.weight", "0.weight"}, {"bias", "0.bias"}};
const ParameterNames kGatNames = {{"lin.weight", "0.weight"},
                                  {"att_src", "0.attention_source"},
                                  {"att_dst", "0.attention_target"},
                                  {"bias", "0.bias"}};
const ParameterNames kGatEdgeNames = {
    {"lin.weight", "0.weight"},           {"att_src", "0.attention_source"},
    {"att_dst", "0.attention_target"},    {"att_edge", "0.attention_edge"},
    {"lin_edge.weight", "0.edge_weight"}, {"bias", "0.bias"}};
const ParameterNames kSageNames = {{"lin_l.weight+lin_r.weight", "0.weight"},
                                   {"lin_l.bias", "0.bias"}};

const std::vector<LayerCase> kLayers = {
    {"gcn_weighted", "gcn", false, kGcnNames},
    {"gcn_binary", "gcn", true, kGcnNames},
    {"gat_1head", "gat", false, kGatNames},
    {"gat_4heads_concat", "gat", false, kGatNames, 4},
    {"gat_edge_weight", "gat", false, kGatEdgeNames, 1, true},
    {"sage_mean", "sage", false, kSageNames},
    {"sage_max", "sage", false, kSageNames, 1, false, true},
};

ParamSlot slot_of(const ParamLayout& layout, const std::string& name) {
  for (const NamedParam& entry : layout.entries()) {
    if (entry.name == name) return entry.slot;
  }
  throw std::runtime_error("no parameter called " + name);
}

template <class T>
void set_parameter(const ParamLayout& layout, const std::string& name,
                   const std::vector<double>& values, std::span<T> flat) {
  const ParamSlot slot = slot_of(layout, name);
  ASSERT_EQ(slot.size(), static_cast<std::int64_t>(values.size())) << name;
  std::copy(values.begin(), values.end(), flat.begin() + slot.offset);
}

template <class T>
std::vector<T> slice(const ParamLayout& layout, const std::string& name, std::span<const T> flat) {
  const ParamSlot slot = slot_of(layout, name);
  return {flat.begin() + slot.offset, flat.begin() + slot.offset + slot.size()};
}

template <class T>
void check_layer(const LayerCase& layer, const Kernels<T>& kernels, double tolerance) {
  const json* found = nullptr;
  for (const json& c : golden().at("layers")) {
    if (c.at("name") == layer.golden_name) found = &c;
  }
  ASSERT_NE(found, nullptr) << layer.golden_name;
  const json& c = *found;
  const Graph graph = golden_graph(layer.binary);
  std::vector<T> x = cast<T>(numbers(golden().at("graph").at("x")));
  const std::int64_t n = graph.nodes;
  const std::int64_t in = static_cast<std::int64_t>(x.size()) / n;
  const std::int64_t out = static_cast<std::int64_t>(c.at("out").at(0).size());

  const auto backbone = make_backbone<T>(layer.backbone, {.in = in,
                                                          .width = out,
                                                          .layers = 1,
                                                          .activation = Activation::identity,
                                                          .heads = layer.heads,
                                                          .part = part_options_of(layer)});
  ParamLayout layout;
  WorkPlan plan;
  backbone->plan({layout, plan, "layer"});
  Workspace<T> work;
  work.reserve({kernels, kPool}, plan, n, graph.edges(), true);
  AlignedBuffer<T> parameters(layout.size()), gradients(layout.size());
  for (const auto& [theirs, ours] : layer.parameters) {
    set_parameter<T>(layout, std::string("layer.") + ours, joined(c.at("params"), theirs),
                     parameters.span());
  }
  ASSERT_EQ(layer.parameters.size(), layout.entries().size()) << "every parameter of ours is set";
  Schedule schedule(kPool);
  const Pass<T> pass{.kernels = kernels,
                     .schedule = schedule,
                     .work = work,
                     .parameters = parameters.data(),
                     .gradients = gradients.data()};
  std::vector<T> y(static_cast<std::size_t>(n * out)), dx(x.size());
  backbone->forward(pass, {graph, Mat<T>(x.data(), n, in)}, Mat<T>(y.data(), n, out));
  schedule.run();
  expect_close(numbers(c.at("out")), y, tolerance, "out");
  std::vector<T> r = cast<T>(numbers(c.at("R")));
  backbone->backward(pass, {graph, Mat<T>(x.data(), n, in)}, Mat<T>(y.data(), n, out),
                     Mat<T>(r.data(), n, out), Mat<T>(dx.data(), n, in));
  schedule.run();
  expect_close(numbers(c.at("grad_x")), dx, tolerance, "gradient of x");
  for (const auto& [theirs, ours] : layer.parameters) {
    expect_close(joined(c.at("grad_params"), theirs),
                 slice<T>(layout, std::string("layer.") + ours, gradients.span()), tolerance,
                 theirs);
  }
}

TEST(Golden, LayersInDouble) {
  for (const LayerCase& layer : kLayers) {
    SCOPED_TRACE(layer.golden_name);
    check_layer<double>(layer, reference::kernels<double>(), 1e-9);
  }
}
TEST(Golden, LayersInFloatOnTheReferenceKernels) {
  for (const LayerCase& layer : kLayers) {
    SCOPED_TRACE(layer.golden_name);
    check_layer<float>(layer, reference::kernels<float>(), 1e-4);
  }
}
TEST(Golden, LayersInFloatOnTheFastKernels) {
  for (const LayerCase& layer : kLayers) {
    SCOPED_TRACE(layer.golden_name);
    check_layer<float>(layer, cpu::kernels(), 1e-4);
  }
}

// The same layers by the public functions, which have ReLU after every layer. With the opposite
// parameters a layer gives the opposite result, so that both signs of it are seen.
void check_public_layer(const LayerCase& layer, bool opposite) {
  const json& all = golden().at("layers");
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const json& c) { return c.at("name") == layer.golden_name; });
  ASSERT_NE(found, all.end()) << layer.golden_name;
  std::vector<double> want = numbers(found->at("out"));
  Options options;
  options.backbone = layer.backbone;
  options.layers = 1;
  options.width = static_cast<std::int64_t>(found->at("out").at(0).size());
  options.heads = layer.heads;
  options.part = part_options_of(layer);
  options.dropout = 0.5;  // not where nothing is trained
  const Graph golden = golden_graph(layer.binary);
  const NeighbourGraph graph{golden.offsets, golden.columns, golden.lengths, golden.weights};
  const std::vector<double> x = numbers(pegnn::golden().at("graph").at("x"));
  std::vector<NamedMatrix> parameters =
      backbone_parameters(options, static_cast<std::int64_t>(x.size()) / golden.nodes);
  ASSERT_EQ(layer.parameters.size(), parameters.size());
  for (const auto& [theirs, ours] : layer.parameters) {
    const std::string name = std::string("backbone.") + ours;
    const auto matrix = std::find_if(parameters.begin(), parameters.end(),
                                     [&](const NamedMatrix& m) { return m.name == name; });
    ASSERT_NE(matrix, parameters.end()) << name;
    matrix->values = joined(found->at("params"), theirs);
    // What an edge adds to a logit stays: its two factors are left as they are.
    if (!opposite || name.find("edge") != std::string::npos) continue;
    for (double& value : matrix->values) value = -value;
  }
  for (double& value : want) value = std::max(0.0, opposite ? -value : value);
  const std::vector<double> got = run_backbone(options, graph, x, parameters, 2);
  expect_close(want, got, 1e-9, "embedding");
  std::reverse(parameters.begin(), parameters.end());
  EXPECT_EQ(got, run_backbone(options, graph, x, parameters, 1)) << "in any order, on any threads";
}

TEST(Golden, LayersByThePublicFunctions) {
  for (const LayerCase& layer : kLayers) {
    for (const bool opposite : {false, true}) {
      SCOPED_TRACE(std::string(layer.golden_name) + (opposite ? ", opposite" : ""));
      check_public_layer(layer, opposite);
    }
  }
}

// A model of the file by our names.
struct ModelCase {
  const char* golden_name;
  const char* backbone;
  ParameterNames layers;  // of the backbone; the rest is the same for all
};

const ParameterNames kAroundTheBackbone = {
    {"pe.weight", "encoder.0.weight"}, {"pe.bias", "encoder.0.bias"},
    {"head.weight", "head.weight"},    {"head.bias", "head.bias"},
    {"aux.weight", "moran.weight"},    {"aux.bias", "moran.bias"},
    {"log_var", "tasks.log_variance"}};

const std::vector<ModelCase> kModels = {
    {"pe-gcn",
     "gcn",
     {{"c1.lin.weight", "backbone.0.weight"},
      {"c1.bias", "backbone.0.bias"},
      {"c2.lin.weight", "backbone.1.weight"},
      {"c2.bias", "backbone.1.bias"}}},
    {"pe-gat",
     "gat",
     {{"c1.lin.weight", "backbone.0.weight"},
      {"c1.att_src", "backbone.0.attention_source"},
      {"c1.att_dst", "backbone.0.attention_target"},
      {"c1.bias", "backbone.0.bias"},
      {"c2.lin.weight", "backbone.1.weight"},
      {"c2.att_src", "backbone.1.attention_source"},
      {"c2.att_dst", "backbone.1.attention_target"},
      {"c2.bias", "backbone.1.bias"}}},
    {"pe-sage",
     "sage",
     {{"c1.lin_l.weight+c1.lin_r.weight", "backbone.0.weight"},
      {"c1.lin_l.bias", "backbone.0.bias"},
      {"c2.lin_l.weight+c2.lin_r.weight", "backbone.1.weight"},
      {"c2.lin_l.bias", "backbone.1.bias"}}},
};

template <class T>
void check_model(const ModelCase& model, const json& c, const Kernels<T>& kernels,
                 double tolerance) {
  Options options;
  options.encoder_network = "shallow";
  options.scales = 4;
  options.sigma_min = 0.1;
  options.sigma_max = 10;
  options.embedding = 5;
  options.backbone = model.backbone;
  options.width = 6;
  options.dropout = 0;
  options.encoder_dropout = 0;
  options.lambda = c.at("mode") == "lambda=0.5" ? 0.5 : 0.0;
  options.uncertainty_weights = c.at("mode") == "uncertainty";

  const Graph graph = golden_graph(false);
  const std::int64_t n = graph.nodes;
  const std::vector<double> lonlat = numbers(golden().at("graph").at("lonlat"));
  std::vector<T> x = cast<T>(numbers(golden().at("graph").at("x")));
  const std::vector<T> y = cast<T>(numbers(golden().at("graph").at("y")));
  const std::vector<T> moran = cast<T>(numbers(golden().at("moran").at("local_binary")));
  const std::int64_t features = static_cast<std::int64_t>(x.size()) / n;

  Network<T> network(options, features);
  network.reserve({kernels, kPool}, n, graph.edges(), true);
  const ParamLayout& layout = network.layout();
  AlignedBuffer<T> parameters(layout.size()), gradients(layout.size());
  ParameterNames names = model.layers;
  for (const auto& entry : kAroundTheBackbone) {
    const bool auxiliary = std::string(entry.second).starts_with("moran.");
    if (!c.at("init").contains(entry.first) || (auxiliary && !network.auxiliary())) continue;
    names.push_back(entry);
  }
  for (const auto& [theirs, ours] : names) {
    set_parameter<T>(layout, ours, joined(c.at("init"), theirs), parameters.span());
  }
  ASSERT_EQ(names.size(), layout.entries().size()) << "every parameter of ours is set";

  const std::int64_t basis_width = network.encoder().basis_width();
  std::vector<T> basis(static_cast<std::size_t>(n * basis_width));
  const Mat<T> basis_mat(basis.data(), n, basis_width);
  network.encoder().basis(kernels, kPool, {lonlat.data(), n, 2}, basis_mat);
  Schedule schedule(kPool);
  const Pass<T> pass{.kernels = kernels,
                     .schedule = schedule,
                     .work = network.work(),
                     .parameters = parameters.data(),
                     .gradients = gradients.data(),
                     .training = true};
  const NetworkInput<T> input{graph, Mat<T>(x.data(), n, features), basis_mat};
  const NetworkTarget<T> target{y, moran};

  Adam<T> adam({kernels, kPool}, {.learning_rate = 1e-2}, layout.size());
  std::vector<double> losses;
  for (int step = 0; step < 10; ++step) {
    gradients.fill(T(0));
    const StepLosses l = network.step(pass, input, target);
    losses.push_back(l.total);
    if (step == 0) {
      const json& first = c.at("first");
      expect_close(numbers(first.at("out")), column_of(network.forward(pass, input)), tolerance,
                   "out");
      if (network.auxiliary()) {
        expect_close(numbers(first.at("aux")), network.auxiliary_output(n), tolerance, "aux");
        EXPECT_NEAR(first.at("aux_mse").get<double>(), l.auxiliary, tolerance * l.auxiliary);
      }
      EXPECT_NEAR(first.at("main_mse").get<double>(), l.main, tolerance * l.main);
      EXPECT_NEAR(first.at("loss").get<double>(), l.total, tolerance * std::abs(l.total));
      for (const auto& [theirs, ours] : names) {
        expect_close(joined(first.at("grads"), theirs), slice<T>(layout, ours, gradients.span()),
                     tolerance, theirs);
      }
    }
    adam.step(gradients.span(), parameters.span());
  }
  expect_close(numbers(c.at("adam_losses")), losses, tolerance, "losses of ten steps");
  for (const auto& [theirs, ours] : names) {
    expect_close(joined(c.at("final"), theirs), slice<T>(layout, ours, parameters.span()),
                 tolerance, std::string("final ") + theirs);
  }
}

template <class T>
void check_models(const Kernels<T>& kernels, double tolerance) {
  for (const ModelCase& model : kModels) {
    int checked = 0;
    for (const json& c : golden().at("models")) {
      if (c.at("name") != model.golden_name) continue;
      SCOPED_TRACE(std::string(model.golden_name) + " " + c.at("mode").get<std::string>());
      check_model<T>(model, c, kernels, tolerance);
      ++checked;
    }
    EXPECT_EQ(checked, 3) << model.golden_name
                          << ": lambda = 0, lambda = 0.5 and uncertainty weights";
  }
}

TEST(Golden, ModelsAndTheirAdamTrajectoriesInDouble) {
  check_models<double>(reference::kernels<double>(), 1e-9);
}
TEST(Golden, ModelsAndTheirAdamTrajectoriesInFloatOnTheReferenceKernels) {
  check_models<float>(reference::kernels<float>(), 1e-4);
}
TEST(Golden, ModelsAndTheirAdamTrajectoriesInFloatOnTheFastKernels) {
  check_models<float>(cpu::kernels(), 1e-4);
}

// Local graphs around eight of the points, the others being training points with their labels.
template <class T>
void check_kcn(const Kernels<T>& kernels, double tolerance) {
  const json& k = golden().at("kcn");
  const json& g = golden().at("graph");
  const std::vector<Point> points = points_of(g.at("lonlat"));
  const std::vector<T> x = cast<T>(numbers(g.at("x"))), y = cast<T>(numbers(g.at("y")));
  const auto features = static_cast<std::int64_t>(x.size() / points.size());

  std::vector<Point> centres;
  std::vector<double> want;
  Neighbours found;
  std::vector<std::int32_t> rows;  // behind every node
  for (const json& c : k.at("cases")) {
    const std::vector<double> nodes = numbers(c.at("nodes"));  // the centre first
    found.k = static_cast<std::int64_t>(nodes.size()) - 1;
    centres.push_back(points[c.at("centre").get<std::size_t>()]);
    want.push_back(c.at("out"));
    for (std::size_t j = 1; j < nodes.size(); ++j) {
      found.rows.push_back(static_cast<std::int32_t>(nodes[j]));
      found.distances.push_back(
          great_circle(centres.back(), points[static_cast<std::size_t>(nodes[j])]).value);
    }
  }
  AttachedGraph attached;
  local_graphs(centres, found, points, Space::sphere, {.median = k.at("length_scale_m")}, kPool,
               attached);
  rows = attached.train_rows;
  for (const json& c : k.at("cases")) rows.push_back(c.at("centre"));

  const std::int64_t n = attached.graph.nodes;
  std::vector<T> inputs(static_cast<std::size_t>(n * features));
  std::vector<T> labels(static_cast<std::size_t>(n * kLabelInputs));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool centre = i >= as_size(attached.train_rows.size());
    const auto row = static_cast<std::size_t>(rows[i]);
    std::copy_n(x.data() + row * static_cast<std::size_t>(features), features,
                inputs.data() + i * static_cast<std::size_t>(features));
    labels[2 * i] = centre ? T(0) : y[row];
    labels[2 * i + 1] = centre ? T(1) : T(0);
  }
  Options options;
  options.encoder = "none";
  options.backbone = "kcn";
  options.lambda = 0;
  options.width = static_cast<std::int64_t>(k.at("params").at("conv1").size());
  Network<T> network(options, features);
  network.reserve({kernels, kPool}, n, attached.graph.edges(), false);
  AlignedBuffer<T> parameters(network.layout().size());  // the head's bias stays 0
  const std::pair<const char*, const char*> names[] = {
      {"conv1", "backbone.0.weight"}, {"conv2", "backbone.1.weight"}, {"read_out", "head.weight"}};
  for (const auto& [theirs, ours] : names) {
    set_parameter<T>(network.layout(), ours, numbers(k.at("params").at(theirs)), parameters.span());
  }
  Schedule schedule(kPool);
  const Pass<T> pass{.kernels = kernels,
                     .schedule = schedule,
                     .work = network.work(),
                     .parameters = parameters.data()};
  const auto got = network.forward(pass, {.graph = attached.graph,
                                          .features = {inputs.data(), n, features},
                                          .basis = {nullptr, n, 0},
                                          .columns = {labels.data(), n, kLabelInputs},
                                          .queries = attached.queries});
  expect_close(want, column_of(got), tolerance, "kcn");
}

TEST(Golden, KrigingConvolutionalNetworkInDouble) {
  check_kcn<double>(reference::kernels<double>(), 1e-9);
}
TEST(Golden, KrigingConvolutionalNetworkInFloatOnTheFastKernels) {
  check_kcn<float>(cpu::kernels(), 1e-4);
}

TEST(Golden, ExactGaussianProcesses) {
  for (const json& c : golden().at("gp")) {
    SCOPED_TRACE(c.at("kernel").get<std::string>());
    const bool matern = c.at("kernel") == "matern32";
    const std::vector<double> x = numbers(c.at("X")), y = numbers(c.at("y"));
    const std::vector<double> queries = numbers(c.at("Xtest"));
    const auto n = static_cast<std::int64_t>(y.size());
    const auto columns = static_cast<std::int64_t>(x.size()) / n;
    const auto asked = static_cast<std::int64_t>(queries.size()) / columns;
    Array<double> scales = numbers(c.at("lengthscale"));
    scales.resize(columns, scales.back());
    GpParameters parameters{.covariance = matern ? Covariance::matern32 : Covariance::gaussian,
                            .length_scales = scales,
                            .variance = c.at("outputscale"),
                            .noise = c.at("noise"),
                            .mean = c.at("mean")};
    std::vector<double> work(y.size() * y.size());
    const double want = c.at("log_marginal_likelihood_total");
    const auto likelihood = log_marginal_likelihood(
        kPool, parameters, false, {x.data(), n, columns}, y, {work.data(), n, n}, {});
    EXPECT_NEAR(want, likelihood.value(), 1e-9 * std::abs(want));

    ExactGp gp;
    gp.condition(kPool, parameters, false, {x.data(), n, columns}, y);
    std::vector<double> mean(static_cast<std::size_t>(asked)), variance(mean.size());
    gp.predict(kPool, {queries.data(), asked, columns}, mean, variance);
    expect_close(numbers(c.at("pred_mean")), mean, 1e-9, "mean");
    expect_close(numbers(c.at("pred_var_f")), variance, 1e-9, "variance of f");
    for (double& v : variance) v += parameters.noise;
    expect_close(numbers(c.at("pred_var_y")), variance, 1e-9, "variance of y");
  }
}

}  // namespace
}  // namespace pegnn
