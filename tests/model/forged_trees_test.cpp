// Boosted trees whose bytes were changed, with every checksum made to fit: refused, or trees that
// answer like any others. The tree library itself would follow such links anywhere.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/philox.h"
#include "baseline/trees.h"
#include "pegnn/error.h"
#include "pegnn/model.h"
#include "support/forged_file.h"
#include "support/model_files.h"

namespace pegnn {
namespace {

constexpr std::size_t kChecksumBytes = 8;

// FNV-1a over the trees, lowest byte first, as docs/model_format.md has it.
void seal(std::string& data) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (std::size_t i = kChecksumBytes; i < data.size(); ++i) {
    hash = (hash ^ static_cast<unsigned char>(data[i])) * 0x100000001b3U;
  }
  for (std::size_t i = 0; i < kChecksumBytes; ++i) data[i] = static_cast<char>(hash >> (8 * i));
}

class ForgedTrees : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (!trees_available()) GTEST_SKIP() << "this build has no XGBoost";
  }
  // Whether the model loads; it is then asked.
  static bool loads(test::ForgedFile& forged) {
    try {
      const Model model = Model::from_bytes(forged.bytes(), "m");
      const std::vector<double> answers =
          model.predict({{11, 46}, {12, 48}}, {0.1, 0.2, 0.3, 0.4}, {.threads = 1});
      for (const double v : answers) EXPECT_TRUE(std::isfinite(v));
      return true;
    } catch (const Error& e) {
      EXPECT_EQ(ErrorKind::model, e.kind()) << e.what();
      EXPECT_NE(std::string(e.what()).find("'trees'"), std::string::npos) << e.what();
      return false;
    }
  }
};

TEST_P(ForgedTrees, AreRefusedOrAnswer) {
  const auto& files = test::model_files();
  const test::ForgedFile original(
      std::ranges::find(files, GetParam(), &test::ModelFile::name)->bytes);
  const Rng rng{7, Stream::sample};
  int loaded = 0;
  constexpr std::uint64_t kTries = 3000;
  for (std::uint64_t attempt = 0; attempt < kTries && !HasFailure(); ++attempt) {
    test::ForgedFile forged = original;
    std::string& data = forged.find("baseline.trees")->data;
    const auto at = kChecksumBytes +
                    static_cast<std::size_t>(rng.uniform(attempt, 0) *
                                             static_cast<double>(data.size() - kChecksumBytes));
    const auto byte = static_cast<unsigned>(256 * rng.uniform(attempt, 1));
    const auto flipped = static_cast<unsigned char>(data[at]) ^ (1U << byte % 8);
    data[at] = static_cast<char>(attempt % 2 == 0 ? byte : flipped);
    seal(data);
    SCOPED_TRACE("try " + std::to_string(attempt) + ", byte " + std::to_string(at));
    loaded += loads(forged) ? 1 : 0;
  }
  // Weights of leaves and sums of gradients may be other numbers; links, counts and names may not.
  EXPECT_LT(loaded, static_cast<int>(kTries * 3 / 4));
}

TEST_P(ForgedTrees, OfNothingButDepthAreRefused) {
  const auto& files = test::model_files();
  test::ForgedFile forged(std::ranges::find(files, GetParam(), &test::ModelFile::name)->bytes);
  // As many bytes as before, so that nothing else moves: lists of lists, and objects in objects.
  std::string& data = forged.find("baseline.trees")->data;
  for (const std::string& piece : {std::string("["), std::string("[#L\0\0\0\0\0\0\0\1", 11),
                                   std::string("{L\0\0\0\0\0\0\0\1a", 11)}) {
    for (std::size_t i = kChecksumBytes; i < data.size(); ++i) {
      data[i] = piece[(i - kChecksumBytes) % piece.size()];
    }
    seal(data);
    EXPECT_FALSE(loads(forged));
  }
}

INSTANTIATE_TEST_SUITE_P(Of, ForgedTrees, testing::Values("boosting", "boosting_labels"));

}  // namespace
}  // namespace pegnn
