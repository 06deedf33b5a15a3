// Model files of networks that listen to labels: damage is found out before anything is predicted.

#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "model/state.h"
#include "pegnn/error.h"
#include "pegnn/train.h"
#include "support/options.h"
#include "support/tables.h"

namespace pegnn {
namespace {

class LabelFile : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    Options o = test::small_default(6, 2);
    o.choose = "none";
    o.ranks = false;
    trained_.emplace(train(test::smooth_table(60), test::smooth_roles(), o, false, {.threads = 1}));
  }
  static void TearDownTestSuite() { trained_.reset(); }

  // The file with some tensors of doubles put in place of its own; nothing: left out.
  using Edits = std::map<std::string, std::optional<std::vector<double>>>;
  static std::string refusal(const Edits& edits) {
    const TensorFile whole = to_tensors(trained_->model.state());
    TensorFile edited;
    edited.metadata = whole.metadata;
    std::size_t found = 0;
    for (const TensorInfo& t : whole.tensors()) {
      const auto edit = edits.find(t.name);
      if (edit != edits.end()) {
        ++found;
        if (!edit->second) continue;
        const auto size = static_cast<std::int64_t>(edit->second->size());
        edited.add(t.name, {1, size}, std::span<const double>(*edit->second));
      } else if (t.dtype == Dtype::f64) {
        edited.add(t.name, t.shape, std::span<const double>(whole.values<double>(t.name)));
      } else {
        edited.add(t.name, t.shape, std::span<const float>(whole.values<float>(t.name)));
      }
    }
    EXPECT_EQ(edits.size(), found);
    try {
      from_tensors(decode_tensors(encode_tensors(edited), "m.safetensors"));
    } catch (const Error& e) {
      EXPECT_EQ(ErrorKind::model, e.kind()) << e.what();
      return e.what();
    }
    return "accepted";
  }
  static void expect_refused(const std::string& tensor, const std::vector<double>& values) {
    const std::string said = refusal({{tensor, values}});
    EXPECT_NE(said.find(tensor), std::string::npos) << said;
    EXPECT_NE(said.find("m.safetensors"), std::string::npos) << said;
  }

  static std::optional<TrainResult> trained_;
};

std::optional<TrainResult> LabelFile::trained_;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST_F(LabelFile, AsItIsIsAccepted) { EXPECT_EQ("accepted", refusal({})); }

TEST_F(LabelFile, WithAUnitOrAShareThatCannotBeIsRefused) {
  EXPECT_EQ("accepted", refusal({{"labels.model", std::vector<double>{2, 0.3, 0.5, 1}}}));
  for (const double unit : {0.0, -1.0, kNan, kInfinity}) {
    expect_refused("labels.model", {unit, 0.3, 1, 1});
  }
  for (const double share : {-0.1, 1.1, kNan}) {
    expect_refused("labels.model", {1, share, 1, 1});
    expect_refused("labels.model", {1, 0.3, share, 1});
    expect_refused("labels.model", {1, 0.3, 1, share});
  }
  expect_refused("labels.model", {1, 0.3, 1});
  expect_refused("labels.model", {1, 0.3, 1, 1, 1});
}

TEST_F(LabelFile, WithACovarianceThatCannotBeIsRefused) {
  EXPECT_EQ("accepted", refusal({{"labels.process", std::vector<double>{1, 10, 2, 0}}}));
  for (const double kernel : {-1.0, 0.5, 4.0, 1e300, kNan}) {
    expect_refused("labels.process", {kernel, 10, 2, 0});
  }
  for (const double range : {0.0, -1.0, kNan, kInfinity}) {
    expect_refused("labels.process", {1, range, 2, 0});
  }
  for (const double variance : {-1.0, kNan, kInfinity}) {
    expect_refused("labels.process", {1, 10, variance, 0});
    expect_refused("labels.process", {1, 10, 2, variance});
  }
}

TEST_F(LabelFile, WithAMeanOfOtherFeaturesIsRefused) {
  EXPECT_EQ("accepted", refusal({{"labels.mean", std::vector<double>{1, 2, 3}}}));
  expect_refused("labels.mean", {1, 2});
  expect_refused("labels.mean", {1, 2, 3, 4});
  expect_refused("labels.mean", {});
  expect_refused("labels.mean", {1, kNan, 3});
}

TEST_F(LabelFile, WithoutATensorIsRefusedWithItsName) {
  for (const char* name : {"labels.model", "labels.process", "labels.mean", "training.labels",
                           "backbone.edge.weight", "member.1.backbone.edge.weight"}) {
    const std::string said = refusal({{name, std::nullopt}});
    EXPECT_NE(said.find(name), std::string::npos) << said;
  }
}

TEST_F(LabelFile, WithALabelThatIsNoNumberIsRefused) {
  ModelState state = trained_->model.state();
  state.labels[5] = std::numeric_limits<float>::quiet_NaN();
  try {
    from_tensors(to_tensors(state));
    FAIL() << "accepted";
  } catch (const Error& e) {
    EXPECT_EQ(ErrorKind::model, e.kind());
    EXPECT_NE(std::string(e.what()).find("labels"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace pegnn
