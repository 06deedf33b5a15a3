#include "train/choose.h"

#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "pegnn/error.h"
#include "pegnn/log.h"
#include "support/options.h"
#include "support/tables.h"
#include "train/fit.h"

namespace pegnn {
namespace {

class Notes final : public Log {
 public:
  void note(std::string_view text) override { notes += std::string(text) + "\n"; }
  void warn(std::string_view) override {}
  void detail(std::string_view) override {}
  bool tell(const char* words) const { return notes.find(words) != std::string::npos; }
  std::string notes;
};

// A feature whose tail hides what it says: the target is a normal score, the feature exp(8 score).
// Places say nothing.
Table tailed_table(std::size_t rows) {
  const Table smooth = test::smooth_table(rows);
  const Rng rng{4, Stream::sample};
  std::vector<double> a(rows), y(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    y[i] = rng.normal(0, i);
    a[i] = std::exp(8 * y[i]);
  }
  Table table("tailed.csv");
  table.add("lon", smooth.find("lon")->values);
  table.add("lat", smooth.find("lat")->values);
  table.add("a", a);
  table.add("y", y);
  return table;
}
Roles tailed_roles(bool features = true) {
  Roles roles = test::smooth_roles(features);
  if (features) roles.features = {"a"};
  return roles;
}

Options choosing(const std::string& words, bool ranks) {
  Options o = test::small_default(20, 1);
  o.validation = 0.5;  // by fewer than fifty rows nothing is chosen
  o.choose = words;
  o.ranks = ranks;
  return o;
}

Options chosen(const Table& table, const Roles& roles, const Options& options, Notes& notes) {
  return train(table, roles, options, false, {.threads = 2, .log = &notes}).model.state().options;
}

TEST(Choose, TheWayThatPredictsRowsHeldBackBetterIsChosen) {
  for (const bool first : {false, true}) {
    Notes notes;
    const Options o = chosen(tailed_table(120), tailed_roles(), choosing("ranks", first), notes);
    EXPECT_TRUE(o.ranks) << "beginning with " << first;
    EXPECT_TRUE(notes.tell("chosen on 60 rows held back: ranks on (MSE ")) << notes.notes;
    EXPECT_EQ("none", o.choose) << "nothing is left to choose";
  }
}

TEST(Choose, WhatIsChosenIsTrainedAsIfItHadBeenGiven) {
  const Table table = tailed_table(150);
  const TrainResult chosen =
      train(table, tailed_roles(), choosing("ranks", false), false, {.threads = 2});
  const TrainResult given =
      train(table, tailed_roles(), choosing("none", true), false, {.threads = 2});
  ASSERT_TRUE(chosen.model.state().options.ranks);
  EXPECT_EQ(given.model.state().parameters, chosen.model.state().parameters);
  EXPECT_EQ(given.predicted, chosen.predicted);
}

TEST(Choose, NothingIsTriedWithoutEnoughRowsHeldBack) {
  Notes notes;
  for (const double share : {0.0, 0.1, 0.48}) {  // none, a few, all but enough
    Options o = choosing("encoder,dropout", false);
    o.validation = share;
    o = chosen(tailed_table(100), tailed_roles(), o, notes);
    EXPECT_EQ("none", o.encoder);
    EXPECT_EQ(choosing("none", false).dropout, o.dropout);
    EXPECT_FALSE(notes.tell("chosen")) << notes.notes;
  }
}

TEST(Choose, TheEncoderIsTriedFromFiveHundredRowsHeldBackOn) {
  for (const bool enough : {false, true}) {
    Notes notes;
    Options o = choosing("encoder", false);
    o.steps = 3;
    chosen(test::smooth_table(enough ? 1'000 : 998), test::smooth_roles(), o, notes);
    EXPECT_EQ(enough, notes.tell("chosen on 500 rows held back: encoder ")) << notes.notes;
  }
}

TEST(Choose, WithFewRowsHeldBackKrigingChoosesTheRanks) {
  for (const bool first : {false, true}) {
    Notes notes;
    Options o = choosing("ranks,encoder", first);
    o.validation = 0.1;
    o = chosen(tailed_table(100), tailed_roles(), o, notes);
    EXPECT_TRUE(o.ranks) << "beginning with " << first;
    EXPECT_EQ("none", o.encoder);
    EXPECT_TRUE(notes.tell("chosen by the likelihood of kriging: ranks on (log ")) << notes.notes;
  }
  Notes notes;
  Options o = choosing("ranks", false);
  o.validation = 0.1;
  o.part.set("smoother", "none");
  EXPECT_FALSE(chosen(tailed_table(100), tailed_roles(), o, notes).ranks) << "nobody to ask";
  EXPECT_FALSE(notes.tell("chosen")) << notes.notes;
}

TEST(Choose, SizesAreTriedOnceAndKeptIfBetter) {
  Notes notes;
  const Options o =
      chosen(tailed_table(120), tailed_roles(), choosing("k,width,dropout", true), notes);
  EXPECT_TRUE(notes.tell("rows held back: k ")) << notes.notes;
  EXPECT_TRUE(notes.tell("; width ")) << notes.notes;
  EXPECT_TRUE(notes.tell("; dropout ")) << notes.notes;
  EXPECT_TRUE(o.k == 24 || o.k == 48) << o.k;
  EXPECT_TRUE(o.width == 16 || o.width == 32) << o.width;
}

TEST(Choose, WhatMakesNoSenseOnATableIsNotTried) {
  Notes notes;
  // No features to rank, and a target that leans to neither side.
  chosen(tailed_table(120), tailed_roles(false), choosing("ranks,target-transform", false), notes);
  EXPECT_FALSE(notes.tell("chosen")) << notes.notes;
}

TEST(Choose, ATargetThatLeansToOneSideIsTriedTransformed) {
  const Table tailed = tailed_table(120);
  Table table("skewed.csv");
  for (const char* name : {"lon", "lat"}) table.add(name, tailed.find(name)->values);
  table.add("y", tailed.find("a")->values);
  Notes notes;
  chosen(table, tailed_roles(false), choosing("target-transform", false), notes);
  EXPECT_TRUE(notes.tell("rows held back: target-transform ")) << notes.notes;
}

TEST(Choose, LayersAmongNeighboursAreTriedWhereLabelsAreHeard) {
  Notes notes;
  const Options o = chosen(tailed_table(120), tailed_roles(false), choosing("among", false), notes);
  EXPECT_TRUE(notes.tell(o.part.whole("among") == 0 ? "rows held back: among 0 ("
                                                    : "rows held back: among 1 ("))
      << notes.notes;
  notes.notes.clear();
  Options plain = test::small_model("pe-gcn");
  plain.validation = 0.5;
  plain.choose = "among";
  chosen(tailed_table(120), tailed_roles(false), plain, notes);
  EXPECT_FALSE(notes.tell("chosen")) << notes.notes;
}

TEST(Choose, AGivenScalerIsNotReplaced) {
  const Dataset data = make_dataset(tailed_table(120), tailed_roles(), Space::sphere,
                                    MissingRows::refuse, silent_log());
  std::vector<std::int64_t> rows(120);
  std::iota(rows.begin(), rows.end(), 0);
  const Scaler given = fit_scaler(data, rows, Scaling::minmax);
  Notes notes;
  const Fit fit =
      fit_model(data, tailed_roles(), choosing("ranks", false), &given, {.log = &notes});
  EXPECT_FALSE(fit.state.options.ranks);
  EXPECT_EQ(given.target, fit.state.scaler.target);
  EXPECT_FALSE(notes.tell("chosen")) << notes.notes;
}

TEST(Choose, WordsAreReadWithOrWithoutSpaces) {
  Options o;
  EXPECT_TRUE(settings_to_choose(o).empty());
  o.choose = " ranks , encoder,,";
  EXPECT_EQ((std::vector<std::string>{"ranks", "encoder"}), settings_to_choose(o));
}

TEST(Choose, AWordGivenTwiceIsRefused) {
  Options o;
  o.choose = "ranks,encoder,ranks";
  EXPECT_THROW(settings_to_choose(o), Error);
}

TEST(Choose, AnUnknownWordIsRefusedWithTheKnownOnes) {
  Options o = choosing("encoder,rank", false);
  try {
    train(tailed_table(50), tailed_roles(), o, false, {});
    FAIL() << "no error";
  } catch (const Error& e) {
    EXPECT_EQ(ErrorKind::usage, e.kind());
    const std::string said = e.what();
    EXPECT_NE(said.find("--choose: unknown setting 'rank'"), std::string::npos) << said;
    EXPECT_NE(said.find("did you mean 'ranks'"), std::string::npos) << said;
  }
}

// Steps so small that both ways stay the kriging they start from, which knows no weights: what is
// chosen goes by the weights of the rows held back alone.
TEST(Choose, AreChosenByTheWeightsOfTheRowsHeldBack) {
  Options o = choosing("none", false);
  o.learning_rate = 1e-12;
  o.steps = 1;
  o.part.set("far-members", 0);
  o.k = 4;
  Options wider = o;
  wider.k = 8;
  Table table = test::smooth_table(200);
  Roles roles = test::smooth_roles(false);
  const TrainResult narrow = train(table, roles, o, false, {}),
                    wide = train(table, roles, wider, false, {});
  ASSERT_EQ(narrow.shown_rows, wide.shown_rows);
  for (const bool for_wide : {false, true}) {
    std::vector<double> weight(200, 1.0);
    for (std::size_t i = 0; i < narrow.shown_rows.size(); ++i) {
      const double y = narrow.observed[i];
      const bool wide_is_better =
          std::abs(wide.predicted[i] - y) < std::abs(narrow.predicted[i] - y);
      weight[static_cast<std::size_t>(narrow.shown_rows[i])] =
          wide_is_better == for_wide ? 1 : 1e-6;
    }
    Table weighed = test::smooth_table(200);
    weighed.add("w", weight);
    roles.weight = "w";
    o.choose = "k";
    Notes notes;
    EXPECT_EQ(for_wide ? 8 : 4, chosen(weighed, roles, o, notes).k) << notes.notes;
  }
}

}  // namespace
}  // namespace pegnn
