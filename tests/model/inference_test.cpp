#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "backbone/backbone.h"
#include "model/inference.h"
#include "support/gradient.h"

namespace pegnn {
namespace {

constexpr std::int64_t kTraining = 400, kQueries = 90, kWidth = 2;

// Training points, queries and a network with any weights.
struct Setting {
  std::vector<Point> training, queries;
  std::vector<float> features, labels, query_features, parameters, far;
  Options options;
  LabelModel model;

  Setting(std::string_view backbone, std::string_view encoder) {
    training = places(kTraining, 1);
    queries = places(kQueries, 2);
    queries[0] = training[7];     // at a training point
    queries[1] = {180, 10};       // on the antimeridian, far from all
    queries[2] = {0, 90};         // at the pole
    training[20] = training[21];  // a place twice
    features = values(kTraining * kWidth, 3);
    query_features = values(kQueries * kWidth, 4);
    labels = values(kTraining, 5);
    model.unit = 20e3;
    model.kriging = {.process = {.range = 50e3, .sill = 1, .nugget = 0.1}, .mean = {0.1, 0.5, -1}};
    model.blend = 0.75;
    options.backbone = backbone;
    options.encoder = encoder;
    options.k = 4;
    options.sigma_min = 0.01;
    options.sigma_max = 1;
    const Network<float> network(options, kWidth);
    parameters.resize(static_cast<std::size_t>(network.layout().size()));
    network.initialise(3, parameters);
  }
  static std::vector<float> values(std::int64_t count, std::uint64_t seed) {
    const std::vector<double> v = test::random_values(static_cast<std::size_t>(count), seed);
    return {v.begin(), v.end()};
  }
  static std::vector<Point> places(std::int64_t count, std::uint64_t seed) {
    const std::vector<double> c = test::random_values(static_cast<std::size_t>(2 * count), seed);
    std::vector<Point> points;
    for (std::size_t i = 0; i + 1 < c.size(); i += 2) points.push_back({c[i], 50 + c[i + 1]});
    return points;
  }
  TrainingPoints training_points() const {
    return {training, {features.data(), kTraining, kWidth}, labels, model};
  }
  Mat<const float> features_of_queries() const { return {query_features.data(), kQueries, kWidth}; }

  // Two far members, and queries of each kind: in no gap, partly in one, far from all.
  void add_far_members() {
    for (std::size_t i = 3; i < 9; ++i) queries[i] = {20.0 * static_cast<double>(i), -30};
    options.k = 24;
    options.part.set("far-members", 2);
    model.extrapolation_ratio = 0.2;
    model.far_blend = 0.5;
    const Network<float> network(far_options(options), kWidth);
    const auto size = static_cast<std::size_t>(network.layout().size());
    far.resize(2 * size);
    for (std::size_t m = 0; m < 2; ++m) {
      const std::span<float> own = std::span(far).subspan(m * size, size);
      network.initialise(5 + m, own);
      // A new network is the smoother; so that it says something else:
      for (float& weight : own) weight += 0.05F;
    }
  }
  MemberWeights weights() const { return {parameters, far}; }

  std::vector<float> predict(std::int64_t chunk, int threads) const {
    const ThreadPool pool(threads);
    const Inference inference(options, Space::sphere, training_points());
    const auto scratch = inference.scratch(best_backend<float>(pool));
    std::vector<float> out(kQueries);
    Prepared prepared;
    for (std::int64_t first = 0; first < kQueries; first += chunk) {
      const std::int64_t count = std::min(chunk, kQueries - first);
      const auto from = static_cast<std::size_t>(first), many = static_cast<std::size_t>(count);
      inference.prepare(std::span(queries).subspan(from, many),
                        features_of_queries().block(first, count), *scratch, prepared);
      inference.run(prepared, weights(), *scratch, {out.data() + first, count, 1});
    }
    return out;
  }
  // Of the queries.
  NeighbourhoodView view() const {
    const ThreadPool pool(1);
    const Inference inference(options, Space::sphere, training_points());
    const auto scratch = inference.scratch(best_backend<float>(pool));
    Prepared prepared;
    inference.prepare(queries, features_of_queries(), *scratch, prepared);
    return prepared.view;
  }
};

TEST(Inference, DoesNotDependOnHowTheRowsAreCutNorOnThreads) {
  for (const BackboneEntry* backbone : backbones()) {
    for (const char* encoder : {"grid", "none"}) {
      SCOPED_TRACE(std::string(backbone->info.name) + ", encoder " + encoder);
      const Setting setting(backbone->info.name, encoder);
      const std::vector<float> whole = setting.predict(kQueries, 1);
      EXPECT_NE(whole.front(), whole.back());
      for (const std::int64_t chunk : {1, 7, 64}) EXPECT_EQ(whole, setting.predict(chunk, 1));
      for (const int threads : {2, 3}) EXPECT_EQ(whole, setting.predict(50, threads));
    }
  }
}

void expect_rows_one_by_one(const Setting& setting) {
  const ThreadPool pool(2);
  const Inference inference(setting.options, Space::sphere, setting.training_points());
  const auto scratch = inference.scratch(best_backend<float>(pool));
  const std::int64_t many = static_cast<std::int64_t>(inference.chunk(100'000)) * 2 + 77;
  const std::vector<Point> queries = Setting::places(many, 6);
  const std::vector<float> features = Setting::values(many * kWidth, 7);
  std::vector<float> all(queries.size());
  inference.predict(queries, {features.data(), many, kWidth}, {setting.parameters}, *scratch,
                    {all.data(), many, 1});
  Prepared prepared;
  for (std::size_t i = 0; i < queries.size(); i += 997) {
    float one = 0;
    inference.prepare(std::span(queries).subspan(i, 1), {features.data() + i * kWidth, 1, kWidth},
                      *scratch, prepared);
    inference.run(prepared, {setting.parameters}, *scratch, {&one, 1, 1});
    EXPECT_EQ(one, all[i]) << i;
  }
  float first = 0;
  inference.predict(std::span(queries).first(1), {features.data(), 1, kWidth}, {setting.parameters},
                    *scratch, {&first, 1, 1});
  EXPECT_EQ(all[0], first);
}

TEST(Inference, ManyRowsInAnyOrderAreWhatTheyAreOneByOne) {
  for (const char* backbone : {"gcn", "label_attention"}) {
    SCOPED_TRACE(backbone);
    expect_rows_one_by_one(Setting(backbone, "grid"));
  }
}

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

TEST(Inference, FarMembersSayTheSameWhicheverRowsTheyAreAskedWith) {
  Setting setting("label_attention", "grid");
  setting.add_far_members();
  const std::vector<float> whole = setting.predict(kQueries, 1);
  for (const std::int64_t chunk : {1, 7, 64}) EXPECT_EQ(whole, setting.predict(chunk, 1));
  for (const int threads : {2, 3}) EXPECT_EQ(whole, setting.predict(50, threads));
}

// Who is not asked may say anything.
TEST(Inference, OnlyMembersWithASayAreAsked) {
  Setting setting("label_attention", "grid");
  setting.add_far_members();
  const std::vector<float> whole = setting.predict(kQueries, 1);
  const Array<float> gaps = setting.view().gaps;
  Setting no_near = setting, no_far = setting;
  std::ranges::fill(no_near.parameters, kNaN);
  std::ranges::fill(no_far.far, kNaN);
  const std::vector<float> far = no_near.predict(kQueries, 1), near = no_far.predict(kQueries, 1);
  std::int64_t none = 0, some = 0, all = 0;
  for (std::size_t i = 0; i < whole.size(); ++i) {
    ++(gaps[i] == 0 ? none : gaps[i] < 1 ? some : all);
    EXPECT_TRUE(gaps[i] == 0 ? near[i] == whole[i] : std::isnan(near[i])) << i;
    EXPECT_TRUE(gaps[i] == 1 ? far[i] == whole[i] : std::isnan(far[i])) << i;
  }
  for (const std::int64_t rows : {none, some, all}) EXPECT_GT(rows, 2);
}

TEST(Inference, WhereNoCorrectionIsKeptTheSmootherAnswersAndNobodyIsAsked) {
  Setting setting("label_attention", "grid");
  setting.model.blend = 0;
  std::ranges::fill(setting.parameters, kNaN);
  EXPECT_EQ(setting.view().smooth, setting.predict(kQueries, 1));
}

TEST(Inference, ADeviationIsTheNetworksEvenWhereNoCorrectionIsKept) {
  Setting setting("label_attention", "grid");
  setting.model.blend = 0;
  setting.options.head = "gaussian";
  setting.options.loss = "gaussian";
  const Network<float> network(setting.options, kWidth);
  setting.parameters.resize(static_cast<std::size_t>(network.layout().size()));
  network.initialise(3, setting.parameters);
  const ThreadPool pool(1);
  const Inference inference(setting.options, Space::sphere, setting.training_points());
  const auto columns = static_cast<std::int64_t>(inference.columns().size());
  ASSERT_TRUE(has_column(inference.columns(), OutputKind::deviation));
  const auto scratch = inference.scratch(best_backend<float>(pool));
  std::vector<float> out(static_cast<std::size_t>(kQueries * columns));
  const Mat<float> answers(out.data(), kQueries, columns);
  inference.predict(setting.queries, setting.features_of_queries(), {setting.parameters}, *scratch,
                    answers);
  const Array<float> smooth = setting.view().smooth;
  for (std::int64_t i = 0; i < kQueries; ++i) {
    EXPECT_EQ(smooth[i], answers(i, 0));
    EXPECT_GT(answers(i, 1), 0);
  }
}

// So many that every thread has passes of its own, twice with the same scratch.
TEST(Inference, ThreadsWithPassesOfTheirOwnSayWhatOneSays) {
  Setting setting("label_attention", "grid");
  setting.add_far_members();
  const std::int64_t many = 7000;
  const std::vector<Point> queries = Setting::places(many, 6);
  const std::vector<float> features = Setting::values(many * kWidth, 7);
  const Inference inference(setting.options, Space::sphere, setting.training_points());
  std::vector<float> expected;
  for (const int threads : {1, 2, 3}) {
    const ThreadPool pool(threads);
    const auto scratch = inference.scratch(best_backend<float>(pool));
    for (int time = 0; time < 2; ++time) {
      std::vector<float> out(queries.size());
      inference.predict(queries, {features.data(), many, kWidth}, setting.weights(), *scratch,
                        {out.data(), many, 1});
      if (expected.empty()) expected = out;
      EXPECT_EQ(expected, out) << threads;
    }
  }
}

// Idle nodes are given no inputs. Were they given theirs, nothing would change.
TEST(Inference, PointsBeyondTheLastHopCountByTheirEdgesAlone) {
  for (const BackboneEntry* backbone : backbones()) {
    if (backbone->reads != InputColumns()) continue;
    SCOPED_TRACE(backbone->info.name);
    const Setting setting(backbone->info.name, "grid");
    const ThreadPool pool(1);
    const Inference inference(setting.options, Space::sphere, setting.training_points());
    const auto scratch = inference.scratch(best_backend<float>(pool));
    const std::span<const Point> few = std::span(setting.queries).first(5);
    const Mat<const float> their_features = setting.features_of_queries().block(0, 5);
    Prepared prepared;
    inference.prepare(few, their_features, *scratch, prepared);
    const AttachedGraph& attached = prepared.view;
    const bool passes_messages = attached.graph.edges() > 0;
    EXPECT_EQ(passes_messages, attached.degree_only > 0);

    Prepared full;
    static_cast<AttachedGraph&>(full.view) = attached;
    full.view.degree_only = 0;
    std::vector<double> coordinates;
    full.features.resize(attached.graph.nodes * kWidth);
    for (std::int64_t node = 0; node < attached.graph.nodes; ++node) {
      const auto training_nodes = static_cast<std::int64_t>(attached.train_rows.size());
      const bool asked = node >= training_nodes;
      const std::int64_t row =
          asked ? node - training_nodes : attached.train_rows[static_cast<std::size_t>(node)];
      const Point p = asked ? few[static_cast<std::size_t>(row)]
                            : setting.training[static_cast<std::size_t>(row)];
      coordinates.insert(coordinates.end(), {p.x, p.y});
      std::copy_n((asked ? their_features : setting.training_points().features).row(row), kWidth,
                  full.features.data() + node * kWidth);
    }
    const auto encoder = make_encoder<float>(setting.options);
    full.basis.resize(attached.graph.nodes * encoder->basis_width());
    encoder->basis(best_kernels<float>(), pool, {coordinates.data(), attached.graph.nodes, 2},
                   {full.basis.data(), attached.graph.nodes, encoder->basis_width()});
    std::vector<float> without(5), with(5);
    inference.run(prepared, {setting.parameters}, *scratch, {without.data(), 5, 1});
    inference.run(full, {setting.parameters}, *scratch, {with.data(), 5, 1});
    EXPECT_EQ(with, without);
  }
}

}  // namespace
}  // namespace pegnn
