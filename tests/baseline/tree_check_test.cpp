// Trees that were changed on purpose, checksum included, are refused before the library sees them.

#include "baseline/tree_check.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "base/philox.h"
#include "baseline/trees.h"
#include "pegnn/error.h"

namespace pegnn {
namespace {

using Bytes = std::vector<std::uint8_t>;
constexpr std::size_t kChecksumBytes = 8;
constexpr std::int64_t kRows = 200, kColumns = 3;
constexpr std::size_t kTrees = 4;

std::vector<float> inputs() {
  const Rng rng{1, Stream::sample};
  std::vector<float> out;
  for (std::uint64_t i = 0; i < kRows * kColumns; ++i) {
    out.push_back(static_cast<float>(2 * rng.uniform(1, i) - 1));
  }
  return out;
}

Mat<const float> matrix(const std::vector<float>& values) {
  return {values.data(), kRows, kColumns};
}

// XGBoost's bytes, without the checksum.
Bytes learned() {
  const std::vector<float> x = inputs();
  std::vector<float> y;
  for (std::size_t i = 0; i < kRows; ++i) y.push_back(x[3 * i] * x[3 * i + 1] - x[3 * i + 2]);
  Trees trees;
  const RunSettings run;
  FitProgress progress(run);
  trees.fit({matrix(x), y}, {}, {.rounds = kTrees, .leaves = 6, .rate = 0.5}, progress);
  Arrays arrays;
  trees.store(arrays);
  const Bytes& all = arrays.list()[0].bytes;
  return {all.begin() + kChecksumBytes, all.end()};
}

// Behind a checksum that fits, as docs/model_format.md tells how to make it.
Arrays stored(const Bytes& model) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const std::uint8_t byte : model) hash = (hash ^ byte) * 0x100000001b3U;
  Bytes all;
  for (std::size_t i = 0; i < kChecksumBytes; ++i) {
    all.push_back(static_cast<std::uint8_t>(hash >> (8 * i)));
  }
  all.insert(all.end(), model.begin(), model.end());
  Arrays arrays;
  arrays.add_bytes("trees", std::move(all));
  return arrays;
}

std::vector<float> predictions(const Bytes& model) {
  const Arrays arrays = stored(model);
  Trees trees;
  trees.restore({arrays, "test"}, kColumns);
  const std::vector<float> x = inputs();
  std::vector<float> out(kRows);
  trees.predict(matrix(x), out);
  return out;
}

// Where what is called `name` begins, behind the name; the n-th of that name.
std::size_t behind(const Bytes& model, std::string_view name, std::size_t nth = 0) {
  std::string key = "L";
  key += std::string(7, '\0') + static_cast<char>(name.size());
  key += name;
  auto at = model.begin();
  for (std::size_t i = 0; i <= nth; ++i) {
    at = std::search(at, model.end(), key.begin(), key.end());
    if (at == model.end()) throw std::out_of_range(std::string(name));
    at += static_cast<std::ptrdiff_t>(key.size());
  }
  return static_cast<std::size_t>(at - model.begin());
}

constexpr std::size_t kListHead = 13;  // "[$l#L" and a count in eight bytes
constexpr std::size_t kTextHead = 10;  // "SL" and a count in eight bytes

void put(Bytes& model, std::size_t at, std::uint32_t bits) {
  for (std::size_t i = 0; i < 4; ++i) {
    model[at + i] = static_cast<std::uint8_t>(bits >> (24 - 8 * i));
  }
}
std::uint32_t get(const Bytes& model, std::size_t at) {
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < 4; ++i) bits = bits << 8 | model[at + i];
  return bits;
}
std::uint32_t bits_of(std::int32_t value) { return std::bit_cast<std::uint32_t>(value); }
std::uint32_t bits_of(float value) { return std::bit_cast<std::uint32_t>(value); }

// With one number of a list of the second tree changed.
template <class T>
Bytes with(Bytes model, std::string_view list, std::size_t node, T value) {
  put(model, behind(model, list, 1) + kListHead + 4 * node, bits_of(value));
  return model;
}

Bytes with_byte(Bytes model, std::string_view list, std::size_t node, std::uint8_t value) {
  model[behind(model, list, 1) + kListHead + node] = value;
  return model;
}

Bytes with_text(Bytes model, std::string_view name, std::string_view text, std::size_t nth = 0) {
  const std::size_t at = behind(model, name, nth);
  const std::size_t old = model[at + kTextHead - 1];
  model[at + kTextHead - 1] = static_cast<std::uint8_t>(text.size());
  const auto begin = model.begin() + static_cast<std::ptrdiff_t>(at + kTextHead);
  model.insert(model.erase(begin, begin + static_cast<std::ptrdiff_t>(old)), text.begin(),
               text.end());
  return model;
}

class TreeCheck : public testing::Test {
 protected:
  void SetUp() override {
    if (!trees_available()) GTEST_SKIP() << "this build has no XGBoost";
    model_ = learned();
  }

  static void expect_refused(const Bytes& model, std::string_view why) {
    try {
      predictions(model);
      ADD_FAILURE() << "was accepted, expected: " << why;
    } catch (const Error& e) {
      EXPECT_EQ(e.kind(), ErrorKind::model);
      const std::string what = e.what();
      EXPECT_NE(what.find("array 'trees' is damaged: "), std::string::npos) << what;
      EXPECT_NE(what.find(why), std::string::npos) << what;
    }
  }

  std::int32_t link(std::string_view list, std::size_t node) const {
    return std::bit_cast<std::int32_t>(get(model_, behind(model_, list, 1) + kListHead + 4 * node));
  }

  // A node of the second tree, not its root, that has children.
  std::size_t last_split() const { return static_cast<std::size_t>(link("parents", 10)); }
  Bytes with_children(std::size_t node, std::int32_t first) const {
    return with(with(model_, "left_children", node, first), "right_children", node, first + 1);
  }

  Bytes model_;
};

TEST_F(TreeCheck, TakesWhatTheLibraryWrote) {
  EXPECT_EQ(fault_of_trees(model_, kColumns), std::nullopt);
  const std::vector<float> got = predictions(model_);
  EXPECT_LT(*std::min_element(got.begin(), got.end()), -0.3F);
  EXPECT_GT(*std::max_element(got.begin(), got.end()), 0.3F);
}

TEST_F(TreeCheck, TakesAnotherLeafOrAnotherColumn) {
  // What is sound is taken, though nobody learned it.
  const std::vector<float> before = predictions(model_);
  EXPECT_NE(predictions(with(model_, "split_conditions", 10, 100.0F)), before);
  EXPECT_NE(predictions(with(model_, "split_indices", 0, (link("split_indices", 0) + 1) % 3)),
            before);
}

TEST_F(TreeCheck, RefusesAChildOutOfPlace) {
  for (const char* const side : {"left_children", "right_children"}) {
    for (const std::int32_t child : {1'000'000'000, -5, -1, 0, 10, 11, 2'147'483'647}) {
      expect_refused(with(model_, side, 0, child), "tree 2: a node has a child out of place");
    }
  }
  // The library takes the right child to stand next to the left one.
  const Bytes apart = with(with(model_, "left_children", 0, 10), "right_children", 0, 3);
  expect_refused(apart, "tree 2: a node has a child out of place");
}

TEST_F(TreeCheck, RefusesLinksInACircle) {
  const std::size_t node = last_split();
  expect_refused(with_children(node, 0), "tree 2: a node has a child out of place");
  expect_refused(with_children(node, static_cast<std::int32_t>(node)),
                 "tree 2: a node has a child out of place");
}

TEST_F(TreeCheck, RefusesNodesThatHangOnTwoOthersOrOnNone) {
  const std::size_t node = last_split();
  expect_refused(with_children(0, link("left_children", node)),
                 "tree 2: a node is not the parent of its children");
  const Bytes none = with(with(model_, "left_children", node, -1), "right_children", node, -1);
  expect_refused(none, "tree 2: a node hangs on no other");
  expect_refused(with(model_, "parents", 1, 5), "tree 2: a node is not the parent");
  expect_refused(with(model_, "parents", 1, 1'000'000), "tree 2: a node is not the parent");
  expect_refused(with(model_, "parents", 0, 4), "tree 2: its root has a parent");
}

TEST_F(TreeCheck, RefusesAColumnThatIsNotThere) {
  for (const std::int32_t column : {3, 1'000'000, -1, -7}) {
    expect_refused(with(model_, "split_indices", 0, column), "tree 2: a node asks for a column");
  }
}

TEST_F(TreeCheck, RefusesNumbersThatAreNotFiniteOrAddUpToOneThatIsNot) {
  for (const char* const list :
       {"split_conditions", "base_weights", "loss_changes", "sum_hessian"}) {
    for (const float bad : {std::nanf(""), std::numeric_limits<float>::infinity()}) {
      expect_refused(with(model_, list, 10, bad), "tree 2: a number of a node is not finite");
    }
  }
  expect_refused(with(model_, "split_conditions", 10, -3e38F), "its answers are too large");
}

TEST_F(TreeCheck, RefusesCategories) {
  expect_refused(with_byte(model_, "split_type", 0, 1), "tree 2: a node splits by category");
  expect_refused(with_byte(model_, "default_left", 0, 2), "tree 2: a node has no side");
}

TEST_F(TreeCheck, RefusesCountsThatDoNotFit) {
  for (const char* const count : {"10", "12", "0", "-11", "011", "2000000000", "eleven", ""}) {
    expect_refused(with_text(model_, "num_nodes", count, 2), "tree 3: 'num_nodes' is");
  }
  expect_refused(with_text(model_, "num_trees", "5"), "'num_trees' is 5, not 4");
  expect_refused(with_text(model_, "num_trees", "2000000000"), "'num_trees' is 2000000000");
  // The library divides by it.
  expect_refused(with_text(model_, "num_parallel_tree", "0"), "'num_parallel_tree'");
  expect_refused(with_text(model_, "num_deleted", "3", 1), "tree 2: 'num_deleted'");
  Bytes out_of_order = model_;
  out_of_order[behind(model_, "id", 1) + 1] = 3;
  expect_refused(out_of_order, "tree 2: it stands out of order");
  Bytes outputs = model_;
  outputs[behind(model_, "tree_info") + 12] = 7;  // behind "[#L", a count and "i"
  expect_refused(outputs, "a tree belongs to an output that is not there");
}

TEST_F(TreeCheck, TakesTheRoundsThatRelease2Adds) {
  // The first tree of every round, and where the last one ends; as a field before 'tree_info'.
  const auto with_rounds = [&](const std::vector<std::uint8_t>& rounds) {
    const auto length = [](std::size_t n) {  // below 256, as eight bytes behind 'L'
      return "L" + std::string(7, '\0') + static_cast<char>(n);
    };
    std::string added = length(16) + "iteration_indptr" + "[#" + length(rounds.size());
    for (const std::uint8_t round : rounds) {
      added += 'i';
      added += static_cast<char>(round);
    }
    Bytes model = model_;
    const std::size_t at = behind(model_, "tree_info") - 18;  // 'L', a length, the name
    model.insert(model.begin() + static_cast<std::ptrdiff_t>(at), added.begin(), added.end());
    return model;
  };
  EXPECT_EQ(predictions(with_rounds({0, 1, 2, 3, 4})), predictions(model_));
  expect_refused(with_rounds({0, 1, 2, 3}), "'iteration_indptr' does not fit the trees");
  expect_refused(with_rounds({0, 1, 1, 3, 4}), "a round is not one tree");
}

TEST_F(TreeCheck, RefusesOtherKindsOfModels) {
  expect_refused(with_text(model_, "num_class", "5"), "'num_class'");
  expect_refused(with_text(model_, "num_target", "2"), "'num_target'");
  expect_refused(with_text(model_, "num_feature", "2", kTrees), "on 2 columns; the model has 3");
  expect_refused(with_text(model_, "num_feature", "9", 1), "tree 2: 'num_feature' is 9, not 3");
  expect_refused(with_text(model_, "base_score", "nan"), "'base_score'");
  expect_refused(with_text(model_, "name", "dart"), "'name'");
  expect_refused(with_text(model_, "name", "multi:softmax", 1), "'name'");
}

TEST_F(TreeCheck, RefusesWhatIsNoSuchModelAtAll) {
  expect_refused({model_.begin(), model_.end() - 1}, "it ends too early");
  Bytes more = model_;
  more.push_back('}');
  expect_refused(more, "bytes follow after its end");
  Bytes filled = model_;
  filled.insert(filled.begin(), 'N');
  expect_refused(filled, "it holds a value of an unknown type");
  const std::string_view text = R"({"learner": {}})", old = "binf";
  expect_refused({text.begin(), text.end()}, "");
  expect_refused({old.begin(), old.end()}, "");
  Bytes renamed = model_;
  renamed[behind(model_, "attributes") - 1] = 'z';
  expect_refused(renamed, "'attributes' is missing");
}

// A number that is wrong in an interesting way.
std::uint32_t odd_number(const Rng& rng, std::uint64_t mutant) {
  constexpr std::uint32_t kOdd[] = {0,          1,          2,          3,
                                    5,          10,         11,         0xffffffff,
                                    0xfffffffe, 0x7fffffff, 0x80000000, 0x7f800000,
                                    0x7fc00000, 0xff7fffff, 0x3f800000, 0x00000400};
  const std::uint64_t which = rng.below(std::size(kOdd) + 4, 3, mutant);
  return which < std::size(kOdd) ? kOdd[which]
                                 : static_cast<std::uint32_t>(rng.below(1ULL << 32, 4, mutant));
}

TEST_F(TreeCheck, NoChangeOfNumbersDoesHarm) {
  const Rng rng{9, Stream::sample};
  constexpr std::string_view kLists[] = {"left_children", "right_children",   "parents",
                                         "split_indices", "split_conditions", "base_weights",
                                         "loss_changes",  "sum_hessian"};
  int accepted = 0, refused = 0;
  for (std::uint64_t mutant = 0; mutant < 900; ++mutant) {
    Bytes model = model_;
    if (mutant % 3 == 0) {  // any byte
      model[rng.below(model.size(), 1, mutant)] ^=
          static_cast<std::uint8_t>(1U << rng.below(8, 2, mutant));
    } else {  // a number of a list, or two neighbours
      const std::string_view list = kLists[rng.below(std::size(kLists), 5, mutant)];
      const std::size_t tree = rng.below(kTrees, 6, mutant), node = rng.below(10, 7, mutant);
      const std::size_t at = behind(model, list, tree) + kListHead + 4 * node;
      put(model, at, odd_number(rng, mutant));
      if (mutant % 3 == 2) put(model, at + 4, get(model, at) + 1);
    }
    try {
      const std::vector<float> got = predictions(model);
      EXPECT_TRUE(std::all_of(got.begin(), got.end(), [](float v) { return std::isfinite(v); }))
          << mutant;
      ++accepted;
    } catch (const Error& e) {
      EXPECT_EQ(e.kind(), ErrorKind::model) << mutant << ": " << e.what();
      ++refused;
    }
  }
  EXPECT_GT(accepted, 100);
  EXPECT_GT(refused, 300);
}

}  // namespace
}  // namespace pegnn
