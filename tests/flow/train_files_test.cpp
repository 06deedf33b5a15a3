#include "flow/train_files.h"

#include <gtest/gtest.h>

#include "base/atomic_file.h"
#include "flow/model_text.h"
#include "support/combined.h"
#include "support/gdal.h"
#include "support/json.h"
#include "support/options.h"
#include "support/tables.h"

namespace pegnn {
namespace {

TrainResult trained(const std::string& model) {
  return train(test::smooth_table(60), test::smooth_roles(), test::small_model(model, 1), false,
               {.threads = 1});
}

TEST(TrainFiles, AllAreThereAndTheModelCanBeRead) {
  const test::Folder folder;
  OutputFolder out(folder / "model", false, false);
  const TrainResult result = trained("idw");
  write_train_files(result, Table("smooth.csv"), {.command = "pegnn train smooth.csv"}, out);
  out.finish();
  EXPECT_EQ("y", Model::load(out.model()).info().roles.target);
  EXPECT_NE(std::string::npos, read_file(out.options()).find("model = \"idw\""));
  EXPECT_EQ(metrics_lines(result.curve), read_file(out.metrics()));
  EXPECT_NE(std::string::npos, read_file(out.report()).find("pegnn train smooth.csv"));
}

TEST(TrainFiles, AReportMayBeLeftOut) {
  const test::Folder folder;
  const OutputFolder out(folder / "model", false, false);
  write_train_files(trained("idw"), Table("smooth.csv"), {.wanted = false}, out);
  EXPECT_FALSE(std::filesystem::exists(out.report()));
  EXPECT_TRUE(std::filesystem::exists(out.model()));
}

TEST(ModelText, TellsTheSameInTextAndJson) {
  const ModelInfo info = trained("gcn").model.info();
  const auto json = test::parse_json(model_json(info));
  EXPECT_EQ("gcn", json.at("model"));
  EXPECT_EQ("y", json.at("target"));
  EXPECT_EQ(60, json.at("rows"));
  EXPECT_EQ(2u, json.at("features").size());
  EXPECT_TRUE(json.at("weight").is_null());
  EXPECT_EQ("gcn", json.at("options").at("backbone"));
  const std::string text = model_text(info);
  EXPECT_TRUE(text.starts_with("gcn for 'y'\n")) << text;
  EXPECT_NE(std::string::npos, text.find("  features         a, b\n"));
}

TEST(ModelText, NamesTheParts) {
  const std::vector<std::string> parts{"mean", "knn"};
  const ModelInfo info = Model(test::combined_state(parts)).info();
  const auto json = test::parse_json(model_json(info));
  EXPECT_EQ("mean + knn", json.at("model"));
  EXPECT_EQ("knn", json.at("parts").at(1).at("model"));
  EXPECT_EQ(2, json.at("parts").at(0).at("parameters"));
  const std::string text = model_text(info);
  EXPECT_TRUE(text.starts_with("mean + knn for 'y'\n")) << text;
  EXPECT_NE(std::string::npos, text.find("  part 0           mean, 2 parameters: mean ")) << text;
}

}  // namespace
}  // namespace pegnn
