#include "flow/predicted_table.h"

#include <gtest/gtest.h>

#include "base/atomic_file.h"
#include "model/state.h"
#include "pegnn/log.h"
#include "pegnn/train.h"
#include "support/gdal.h"
#include "support/options.h"
#include "support/refused.h"
#include "support/tables.h"

namespace pegnn {
namespace {

class PredictedTableTest : public ::testing::Test {
 protected:
  std::string file(const std::string& text) const {
    write_file(folder_ / "places.csv", text);
    return (folder_ / "places.csv").string();
  }
  // What comes out.
  std::string predict(const PredictRequest& request) {
    std::string taken;
    RowOutput out("-", {}, false, [&](std::string_view text) { taken += text; });
    PredictedTable table(model_, request, out, silent_log());
    done_ = table.write(
        {.threads = 2}, [&](std::int64_t rows, double) { told_ = rows; }, log_);
    return taken;
  }

  class Warnings final : public Log {
   public:
    void note(std::string_view) override {}
    void warn(std::string_view text) override { texts.emplace_back(text); }
    void detail(std::string_view) override {}
    std::vector<std::string> texts;
  };

  test::Folder folder_;
  Model model_ = train(test::smooth_table(50), test::smooth_roles(false),
                       test::small_model("mean", 1), false, {.threads = 1})
                     .model;
  PredictedTable::Done done_;
  Warnings log_;
  std::int64_t told_ = 0;
};

TEST_F(PredictedTableTest, RowsComeBackWithTheirPrediction) {
  const std::string out =
      predict({.table = {.table = file("lon,lat,name\n11,46,a\n12,47,b\n")}, .mean_only = true});
  EXPECT_TRUE(out.starts_with("lon,lat,name,pred\n11,46,a,")) << out;
  EXPECT_EQ(2, done_.rows);
  EXPECT_EQ(2, told_);
}

TEST_F(PredictedTableTest, ARowThatLacksAPlaceIsRefusedOrEmpty) {
  PredictRequest request{
      .table = {.table = file("lon,lat\n11,46\n12,\n")}, .column = "z", .mean_only = true};
  test::refusal([&] { predict(request); }, ErrorKind::data);
  request.drop_missing = true;
  const std::string out = predict(request);
  EXPECT_TRUE(out.starts_with("lon,lat,z\n")) << out;
  EXPECT_TRUE(out.ends_with("\n12,,\n")) << out;
  EXPECT_EQ(1, done_.rows);
  EXPECT_EQ(2, told_);
}

TEST_F(PredictedTableTest, AResidualNeedsTheTarget) {
  const std::string out = predict(
      {.table = {.table = file("lon,lat,y\n11,46,20\n")}, .mean_only = true, .residual = true});
  EXPECT_TRUE(out.starts_with("lon,lat,y,pred,pred_residual\n")) << out;
  const std::string bare = file("lon,lat\n11,46\n");
  EXPECT_EQ("--residual needs the observations: " + bare + " has no column 'y', the model's target",
            test::refusal([&] { predict({.table = {.table = bare}, .residual = true}); }));
}

TEST_F(PredictedTableTest, RowsFarFromTheTrainingPointsAreWarnedOfOnceAtTheEnd) {
  std::string rows = "lon,lat\n11,46\n";
  for (int i = 0; i < 50; ++i) rows += "-60,-50\n";
  predict({.table = {.table = file(rows)}, .drop_missing = true});
  ASSERT_EQ(1U, log_.texts.size());
  const std::string& said = log_.texts[0];
  EXPECT_TRUE(said.starts_with("50 of 51 rows lie outside the area of applicability: up to "));
  EXPECT_TRUE(
      said.ends_with(" is usual; --applicability adds the distance of each and whether it does"))
      << said;
  log_.texts.clear();
  predict({.table = {.table = file(rows)}, .count_outside = false});
  predict({.table = {.table = file("lon,lat\n11,46\n11.2,46.1\n")}});
  EXPECT_TRUE(log_.texts.empty());
  predict({.table = {.table = file(rows)}, .applicability = true});
  ASSERT_EQ(1U, log_.texts.size());
  EXPECT_TRUE(log_.texts[0].ends_with(" is usual")) << log_.texts[0];
}

TEST_F(PredictedTableTest, ApplicabilityIsTwoColumnsMore) {
  PredictRequest request{.table = {.table = file("lon,lat,y\n11,46,2\n-60,-50,3\n,46,1\n")},
                         .drop_missing = true,
                         .column = "z",
                         .mean_only = true,
                         .residual = true,
                         .applicability = true};
  const std::string out = predict(request);
  EXPECT_TRUE(out.starts_with("lon,lat,y,z,z_distance,z_aoa,z_residual\n11,46,2,")) << out;
  EXPECT_TRUE(out.ends_with("\n,46,1,,,,\n")) << out;
  EXPECT_NE(std::string::npos, out.find(",1,", out.find("\n11,46"))) << out;
  const std::string table = file("lon,lat,z_aoa\n11,46,1\n");
  request.residual = false;
  EXPECT_EQ(table + " has a column 'z_aoa' already; --column names the new one",
            test::refusal([&] { predict(request); }));
}

TEST_F(PredictedTableTest, AModelWithoutItsTrainingPointsCannotTell) {
  ModelState without = model_.state();
  without.points.clear();
  model_ = Model(std::move(without));
  const std::string table = file("lon,lat\n-60,-50\n");
  predict({.table = {.table = table}});
  EXPECT_TRUE(log_.texts.empty());
  const std::string said =
      test::refusal([&] { predict({.table = {.table = table}, .applicability = true}); });
  EXPECT_NE(std::string::npos, said.find("does not keep its training points")) << said;
}

TEST_F(PredictedTableTest, AColumnOfThatNameStaysWhatItIs) {
  const std::string table = file("lon,lat,pred\n11,46,1\n");
  EXPECT_EQ(table + " has a column 'pred' already; --column names the new one",
            test::refusal([&] { predict({.table = {.table = table}}); }));
}

}  // namespace
}  // namespace pegnn
