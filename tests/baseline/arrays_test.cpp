#include "baseline/arrays.h"

#include <cmath>
#include <functional>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "pegnn/error.h"

namespace pegnn {
namespace {

Arrays some() {
  Arrays arrays;
  arrays.add("matrix", 2, 3, {1, 2, 3, 4, 5, 6});
  arrays.add("number", 1, 1, {7.5});
  arrays.add_points("points", {{1, 2}, {3, 4}});
  return arrays;
}

// The message of the Error{model} that `read` throws.
std::string refusal(const std::function<void()>& read) {
  try {
    read();
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::model);
    return e.what();
  }
  ADD_FAILURE() << "no error";
  return {};
}

TEST(Arrays, ComeBackAsTheyWentIn) {
  const Arrays arrays = some();
  const ArrayReader reader(arrays, "m.safetensors");
  const NamedArray& matrix = reader.matrix("matrix", 2, 3);
  EXPECT_EQ(matrix.values, (std::vector<double>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(&matrix, &reader.matrix("matrix", -1, 3));
  EXPECT_EQ(&matrix, &reader.matrix("matrix", 2, -1));
  EXPECT_EQ(reader.number("number"), 7.5);
  EXPECT_EQ(reader.points("points"), (std::vector<Point>{{1, 2}, {3, 4}}));
}

TEST(Arrays, ThatAreMissingAreNamedWithTheFile) {
  const Arrays arrays = some();
  const ArrayReader reader(arrays, "m.safetensors");
  EXPECT_EQ(refusal([&] { reader.matrix("labels", -1, -1); }),
            "m.safetensors: array 'labels' is missing");
}

TEST(Arrays, OfAnotherShapeAreRefused) {
  const Arrays arrays = some();
  const ArrayReader reader(arrays, "f");
  EXPECT_EQ(refusal([&] { reader.matrix("matrix", 3, 2); }),
            "f: array 'matrix' is 2 x 3, which does not fit");
  refusal([&] { reader.matrix("matrix", 1, -1); });
  refusal([&] { reader.number("matrix"); });
  refusal([&] { reader.points("matrix"); });
}

TEST(Arrays, WhoseShapeAndValuesDisagreeAreRefused) {
  Arrays arrays;
  arrays.push({"short", 2, 2, {1, 2, 3}});
  const ArrayReader reader(arrays, "f");
  refusal([&] { reader.matrix("short", 2, 2); });
}

TEST(Arrays, WithNumbersThatAreNotFiniteAreRefused) {
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity(),
                           -std::numeric_limits<double>::infinity()}) {
    Arrays arrays;
    arrays.add("a", 1, 2, {1, bad});
    const ArrayReader reader(arrays, "f");
    EXPECT_EQ(refusal([&] { reader.matrix("a", 1, 2); }),
              "f: array 'a' holds a number that is not finite");
    refusal([&] { reader.points("a"); });
  }
}

TEST(Arrays, AreEqualWhenNamesShapesAndContentsAre) {
  EXPECT_TRUE(some() == some());
  Arrays other = some();
  other.add("more", 1, 1, {0});
  EXPECT_FALSE(some() == other);
  Arrays a, b, c, d;
  a.add("a", 1, 2, {1, 2});
  b.add("a", 1, 2, {1, 3});
  c.add("b", 1, 2, {1, 2});
  d.add("a", 2, 1, {1, 2});
  EXPECT_FALSE(a == b);
  EXPECT_FALSE(a == c);
  EXPECT_FALSE(a == d);
}

}  // namespace
}  // namespace pegnn
