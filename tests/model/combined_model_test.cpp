// A model made of models: its answers, its file, and what is refused.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "baseline/baseline.h"
#include "model/state.h"
#include "pegnn/model.h"
#include "support/combined.h"
#include "support/forged_file.h"
#include "support/refused.h"

namespace pegnn {
namespace {

using Names = std::vector<std::string>;

// Among the training points, at the edge and far off.
const std::vector<Point> kPlaces{{11, 46}, {12.5, 47.3}, {14.9, 48.9}, {30, 60}, {-120, -30}};
const std::vector<double> kFeatures{0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0};

ModelState trained(const std::string& name) {
  return train(test::smooth_table(60), test::smooth_roles(), test::small_model(name), false,
               {.threads = 1})
      .model.state();
}

// What a model says of kPlaces, whether or not it sees features.
Answer asked(const ModelState& state) {
  const bool sees = !state.roles.features.empty();
  return Model(state).ask(kPlaces, sees ? kFeatures : std::vector<double>{}, {.threads = 1});
}

ModelState combined(const Names& names, std::vector<double> near, std::vector<double> far) {
  std::vector<ModelState> parts;
  for (const std::string& name : names) parts.push_back(trained(name));
  Combination c = test::by_place(std::ssize(names));
  c.near = std::move(near);
  c.far = std::move(far);
  return combine(std::move(parts), std::move(c));
}

TEST(CombinedModel, OfEqualWeightsEverywhereIsTheMeanAndTheMixture) {
  const ModelState both = combined({"nngp", "kriging"}, {0.25, 0.75}, {0.25, 0.75});
  const Answer a = asked(trained("nngp")), b = asked(trained("kriging")), got = asked(both);
  ASSERT_EQ(2U, got.columns.size());
  for (std::size_t i = 0; i < kPlaces.size(); ++i) {
    const double mean = 0.25 * a.mean()[i] + 0.75 * b.mean()[i];
    const double square = 0.25 * (std::pow(a.deviation()[i], 2) + std::pow(a.mean()[i], 2)) +
                          0.75 * (std::pow(b.deviation()[i], 2) + std::pow(b.mean()[i], 2));
    EXPECT_DOUBLE_EQ(mean, got.mean()[i]);
    EXPECT_NEAR(std::sqrt(square - mean * mean), got.deviation()[i], 1e-9);
  }
}

TEST(CombinedModel, ItsWeightsGoFromNearToFarByPlace) {
  const ModelState both = combined({"knn", "mean"}, {1, 0}, {0, 1});
  const Answer near = asked(trained("knn")), far = asked(trained("mean")), got = asked(both);
  ASSERT_EQ(1U, got.columns.size()) << "knn has no deviation, so that the mixture has none";
  std::vector<double> share;
  for (std::size_t i = 0; i < kPlaces.size(); ++i) {
    share.push_back((got.mean()[i] - near.mean()[i]) / (far.mean()[i] - near.mean()[i]));
  }
  EXPECT_LT(share[0], 0.6);
  EXPECT_LT(share[0], share[3]);
  EXPECT_LT(share[3], share[4]);
  EXPECT_GT(share[4], 0.99);
}

TEST(Remoteness, IsTheLogisticOfDistanceAndGap) {
  const Remoteness r{.intercept = 0.5, .by_distance = 2, .by_gap = -1, .power = 3, .spacing = 10};
  std::vector<double> distances;
  for (int i = 1; i <= 24; ++i) distances.push_back(2.0 * i);
  // The mean of 2, 4, 6 and 8 is 5, the gap 2 / 48.
  const double at = 0.5 + 2 * std::log(0.5 + 0.05) - 2.0 / 48;
  EXPECT_DOUBLE_EQ(std::pow(1 / (1 + std::exp(-at)), 3), r.share(distances));
  EXPECT_GE(r.share(std::vector<double>{0}), 0.0);
  EXPECT_EQ(1.0, r.share(std::vector<double>{std::numeric_limits<double>::max()}));
  EXPECT_TRUE(r.usable());
  for (const double bad : {std::nan(""), HUGE_VAL, 0.0, -1.0}) {
    EXPECT_FALSE((Remoteness{.power = bad}.usable())) << bad;
    EXPECT_FALSE((Remoteness{.spacing = bad}.usable())) << bad;
  }
  EXPECT_FALSE((Remoteness{.by_gap = 1e7}.usable()));
}

// A network's rows are those of the whole, or its own where it held some back.
TEST(CombinedModel, SurvivesItsFile) {
  for (const Names& names : {Names{"kriging", "knn"}, Names{"label_attention", "nngp"},
                             Names{"mean", "pe-gcn", "label_attention", "boosting"}}) {
    if (names.back() == "boosting" && !find_baseline("boosting")->available()) continue;
    const Model model(test::combined_state(names));
    const std::string bytes = model.bytes();
    const Model back = Model::from_bytes(bytes);
    EXPECT_EQ(bytes, back.bytes());
    EXPECT_EQ("3", test::ForgedFile(bytes).text("pegnn.format"));
    EXPECT_EQ(asked(model.state()).values, asked(back.state()).values);
    const ModelInfo info = back.info();
    ASSERT_EQ(names.size(), info.parts.size());
    std::int64_t parameters = 0;
    for (const ModelInfo& part : info.parts) parameters += part.parameters;
    EXPECT_EQ(parameters, info.parameters);
    EXPECT_EQ(0U, info.learned.find("weights of the parts near ")) << info.learned;
  }
}

TEST(CombinedModel, KeepsRowsThatAreTheSameOnce) {
  const ModelState both = test::combined_state(Names{"label_attention", "kriging"});
  EXPECT_EQ(60, both.points.size());
  for (const ModelState& part : both.parts) {
    EXPECT_TRUE(part.points.empty() && part.features.empty());
  }
  test::ForgedFile file(Model(both).bytes());
  EXPECT_NE(nullptr, file.find("training.points"));
  EXPECT_EQ(nullptr, file.find("part.0.training.points"));
  EXPECT_EQ(nullptr, file.find("part.0.training.features"));
}

TEST(CombinedModel, DoesWhatModelsDo) {
  const Model model(test::combined_state(Names{"nngp", "kriging", "label_attention"}));
  const Applicable found = model.applicability(kPlaces, kFeatures, {.threads = 1});
  EXPECT_TRUE(found.inside[0]);
  EXPECT_FALSE(found.inside[4]);
  EXPECT_FALSE(model.needs_all_rows());
  EXPECT_EQ("--graph: a combined model has no graph",
            test::refusal([&] { (void)model.with_graph("train"); }));
  EXPECT_EQ("a combined model is no network: it has no activations",
            test::refusal([&] { (void)model.activations(kPlaces, kFeatures, {}); }));
  // Pieces and threads change nothing.
  const Table table = test::smooth_table(300, 3);
  const Answer whole = model.ask(table, {}, {.threads = 1});
  Predictor predictor(model, {}, {.threads = 3});
  std::vector<double> pieces;
  for (std::int64_t i = 0; i < table.rows(); i += 77) {
    const auto end = std::min<std::int64_t>(i + 77, table.rows());
    Table piece("piece");
    for (const Column& column : table.columns()) {
      piece.add(column.name, {column.values.begin() + i, column.values.begin() + end});
    }
    const Answer answer = predictor.ask(piece);
    pieces.insert(pieces.end(), answer.mean().begin(), answer.mean().end());
  }
  EXPECT_EQ(std::vector<double>(whole.mean().begin(), whole.mean().end()), pieces);
}

TEST(Combine, RefusesWhatDoesNotFitTogether) {
  const ModelState knn = trained("knn"), kriging = trained("kriging");
  const auto why = [](std::vector<ModelState> parts, Combination c) {
    return test::refusal([&] { combine(std::move(parts), std::move(c)); });
  };
  ModelState other = knn;
  other.roles.target = "z";
  EXPECT_EQ("models cannot be combined: part 1 has another target than the whole",
            why({knn, other}, test::by_place(2)));
  other = knn;
  other.roles.y = "north";
  EXPECT_EQ("models cannot be combined: part 1 has other coordinates than the whole",
            why({knn, other}, test::by_place(2)));
  EXPECT_EQ("models cannot be combined: part 1 has parts itself",
            why({knn, test::combined_state(Names{"knn", "mean"})}, test::by_place(2)));
  EXPECT_EQ(
      "models cannot be combined: the weights of the parts are not numbers from 0 on that sum "
      "up to 1",
      why({knn, kriging}, test::by_place(3)));
  EXPECT_EQ("models cannot be combined: 17 parts: a model is made of 1 to 16",
            why(std::vector<ModelState>(17, kriging), test::by_place(17)));
  EXPECT_NE(why({}, {}), "");
  other = knn;
  other.points = {};
  EXPECT_EQ("models cannot be combined: there are no training points to be near to or far from",
            why({other, other}, test::by_place(2)));
}

// A file whose container is whole but whose parts do not fit together.
class CombinedFile : public testing::Test {
 protected:
  CombinedFile() : file_(Model(test::combined_state(Names{"kriging", "knn"})).bytes()) {}

  std::string refusal() {
    return test::refusal([&] { Model::from_bytes(file_.bytes(), "m"); }, ErrorKind::model);
  }
  void rename(const std::string& from, const std::string& to) { file_.find(from)->name = to; }
  void set(const std::string& tensor, std::size_t at, double value) {
    std::memcpy(file_.find(tensor)->data.data() + at * sizeof value, &value, sizeof value);
  }
  void edit(const std::string& key, const std::string& from, const std::string& to) {
    std::string text = file_.text(key);
    ASSERT_NE(text.find(from), std::string::npos) << text;
    file_.set_text(key, text.replace(text.find(from), from.size(), to));
  }

  test::ForgedFile file_;
};

TEST_F(CombinedFile, OfAnOlderFormatIsRefused) {
  file_.set_text("pegnn.format", "2");
  EXPECT_EQ("m: metadata 'pegnn.format' is below 3, in which there are no models made of others",
            refusal());
}

TEST_F(CombinedFile, WithMoreOrFewerDescriptionsThanWeightsIsRefused) {
  file_.metadata.emplace_back("pegnn.part.2", "\"{}\"");
  EXPECT_EQ(
      "m: metadata 'pegnn.part....' describes 3 parts, but tensor 'combination.weights' "
      "weighs 2",
      refusal());
}

TEST_F(CombinedFile, WithDescriptionsThatAreNotNumberedIsRefused) {
  for (auto& [key, value] : file_.metadata) {
    if (key == "pegnn.part.1") key = "pegnn.part.01";
  }
  EXPECT_EQ("m: metadata 'pegnn.part.1' is missing", refusal());
}

TEST_F(CombinedFile, WithTensorsOfNoPartIsRefused) {
  rename("part.1.baseline.labels", "part.2.baseline.labels");
  EXPECT_EQ("m: tensor 'part.2.baseline.labels' belongs to no part", refusal());
  rename("part.2.baseline.labels", "calibration.quantiles");
  EXPECT_EQ("m: tensor 'calibration.quantiles' belongs to no part", refusal());
  rename("calibration.quantiles", "part.1.part.0.baseline.labels");
  EXPECT_NE(refusal().find("m: part 1: "), std::string::npos) << refusal();
}

TEST_F(CombinedFile, WithWeightsThatAreNoneIsRefused) {
  for (const double bad : {-0.1, 0.9, std::nan(""), HUGE_VAL}) {
    set("combination.weights", 1, bad);
    EXPECT_NE(refusal().find("sum up to 1"), std::string::npos) << refusal();
  }
}

TEST_F(CombinedFile, WithoutTheRemotenessOfItsWeightsIsRefused) {
  set("combination.remoteness", 4, 0);
  EXPECT_NE(refusal().find("remoteness"), std::string::npos) << refusal();
  rename("combination.remoteness", "training.remoteness");
  EXPECT_EQ("m: tensor 'combination.remoteness' is missing", refusal());
}

TEST_F(CombinedFile, WithPartsOfAnotherTableIsRefused) {
  edit("pegnn.part.1", "\"target\":\"y\"", "\"target\":\"z\"");
  EXPECT_NE(refusal().find("part 1 has another target than the whole"), std::string::npos);
}

TEST_F(CombinedFile, NamesThePartThatIsDamaged) {
  edit("pegnn.part.0", "\"space\":", "\"spice\":");
  EXPECT_EQ("m: part 0: metadata 'pegnn.model'.space is missing", refusal());
}

}  // namespace
}  // namespace pegnn
