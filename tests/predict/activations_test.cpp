#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "backbone/backbone.h"
#include "model/state.h"
#include "pegnn/train.h"
#include "support/options.h"
#include "support/refused.h"
#include "support/tables.h"

namespace pegnn {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

Model trained(const Options& options, bool features = true) {
  return train(test::smooth_table(300), test::smooth_roles(features), options, false,
               {.threads = 2})
      .model;
}

struct Asked {
  std::vector<Point> points;
  std::vector<double> features;

  explicit Asked(std::size_t n) {
    const Table t = test::smooth_table(n, 9);
    for (std::size_t i = 0; i < n; ++i) {
      points.push_back({t.find("lon")->values[i], t.find("lat")->values[i]});
      features.insert(features.end(), {t.find("a")->values[i], t.find("b")->values[i]});
    }
  }
};

// What a linear head makes of an embedding.
double headed(const ModelState& s, const std::string& head, const float* h, std::int64_t width) {
  const TensorFile file = to_tensors(s);
  const std::vector<float> weight = file.values<float>(head + ".weight", width);
  double sum = static_cast<double>(file.values<float>(head + ".bias", 1)[0]);
  for (std::int64_t j = 0; j < width; ++j) {
    sum += static_cast<double>(weight[static_cast<std::size_t>(j)]) * static_cast<double>(h[j]);
  }
  return sum;
}

// Of one member: its predictions and its auxiliary task are what the heads make of the embedding,
// and its mean is the model's prediction.
TEST(Activations, LeadToThePredictionForEveryBackbone) {
  const Asked asked(50);
  for (const BackboneEntry* backbone : backbones()) {
    for (const bool encoder : {true, false}) {
      const std::string name = (encoder ? "pe-" : "") + std::string(backbone->info.name);
      SCOPED_TRACE(name);
      Options options = test::small_model(name);
      options.lambda = 0.25;
      ModelState state = trained(options).state();
      state.label_model.blend = 1;
      const Model model(state);
      const Activations found = model.activations(asked.points, asked.features, {.threads = 2});
      EXPECT_EQ(50, found.rows);
      EXPECT_EQ(1, found.members);
      EXPECT_EQ(encoder ? state.options.embedding : 0, found.encoder_width);
      EXPECT_EQ(static_cast<std::size_t>(50 * found.encoder_width), found.encoder.size());
      ASSERT_EQ(static_cast<std::size_t>(50 * found.embedding_width), found.embedding.size());
      EXPECT_EQ(model.predict(asked.points, asked.features, {}), found.mean);
      ASSERT_EQ(50U, found.moran.size());
      for (std::size_t i = 0; i < 50; ++i) {
        const float* const h =
            found.embedding.data() + i * static_cast<std::size_t>(found.embedding_width);
        EXPECT_NEAR(headed(state, "moran", h, found.embedding_width),
                    static_cast<double>(found.moran[i]), 1e-4);
        EXPECT_NEAR(target_of(state, headed(state, "head", h, found.embedding_width)),
                    found.mean[i], 1e-3);
      }
    }
  }
}

TEST(Activations, OfAModelWithoutTheAuxiliaryTaskHaveNoMoran) {
  const Asked asked(5);
  Options options = test::small_model("pe-gcn");
  options.lambda = 0;
  EXPECT_TRUE(trained(options).activations(asked.points, asked.features, {}).moran.empty());
}

// What the encoder says depends on the place alone, also at nodes that other nodes attach to.
TEST(Activations, OfTheEncoderAreThoseOfThePlace) {
  const Asked asked(30);
  const Model model = trained(test::small_model("pe-gcn"));
  const Activations found = model.activations(asked.points, asked.features, {});
  std::vector<double> other = asked.features;
  for (double& value : other) value += 1;
  const Activations changed = model.activations(asked.points, other, {});
  EXPECT_EQ(found.encoder, changed.encoder);
  EXPECT_NE(found.embedding, changed.embedding);
  const auto width = static_cast<std::size_t>(found.encoder_width);
  EXPECT_FALSE(std::equal(found.encoder.begin(), found.encoder.begin() + found.encoder_width,
                          found.encoder.begin() + static_cast<std::ptrdiff_t>(7 * width)));
}

TEST(Activations, OfSeveralMembersStandOneAfterTheOther) {
  const Asked asked(40);
  for (const char* name : {"pe-gcn", "label_attention"}) {
    SCOPED_TRACE(name);
    Options options = test::small_model(name);
    options.members = 3;
    ModelState state = trained(options).state();
    state.label_model.blend = 1;
    const Model model(state);
    const Activations all = model.activations(asked.points, asked.features, {});
    EXPECT_EQ(3, all.members);
    ASSERT_EQ(120U, all.mean.size());
    const std::int64_t size = state.parameters.size() / 3;
    for (std::int64_t m = 0; m < 3; ++m) {
      ModelState alone = state;
      alone.options.members = 1;
      const auto first = state.parameters.begin() + m * size;
      alone.parameters.assign(first, first + size);
      const Activations one = Model(alone).activations(asked.points, asked.features, {});
      const auto expect_part = [&](const auto& part, const auto& of) {
        const auto begin = of.begin() + m * std::ssize(part);
        ASSERT_EQ(3 * part.size(), of.size());
        EXPECT_TRUE(std::equal(part.begin(), part.end(), begin)) << m;
      };
      expect_part(one.encoder, all.encoder);
      expect_part(one.embedding, all.embedding);
      expect_part(one.mean, all.mean);
      expect_part(one.moran, all.moran);
    }
    const std::vector<double> predicted = model.predict(asked.points, asked.features, {});
    for (std::size_t i = 0; i < 40; ++i) {
      EXPECT_NEAR((all.mean[i] + all.mean[40 + i] + all.mean[80 + i]) / 3, predicted[i], 1e-5);
    }
  }
}

TEST(Activations, FarMembersAreLeftOut) {
  const Asked asked(10);
  const Model model = trained(test::small_default());
  ASSERT_GT(model.state().options.part.whole("far-members"), 0);
  EXPECT_EQ(model.state().options.members,
            model.activations(asked.points, asked.features, {}).members);
}

TEST(Activations, OfManyRowsComeBackInTheirOrderOnAnyNumberOfThreads) {
  const Asked asked(50);
  for (const char* name : {"pe-gcn", "pe-kcn", "label_attention"}) {
    SCOPED_TRACE(name);
    const Model model = trained(test::small_model(name));
    const Activations few = model.activations(asked.points, asked.features, {.threads = 1});
    std::vector<Point> points;
    std::vector<double> features;
    for (std::size_t i = 0; i < 9'001; ++i) {  // more than a pass
      const std::size_t row = (i * 7) % 50;
      points.push_back(asked.points[row]);
      features.insert(features.end(), {asked.features[2 * row], asked.features[2 * row + 1]});
    }
    const Activations many = model.activations(points, features, {.threads = 3});
    const auto expect_row = [&](const auto& of_few, const auto& of_many, std::int64_t width,
                                std::size_t i) {
      const auto from = of_few.begin() + static_cast<std::int64_t>((i * 7) % 50) * width;
      const auto to = of_many.begin() + static_cast<std::int64_t>(i) * width;
      ASSERT_TRUE(std::equal(from, from + width, to)) << i;
    };
    for (std::size_t i = 0; i < points.size(); ++i) {
      expect_row(few.encoder, many.encoder, few.encoder_width, i);
      expect_row(few.embedding, many.embedding, few.embedding_width, i);
      expect_row(few.mean, many.mean, 1, i);
    }
  }
}

TEST(Activations, UnderTestOnlyAreOfRowsLinkedToEachOther) {
  const Asked asked(60);
  const Model model = trained(test::small_model("pe-gcn")).with_graph("test-only");
  const Activations found = model.activations(asked.points, asked.features, {});
  EXPECT_EQ(model.predict(asked.points, asked.features, {}), found.mean);
}

TEST(Activations, OfNoRowsAreEmptyButHaveTheirWidths) {
  const Activations none = trained(test::small_model("pe-gcn")).activations({}, {}, {});
  EXPECT_EQ(0, none.rows);
  EXPECT_EQ(1, none.members);
  EXPECT_GT(none.encoder_width, 0);
  EXPECT_TRUE(none.embedding.empty());
  EXPECT_TRUE(none.mean.empty());
}

TEST(Activations, OfABaselineOrOfPlacesThatAreNowhereAreRefused) {
  const std::string said =
      test::refusal([] { trained(test::small_model("knn")).activations({}, {}, {}); });
  EXPECT_NE(said.find("knn"), std::string::npos);
  const Model model = trained(test::small_model("pe-gcn"));
  const std::vector<Point> here = {{11, 46}}, nowhere = {{11, kNaN}}, north = {{11, 95}};
  const std::vector<double> two = {0.1, 0.2}, missing = {0.1, kNaN};
  test::refusal([&] { model.activations(here, std::span(two).first(1), {}); });
  test::refusal([&] { model.activations(here, missing, {}); });
  test::refusal([&] { model.activations(nowhere, two, {}); });
  test::refusal([&] { model.activations(north, two, {}); });
}

TEST(Activations, CanBeStopped) {
  const Model model = trained(test::small_model("pe-gcn"));
  const std::vector<Point> here = {{11, 46}};
  const std::vector<double> two = {0.1, 0.2};
  RunSettings run;
  run.stop = [] { return true; };
  test::refusal([&] { model.activations(here, two, run); }, ErrorKind::interrupted);
}

}  // namespace
}  // namespace pegnn
