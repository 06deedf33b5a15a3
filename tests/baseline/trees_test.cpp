// Trees as plain numbers: how they answer, and that those made on purpose to mislead are refused.

#include "baseline/trees.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "base/philox.h"
#include "pegnn/error.h"

namespace pegnn {
namespace {

constexpr std::int64_t kColumns = 3;
constexpr std::size_t kColumn = 0, kValue = 1, kLeft = 2;  // of a row of "nodes"

// x0 < 1 ? 10 : (x2 < -1 ? 20 : 30), then x1 < 0 ? 1 : 2, then 100.
Trees three() {
  return {{{.value = 1, .column = 0, .left = 1},
           {.value = 10},
           {.value = -1, .column = 2, .left = 3},
           {.value = 20},
           {.value = 30},
           {.value = 0, .column = 1, .left = 6},
           {.value = 1},
           {.value = 2},
           {.value = 100}},
          {0, 5, 8}};
}

std::vector<float> answers(const Trees& trees, const std::vector<float>& inputs) {
  std::vector<float> out(inputs.size() / kColumns, std::nanf(""));
  trees.predict({inputs.data(), static_cast<std::int64_t>(out.size()), kColumns}, out);
  return out;
}

Arrays stored(const Trees& trees) {
  Arrays arrays;
  trees.store(arrays);
  return arrays;
}

Trees restored(const Arrays& arrays, std::int64_t columns = kColumns) {
  Trees trees;
  trees.restore({arrays, "test"}, columns);
  return trees;
}

// The arrays of `three` with one number changed: of "trees" (roots) or of "nodes".
Arrays with(std::string_view name, std::size_t row, std::size_t at, double value) {
  Arrays changed;
  const Arrays arrays = stored(three());
  for (NamedArray array : arrays.list()) {
    if (array.name == name) {
      array.values[row * static_cast<std::size_t>(array.cols) + at] = value;
    }
    changed.push(std::move(array));
  }
  return changed;
}

void expect_refused(const Arrays& arrays, std::string_view why, std::int64_t columns = kColumns) {
  try {
    restored(arrays, columns);
    ADD_FAILURE() << "was accepted, expected: " << why;
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::model);
    EXPECT_NE(std::string(e.what()).find(why), std::string::npos) << e.what();
  }
}

TEST(Trees, AddTheLeavesThatARowComesTo) {
  EXPECT_EQ(answers(three(), {0, 0, 0, 2, -1, -2, 2, 1, 0}), (std::vector<float>{112, 121, 132}));
}

TEST(Trees, SendNumbersAtTheThresholdToTheRight) {
  EXPECT_EQ(answers(three(), {1, 0, -1}), (std::vector<float>{132}));
  EXPECT_EQ(answers(three(), {std::nextafter(1.0F, 0.0F), -1e-30F, -1}), (std::vector<float>{111}));
  EXPECT_EQ(answers(three(), {1, -0.0F, std::nextafter(-1.0F, -2.0F)}), (std::vector<float>{122}));
}

TEST(Trees, AddInFloatFirstTreeFirst) {
  // In double, or from the last, it would be 1.
  const Trees trees({{.value = 1e8F}, {.value = 1}, {.value = -1e8F}}, {0, 1, 2});
  EXPECT_EQ(answers(trees, {0, 0, 0}), (std::vector<float>{0}));
}

TEST(Trees, AnswerARowTheSameWhateverStandsBesideIt) {
  const Rng rng{1, Stream::sample};
  std::vector<float> inputs;
  for (std::uint64_t i = 0; i < 200 * kColumns; ++i) {
    inputs.push_back(static_cast<float>(4 * rng.uniform(1, i) - 2));
  }
  const std::vector<float> all = answers(three(), inputs);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto row = inputs.begin() + static_cast<std::ptrdiff_t>(kColumns * i);
    EXPECT_EQ(answers(three(), {row, row + kColumns}), (std::vector<float>{all[i]}));
  }
}

TEST(Trees, ComeBackAsTheyWere) {
  const Arrays arrays = stored(three());
  EXPECT_TRUE(stored(restored(arrays)) == arrays);
  // To the last bit of a float, the smallest and the largest included.
  for (const float value : {0.1F, std::numeric_limits<float>::denorm_min(), -1e30F / 3}) {
    const Trees one({{.value = value}}, {0});
    EXPECT_EQ(answers(restored(stored(one)), {0, 0, 0}), (std::vector<float>{value}));
  }
}

TEST(Trees, TakeAnotherLeafOrAnotherColumn) {
  // What is sound is taken, though nobody learned it.
  const std::vector<float> row{0, 0, 0};
  EXPECT_EQ(answers(restored(with("nodes", 1, kValue, 70)), row), (std::vector<float>{172}));
  EXPECT_EQ(answers(restored(with("nodes", 0, kColumn, 1)), row), (std::vector<float>{112}));
}

TEST(Trees, RefuseAChildOutOfPlace) {
  // Before its node, the node itself, in another tree, with a sibling there, nowhere.
  for (const double child :
       {-5.0, -1.0, 1.0, 2.0, 4.0, 5.0, 6.0, 1e9, 2147483647.0, 2147483648.0, 1e300, 2.5}) {
    expect_refused(with("nodes", 2, kLeft, child), "tree 1: a node has a child out of place");
  }
  expect_refused(with("nodes", 7, kLeft, 7), "tree 2: a node has a child out of place");
  expect_refused(with("nodes", 8, kLeft, 9), "tree 3: a node has a child out of place");
}

TEST(Trees, RefuseLinksInACircle) {
  expect_refused(with("nodes", 3, kLeft, 2), "tree 1: a node has a child out of place");
  expect_refused(with("nodes", 3, kLeft, 3), "tree 1: a node has a child out of place");
}

TEST(Trees, RefuseAColumnThatIsNotThere) {
  for (const double column : {3.0, 1e6, -1.0, 0.5, 1e300}) {
    expect_refused(with("nodes", 2, kColumn, column), "tree 1: a node asks for a column");
  }
  expect_refused(stored(three()), "tree 1: a node asks for a column", 2);
}

TEST(Trees, RefuseNumbersThatAreNotFiniteOrAddUpToOneThatIsNot) {
  for (const std::size_t node : {0UL, 4UL}) {
    for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
      expect_refused(with("nodes", node, kValue, bad), "array 'nodes' holds a number that is not");
    }
    expect_refused(with("nodes", node, kValue, -1e39), "tree 1: a number of a node is not finite");
  }
  expect_refused(with("nodes", 4, kValue, -3e38), "the answers are too large");
}

TEST(Trees, RefuseRootsThatDoNotAscendFromTheFirstNode) {
  expect_refused(with("trees", 0, 0, 1), "the first tree is missing");
  for (const double root : {0.0, -1.0, 8.0, 9.0, 1e9, 5.5}) {
    expect_refused(with("trees", 1, 0, root), "it has no nodes");
  }
  expect_refused(with("trees", 2, 0, 9), "tree 3: it has no nodes");
  expect_refused(stored({{}, {}}), "the first tree is missing");
  expect_refused(stored({{}, {0}}), "tree 1: it has no nodes");
}

TEST(Trees, RefuseArraysOfAnotherShape) {
  for (const char* const name : {"trees", "nodes"}) {
    Arrays changed, fewer;
    const Arrays arrays = stored(three());
    for (NamedArray array : arrays.list()) {
      if (array.name != name) fewer.push(array);
      if (array.name == name) std::swap(array.rows, array.cols);
      changed.push(std::move(array));
    }
    expect_refused(changed, "which does not fit");
    expect_refused(fewer, "is missing");
  }
}

TEST(Trees, ComeToNoHarmWhicheverNumberIsChanged) {
  const Rng rng{9, Stream::sample};
  constexpr double kOdd[] = {0, 1,  2,   3,          4,           5,    6,     7,      8,
                             9, -1, 0.5, 2147483647, -2147483648, 1e10, 1e300, -1e300, 1e29};
  int accepted = 0, refused = 0;
  for (std::uint64_t mutant = 0; mutant < 2000; ++mutant) {
    Arrays changed;
    const Arrays arrays = stored(three());
    for (NamedArray array : arrays.list()) {
      const std::uint64_t changes = array.name == "nodes" ? 1 + rng.below(2, 1, mutant) : 0;
      for (std::uint64_t c = 0; c < changes; ++c) {
        array.values[rng.below(as_size(array.values.size()), 2 + c, mutant)] =
            kOdd[rng.below(std::size(kOdd), 4 + c, mutant)];
      }
      changed.push(std::move(array));
    }
    try {
      const std::vector<float> got = answers(restored(changed), {0, 0, 0, 5, -5, -5, 5, 5, 5});
      EXPECT_TRUE(std::all_of(got.begin(), got.end(), [](float v) { return std::isfinite(v); }))
          << mutant;
      ++accepted;
    } catch (const Error& e) {
      EXPECT_EQ(e.kind(), ErrorKind::model) << mutant << ": " << e.what();
      ++refused;
    }
  }
  EXPECT_GT(accepted, 300);
  EXPECT_GT(refused, 600);
}

}  // namespace
}  // namespace pegnn
