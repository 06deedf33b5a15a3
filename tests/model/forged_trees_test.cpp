// Boosted trees whose numbers were changed, with checksums made to fit: refused, or trees that
// answer like any others.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/philox.h"
#include "baseline/tree_learner.h"
#include "pegnn/error.h"
#include "pegnn/model.h"
#include "support/forged_file.h"
#include "support/model_files.h"

namespace pegnn {
namespace {

class ForgedTrees : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (!can_learn_trees()) GTEST_SKIP() << "this build has no XGBoost";
  }
  static test::ForgedFile original() {
    const auto& files = test::model_files();
    return test::ForgedFile(std::ranges::find(files, GetParam(), &test::ModelFile::name)->bytes);
  }
  // Whether the model loads; it is then asked.
  static bool loads(const test::ForgedFile& forged) {
    try {
      const Model model = Model::from_bytes(forged.bytes(), "m");
      const std::vector<double> answers =
          model.predict({{11, 46}, {12, 48}}, {0.1, 0.2, 0.3, 0.4}, {.threads = 1});
      for (const double v : answers) EXPECT_TRUE(std::isfinite(v));
      return true;
    } catch (const Error& e) {
      EXPECT_EQ(ErrorKind::model, e.kind()) << e.what();
      const std::string what = e.what();
      EXPECT_TRUE(what.find("'nodes'") != std::string::npos ||
                  what.find("'trees'") != std::string::npos)
          << what;
      return false;
    }
  }
};

TEST_P(ForgedTrees, AreRefusedOrAnswer) {
  const test::ForgedFile file = original();
  const Rng rng{7, Stream::sample};
  int loaded = 0;
  constexpr std::uint64_t kTries = 3000;
  for (std::uint64_t attempt = 0; attempt < kTries && !HasFailure(); ++attempt) {
    test::ForgedFile forged = file;
    std::string& data = forged.find(attempt % 10 == 0 ? "baseline.trees" : "baseline.nodes")->data;
    const std::size_t at = rng.below(data.size(), attempt, 0);
    const auto byte = static_cast<unsigned>(rng.below(256, attempt, 1));
    const auto flipped = static_cast<unsigned char>(data[at]) ^ (1U << byte % 8);
    data[at] = static_cast<char>(attempt % 2 == 0 ? byte : flipped);
    SCOPED_TRACE("try " + std::to_string(attempt) + ", byte " + std::to_string(at));
    loaded += loads(forged) ? 1 : 0;
  }
  // Thresholds and answers may be other numbers; links, columns and roots hardly.
  EXPECT_LT(loaded, static_cast<int>(kTries * 3 / 4));
  EXPECT_GT(loaded, static_cast<int>(kTries / 10));
}

TEST_P(ForgedTrees, WhoseNumbersAreAnyOtherAreRefusedOrAnswer) {
  const test::ForgedFile file = original();
  constexpr double kOdd[] = {0,          1,           2,          6,    -1,    0.5,
                             2147483647, -2147483648, 4294967296, 1e30, -1e300};
  int loaded = 0, refused = 0;
  for (const char* const name : {"baseline.trees", "baseline.nodes"}) {
    test::ForgedFile forged = file;
    std::string& data = forged.find(name)->data;
    const std::string whole = data;
    for (std::size_t at = 0; at < data.size() && !HasFailure(); at += sizeof(double)) {
      for (const double odd : kOdd) {
        SCOPED_TRACE(std::string(name) + " " + std::to_string(at / sizeof odd));
        std::memcpy(data.data() + at, &odd, sizeof odd);
        (loads(forged) ? loaded : refused) += 1;
      }
      data = whole;
    }
  }
  EXPECT_GT(loaded, 0);
  EXPECT_GT(refused, loaded);
}

TEST_P(ForgedTrees, WithNodesMoreOrFewerAreRefused) {
  const test::ForgedFile file = original();
  for (const std::string name : {"baseline.trees", "baseline.nodes"}) {
    const auto found = std::ranges::find(file.tensors, name, &test::ForgedFile::Tensor::name);
    const std::int64_t all = test::ForgedFile::shape(*found)[0];
    for (std::int64_t rows = 0; rows < all + 10; ++rows) {
      test::ForgedFile forged = file;
      forged.set_rows(static_cast<std::size_t>(found - file.tensors.begin()), rows);
      // The last of fewer trees ends with nodes that no row comes to.
      const bool sound = rows == all || (name == "baseline.trees" && rows > 0 && rows < all);
      EXPECT_EQ(sound, loads(forged)) << name << " of " << rows << " rows";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Of, ForgedTrees, testing::Values("boosting", "boosting_labels"));

}  // namespace
}  // namespace pegnn
