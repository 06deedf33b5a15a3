#include "train/snapshot.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string>

#include <unistd.h>

#include <gtest/gtest.h>

#include "model/safetensors.h"
#include "pegnn/error.h"
#include "support/forged_file.h"

namespace pegnn {
namespace {

class StoredSnapshot : public testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove(file_); }

  static Snapshot some() {
    Snapshot s;
    s.fingerprint = "whose";
    TrainState& begun = s.begun["member 2"];
    begun.step = 30;
    begun.looks_without_gain = 2;
    begun.best_step = 10;
    begun.best_validation = std::nan("");
    begun.sums[0] = 1;
    begun.sums[1] = 2;
    begun.sums[2] = 3;
    begun.summed = 5;
    begun.parameters = {1, 2};
    begun.first_moment = {3, 4};
    begun.second_moment = {5, 6};
    begun.best_parameters = {7, 8};
    begun.averaged = {9, 10};
    s.begun["far member 1"] = begun;
    s.begun["far member 1"].step = 31;
    TrainedNetwork &first = s.done["member 1"], &second = s.done["trying dropout 0.3"];
    first.parameters = {0.5F, 0.25F, 0.125F};
    first.held.predicted = {1, 2, 3};
    first.steps = 12;
    first.best_validation = 0.1;
    first.curve = {{.step = 6, .loss = 0.5}, {.step = 12, .loss = 0.25}};
    second.held = {{}, {}, {4}, {5}, {0.5F}};
    second.best_validation = std::nan("");
    return s;
  }
  std::string refusal() const {
    try {
      load_snapshot(file_);
    } catch (const Error& e) {
      EXPECT_EQ(ErrorKind::model, e.kind());
      return e.what();
    }
    return "accepted";
  }

  std::filesystem::path file_ = std::filesystem::temp_directory_path() /
                                ("pegnn_stored_" + std::to_string(::getpid()) + ".safetensors");
};

TEST_F(StoredSnapshot, ComesBackWithAllItsTasks) {
  const Snapshot was = some();
  save_snapshot(was, file_);
  const Snapshot is = load_snapshot(file_);
  EXPECT_EQ(was.fingerprint, is.fingerprint);
  ASSERT_EQ(2U, is.begun.size());
  for (const auto& [key, state] : was.begun) {
    const TrainState& back = is.begun.at(key);
    EXPECT_EQ(state.step, back.step);
    EXPECT_EQ(state.looks_without_gain, back.looks_without_gain);
    EXPECT_EQ(state.best_step, back.best_step);
    EXPECT_TRUE(std::isnan(back.best_validation));
    EXPECT_EQ(3, back.sums[2]);
    EXPECT_EQ(state.summed, back.summed);
    EXPECT_EQ(state.averaged, back.averaged);
    EXPECT_EQ(state.best_parameters, back.best_parameters);
  }
  ASSERT_EQ(2U, is.done.size());
  for (const auto& [key, network] : was.done) {
    const TrainedNetwork& back = is.done.at(key);
    EXPECT_EQ(network.parameters, back.parameters);
    EXPECT_EQ(network.held.predicted, back.held.predicted);
    EXPECT_EQ(network.held.smooth, back.held.smooth);
    EXPECT_EQ(network.held.gaps, back.held.gaps);
    EXPECT_EQ(network.steps, back.steps);
    EXPECT_EQ(network.best_step, back.best_step);
    EXPECT_EQ(network.curve.size(), back.curve.size());
  }
  EXPECT_EQ(0.25, is.done.at("member 1").curve[1].loss);
  EXPECT_TRUE(std::isnan(is.done.at("trying dropout 0.3").best_validation));
}

TEST_F(StoredSnapshot, WithAveragesOfAnotherSizeIsRefused) {
  Snapshot s = some();
  s.begun.at("member 2").averaged.push_back(1);
  save_snapshot(s, file_);
  EXPECT_NE(refusal().find("tensor 'begun.member 2.averaged' does not fit"), std::string::npos);
}

TEST_F(StoredSnapshot, OfATaskThatIsNotWholeIsRefused) {
  save_snapshot(some(), file_);
  const TensorFile whole = load_tensors(file_);
  TensorFile cut;
  cut.metadata = whole.metadata;
  for (const TensorInfo& t : whole.tensors()) {
    if (t.name == "done.trying dropout 0.3.parameters") continue;
    if (t.dtype == Dtype::f32) {
      cut.add(t.name, t.shape, std::span<const float>(whole.values<float>(t.name)));
    } else if (t.dtype == Dtype::f64) {
      cut.add(t.name, t.shape, std::span<const double>(whole.values<double>(t.name)));
    } else {
      cut.add(t.name, t.shape, std::span<const std::int64_t>(whole.values<std::int64_t>(t.name)));
    }
  }
  save_tensors(cut, file_);
  EXPECT_NE(refusal().find("done.trying dropout 0.3.parameters"), std::string::npos) << refusal();
}

TEST_F(StoredSnapshot, OfAnotherFormatIsRefused) {
  TensorFile old;
  old.metadata["pegnn.snapshot"] = "4";
  save_tensors(old, file_);
  EXPECT_NE(refusal().find("a snapshot of another version of pegnn, in format 4; this is pegnn"),
            std::string::npos)
      << refusal();
  EXPECT_NE(refusal().find("start anew with --overwrite"), std::string::npos);
}

// Every number of a snapshot exchanged, with checksums that fit: refused by the name of its tensor,
// or one that a run could have written.
TEST_F(StoredSnapshot, WithOtherNumbersIsRefusedByNameOrSound) {
  const test::ForgedFile original(encode_tensors(to_tensors(some())));
  int refused = 0;
  const auto attempt = [&](test::ForgedFile forged, std::size_t t, std::size_t at,
                           const auto& number) {
    std::memcpy(forged.tensors[t].data.data() + at, &number, sizeof number);
    const std::string& name = forged.tensors[t].name;
    try {
      const Snapshot s = snapshot_of(decode_tensors(forged.bytes(), "s"));
      for (const auto& [key, b] : s.begun) {
        EXPECT_GE(std::min({b.step, b.looks_without_gain, b.best_step, b.summed}), 0) << name;
        for (const float p : b.parameters) EXPECT_TRUE(std::isfinite(p)) << name;
      }
    } catch (const Error& e) {
      EXPECT_EQ(ErrorKind::model, e.kind());
      EXPECT_NE(std::string(e.what()).find("s: tensor '"), std::string::npos) << e.what();
      ++refused;
    }
  };
  for (std::size_t t = 0; t < original.tensors.size(); ++t) {
    const std::string& dtype = original.tensors[t].fields[0].second;
    const std::size_t size = original.tensors[t].data.size();
    for (std::size_t at = 0; at < size; at += dtype == "\"F32\"" ? 4U : 8U) {
      if (dtype == "\"F32\"") {
        for (const float v : {NAN, INFINITY, 3e38F}) attempt(original, t, at, v);
      } else if (dtype == "\"F64\"") {
        for (const double v : {std::nan(""), -1.0, 1e308, 1e-320}) attempt(original, t, at, v);
      } else {
        for (const std::int64_t v : {-1L, INT64_MAX, INT64_MIN, 1L << 31}) {
          attempt(original, t, at, v);
        }
      }
    }
  }
  EXPECT_GT(refused, 30);
}

}  // namespace
}  // namespace pegnn
