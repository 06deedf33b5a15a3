#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "model/preset.h"
#include "model/state.h"
#include "pegnn/error.h"
#include "pegnn/train.h"
#include "support/tables.h"

namespace pegnn {
namespace {

Options quick() {
  Options o = preset("default");
  o.steps = 20;
  o.evaluate_every = 10;
  return o;
}

TEST(ModelState, SurvivesItsFile) {
  const TrainResult trained =
      train(test::smooth_table(120), test::smooth_roles(), quick(), false, {.threads = 1});
  const std::string bytes = encode_tensors(to_tensors(trained.model.state()));
  const ModelState back = from_tensors(decode_tensors(bytes, "m"));
  const ModelState& was = trained.model.state();
  EXPECT_EQ(was.options, back.options);
  EXPECT_EQ(was.parameters, back.parameters);
  EXPECT_EQ(was.points, back.points);
  EXPECT_EQ(was.features, back.features);
  EXPECT_EQ(was.roles.features, back.roles.features);
  EXPECT_EQ(was.scaler.target, back.scaler.target);
  EXPECT_EQ(was.best_validation, back.best_validation);
  EXPECT_EQ(bytes, encode_tensors(to_tensors(back)));
}

// A file whose container is whole but whose content does not fit together.
class EditedModel : public testing::Test {
 protected:
  void SetUp() override {
    trained_.emplace(
        train(test::smooth_table(60), test::smooth_roles(), quick(), false, {.threads = 1}));
    file_ = to_tensors(trained_->model.state());
  }
  std::string refusal() {
    try {
      from_tensors(decode_tensors(encode_tensors(file_), "m.safetensors"));
    } catch (const Error& e) {
      EXPECT_EQ(ErrorKind::model, e.kind()) << e.what();
      return e.what();
    }
    return "accepted";
  }
  void edit(const std::string& from, const std::string& to) {
    std::string& text = file_.metadata["pegnn.model"];
    const auto at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    text.replace(at, from.size(), to);
  }
  std::optional<TrainResult> trained_;  // the file borrows from it
  TensorFile file_;
};

TEST_F(EditedModel, OfANewerFormatIsRefusedWithItsNumber) {
  file_.metadata["pegnn.format"] = "99";
  EXPECT_NE(refusal().find("model format 99"), std::string::npos);
}

TEST_F(EditedModel, WithoutAFormatIsNoModel) {
  file_.metadata["pegnn.format"] = "x";
  EXPECT_NE(refusal().find("not a pegnn model"), std::string::npos);
}

TEST_F(EditedModel, WithAnUnknownPartIsRefused) {
  edit("\"gcn\"", "\"gin\"");
  EXPECT_NE(refusal().find("unknown backbone 'gin'"), std::string::npos);
}

TEST_F(EditedModel, WithAWiderNetworkThanItsTensorsIsRefused) {
  edit("\"width\":\"32\"", "\"width\":\"33\"");
  EXPECT_NE(refusal().find("backbone.0.weight"), std::string::npos);
}

TEST_F(EditedModel, WithATransposedWeightIsRefused) {
  TensorFile edited;
  edited.metadata = file_.metadata;
  for (const TensorInfo& tensor : file_.tensors()) {
    std::vector<std::int64_t> shape = tensor.shape;
    if (tensor.name == "backbone.0.weight") std::swap(shape[0], shape[1]);
    if (tensor.dtype == Dtype::f64) {
      edited.add(tensor.name, shape, std::span<const double>(file_.values<double>(tensor.name)));
    } else {
      edited.add(tensor.name, shape, std::span<const float>(file_.values<float>(tensor.name)));
    }
  }
  file_ = edited;
  EXPECT_NE(refusal().find("'backbone.0.weight' is missing or not of the shape"),
            std::string::npos);
}

TEST_F(EditedModel, WithAnOptionOutOfRangeIsRefused) {
  edit("\"layers\":\"2\"", "\"layers\":\"2000\"");
  EXPECT_NE(refusal().find("2000"), std::string::npos);
}

TEST_F(EditedModel, WithDamagedJsonIsRefused) {
  file_.metadata["pegnn.model"] = "{\"options\": ";
  EXPECT_NE(refusal().find("damaged"), std::string::npos);
  file_.metadata["pegnn.model"] = "[]";
  EXPECT_NE(refusal().find("damaged"), std::string::npos);
}

TEST_F(EditedModel, WithAScalerThatDividesByZeroIsRefused) {
  const std::string& text = file_.metadata["pegnn.model"];
  const auto at = text.find("\"target\":[");
  ASSERT_NE(at, std::string::npos);
  const auto end = text.find(']', at);
  file_.metadata["pegnn.model"].replace(at, end - at, "\"target\":[0.0,0.0");
  EXPECT_NE(refusal().find("scaler"), std::string::npos);
}

TEST(Presets, EachIsComplete) {
  for (const PresetEntry* entry : presets()) {
    EXPECT_NO_THROW(check_options(entry->make())) << entry->info.name;
  }
  EXPECT_EQ(Options(), preset_options("default"));
  const Options reference = preset_options("reference");
  EXPECT_EQ(1e-6, reference.sigma_min);
  EXPECT_EQ("test-only", reference.graph);
  EXPECT_THROW(preset_options("papr"), Error);
}

}  // namespace
}  // namespace pegnn
