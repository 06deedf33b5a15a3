#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "model/preset.h"
#include "model/state.h"
#include "pegnn/error.h"
#include "pegnn/train.h"
#include "support/options.h"
#include "support/tables.h"

namespace pegnn {
namespace {

Options quick() { return test::small_model("pe-gcn"); }

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

Options ranked_and_bent() {
  Options o = quick();
  o.ranks = true;
  o.target_transform = "asinh";
  return o;
}

TEST(ModelState, SurvivesItsFileWithRanksAndATransform) {
  const TrainResult trained =
      train(test::smooth_table(60), test::smooth_roles(), ranked_and_bent(), false, {.threads = 1});
  const std::string bytes = encode_tensors(to_tensors(trained.model.state()));
  const ModelState back = from_tensors(decode_tensors(bytes, "m"));
  const Scaler& was = trained.model.state().scaler;
  EXPECT_EQ(was.target.transform, TargetTransform::asinh);
  EXPECT_EQ(was.target, back.scaler.target);
  EXPECT_EQ(was.width(), 4);
  EXPECT_EQ(was.ranks, back.scaler.ranks);
  EXPECT_EQ(was.limit, back.scaler.limit);
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
    Array<std::int64_t> shape = tensor.shape;
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
  EXPECT_EQ(refusal(), "m.safetensors: metadata 'pegnn.model': not valid JSON at byte 13");
  file_.metadata["pegnn.model"] = "[]";
  EXPECT_EQ(refusal(), "m.safetensors: metadata 'pegnn.model' is not an object");
}

TEST_F(EditedModel, WithACountThatIsNoneIsRefused) {
  const std::string steps = "\"steps\":" + std::to_string(trained_->model.state().steps);
  const auto text = file_.metadata["pegnn.model"];
  for (const char* value : {"1e300", "-1e300", "2.5", "-1", "18446744073709551615", "\"3\""}) {
    edit(steps, std::string("\"steps\":") + value);
    EXPECT_NE(refusal().find("training.steps is not a whole number"), std::string::npos)
        << refusal();
    file_.metadata["pegnn.model"] = text;
  }
  edit("\"rows\":60", "\"rows\":1e19");
  EXPECT_NE(refusal().find("table.rows is not a whole number"), std::string::npos) << refusal();
}

TEST_F(EditedModel, WithAScalerThatDividesByZeroIsRefused) {
  const std::string& text = file_.metadata["pegnn.model"];
  const auto at = text.find("\"target\":[");
  ASSERT_NE(at, std::string::npos);
  const auto end = text.find(']', at);
  file_.metadata["pegnn.model"].replace(at, end - at, "\"target\":[0.0,0.0");
  EXPECT_NE(refusal().find("scaler"), std::string::npos);
}

TEST_F(EditedModel, OfAProgramThatKnewNeitherRanksNorTransformsIsRead) {
  edit("\"ranks\":\"false\",", "");
  edit("\"target-transform\":\"none\",", "");
  const ModelState back = from_tensors(decode_tensors(encode_tensors(file_), "m"));
  EXPECT_EQ(trained_->model.state().options, back.options);
  EXPECT_EQ(trained_->model.state().scaler.target, back.scaler.target);
  EXPECT_EQ(2, back.scaler.width());
}

TEST_F(EditedModel, KeepsTheColumnOfWeightsWhereThereIsOne) {
  EXPECT_EQ(file_.metadata["pegnn.model"].find("\"weight\":"), std::string::npos);
  ModelState state = from_tensors(decode_tensors(encode_tensors(file_), "m"));
  EXPECT_EQ(state.roles.weight, "");
  state.roles.weight = "sure";
  const std::string bytes = encode_tensors(to_tensors(state));
  EXPECT_EQ(from_tensors(decode_tensors(bytes, "m")).roles.weight, "sure");
}

TEST_F(EditedModel, WithRanksThatItDoesNotHoldIsRefused) {
  edit("\"ranks\":\"false\"", "\"ranks\":\"true\"");
  EXPECT_NE(refusal().find("scaler.rank_counts"), std::string::npos);
}

TEST_F(EditedModel, WithATransformThatCannotBeUndoneIsRefused) {
  edit("\"target-transform\":\"none\"", "\"target-transform\":\"asinh\"");
  EXPECT_NE(refusal().find("scaler.asinh is missing"), std::string::npos);
  edit("\"scaler\":{", "\"scaler\":{\"asinh\":[1.5,0.0,-3.0,3.0],");
  EXPECT_NE(refusal().find("scaler.asinh[1] is not above 0"), std::string::npos);
  edit("[1.5,0.0,", "[1.5,-2.0,");
  EXPECT_NE(refusal().find("scaler.asinh[1] is not above 0"), std::string::npos);
  edit("[1.5,-2.0,", "[1.5,2.0,");
  EXPECT_EQ(refusal(), "accepted");
  edit("-3.0,3.0]", "3.0,-3.0]");
  EXPECT_NE(refusal().find("reversed"), std::string::npos);
  edit("3.0,-3.0]", "-3.0]");
  EXPECT_NE(refusal().find("scaler.asinh is not a list of 4"), std::string::npos);
}

TEST_F(EditedModel, WithALimitThatCutsOffEverythingIsRefused) {
  edit("\"scaler\":{", "\"scaler\":{\"limit\":-8.0,");
  EXPECT_NE(refusal().find("limit"), std::string::npos);
}

TEST(Options, AVarianceInUnitsThatATransformDoesNotKeepIsRefused) {
  Options o;
  o.target_transform = "asinh";
  o.nugget = 0;  // none at all is none in any units
  EXPECT_NO_THROW(check_options(o));
  o.sill = 2;
  try {
    check_options(o);
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(ErrorKind::usage, e.kind());
    EXPECT_STREQ(
        "--sill is in squared units of the target, which --target-transform asinh does not keep; "
        "leave one of them out",
        e.what());
  }
  o.target_transform = "none";
  EXPECT_NO_THROW(check_options(o));
}

TEST(Presets, EachIsComplete) {
  for (const PresetEntry* entry : presets()) {
    EXPECT_NO_THROW(check_options(entry->make())) << entry->info.name;
  }
  EXPECT_EQ("label_attention", preset("default").backbone);
  const Options reference = preset("reference");
  EXPECT_EQ(1e-6, reference.sigma_min);
  EXPECT_EQ("test-only", reference.graph);
  EXPECT_THROW(preset("papr"), Error);
}

}  // namespace
}  // namespace pegnn
