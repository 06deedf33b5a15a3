#include "model/rank_tensors.h"

#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "pegnn/error.h"

namespace pegnn {
namespace {

std::vector<RankScale> two_features() { return {fit_ranks({3, 1, 2, 2}), fit_ranks({5, 5, 5})}; }

TensorFile file_of(const std::vector<RankScale>& ranks) {
  TensorFile file;
  add_ranks(ranks, file);
  return decode_tensors(encode_tensors(file), "m.safetensors");
}

std::string refusal(const TensorFile& file, std::int64_t features) {
  try {
    read_ranks(file, features);
  } catch (const Error& e) {
    EXPECT_EQ(ErrorKind::model, e.kind()) << e.what();
    return e.what();
  }
  return "accepted";
}

TEST(RankTensors, ComeBackAsTheyWere) {
  EXPECT_EQ(read_ranks(file_of(two_features()), 2), two_features());
  EXPECT_TRUE(read_ranks(file_of({}), 0).empty());
}

TEST(RankTensors, OfAnotherNumberOfFeaturesAreRefused) {
  EXPECT_NE(refusal(file_of(two_features()), 3).find("scaler.rank_counts"), std::string::npos);
  EXPECT_NE(refusal(TensorFile("m.safetensors"), 1).find("scaler.rank_counts"), std::string::npos);
}

TEST(RankTensors, WithKnotsThatNoFitLeavesAreRefused) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double inf = std::numeric_limits<double>::infinity();
  const std::vector<RankScale> damaged = {
      {{1, 1}, {0, 1}},                // one value twice
      {{2, 1}, {0, 1}},                // values fall
      {{1, 2}, {1, 0}},                // scores fall
      {{1, nan}, {0, 1}},              // not numbers
      {{nan}, {0}},                    //
      {{1, 2}, {nan, 1}},              //
      {{1, inf}, {0, 1}},              //
      {{1, 2}, {-inf, 1}},             //
      {{-1.5e308, 1.5e308}, {-1, 1}},  // a way that is none
  };
  for (const RankScale& scale : damaged) {
    EXPECT_EQ(refusal(file_of({scale}), 1),
              "m.safetensors: tensor 'scaler.rank_knots' holds values that are not ascending "
              "numbers");
  }
}

TEST(RankTensors, WithCountsThatDoNotFitAreRefused) {
  EXPECT_NE(refusal(file_of({RankScale{}}), 1).find("number of knots"), std::string::npos);
  for (const std::int64_t count : {-1L, 0L, 3L, 1025L, 1L << 62}) {
    TensorFile file("m.safetensors");
    file.add("scaler.rank_counts", {1, 1}, std::span<const std::int64_t>(&count, 1));
    const std::vector<double> knots = {1, 0, 2, 1};
    file.add("scaler.rank_knots", {2, 2}, std::span<const double>(knots));
    EXPECT_NE(refusal(file, 1).find("scaler.rank_"), std::string::npos) << count;
  }
}

}  // namespace
}  // namespace pegnn
