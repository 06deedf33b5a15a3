#include "base/array.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace pegnn {
namespace {

TEST(Array, SizesAreSignedAndAnyIntegerIsAnIndex) {
  Array<double> x(std::int64_t{3});
  static_assert(std::is_same_v<decltype(x.size()), std::int64_t>);
  EXPECT_EQ(x.size(), 3);
  EXPECT_EQ(x, (std::vector<double>{0, 0, 0}));
  x[std::int32_t{0}] = 1;
  x[std::int64_t{1}] = 2;
  x[std::size_t{2}] = 3;
  const Array<double>& kept = x;
  EXPECT_EQ(kept[std::int64_t{0}] + kept[std::int32_t{1}] + kept[std::uint8_t{2}], 6);
}

TEST(Array, AnEmptyOneHasLessThanOneElement) {
  const Array<int> none;
  EXPECT_EQ(none.size() - 1, -1);
  std::int64_t seen = 0;
  for (std::int64_t i = 0; i < none.size() - 1; ++i) ++seen;
  EXPECT_EQ(seen, 0);
}

TEST(Array, ASizeAndAValueAreNoListOfTwo) {
  EXPECT_EQ(Array<std::int64_t>(2, 7), (std::vector<std::int64_t>{7, 7}));
  EXPECT_EQ((Array<std::int64_t>{2, 7}), (std::vector<std::int64_t>{2, 7}));
}

TEST(Array, GrowsAndShrinksBySignedSizes) {
  Array<float> x;
  x.reserve(std::int64_t{8});
  EXPECT_GE(x.capacity(), 8U);
  x.assign(std::int64_t{2}, 1.0F);
  x.resize(std::int64_t{3});
  x.resize(std::int64_t{4}, 5.0F);
  EXPECT_EQ(x, (std::vector<float>{1, 1, 0, 5}));
  x.resize(std::int64_t{1});
  EXPECT_EQ(x.size(), 1);
  const std::array<float, 2> other{3, 4};
  x.assign(other.begin(), other.end());
  EXPECT_EQ(x, (std::vector<float>{3, 4}));
}

TEST(Array, AVectorIsMovedInAndOutWithoutACopy) {
  std::vector<double> from(100, 2.0);
  const double* const where = from.data();
  Array<double> x = std::move(from);
  EXPECT_EQ(x.data(), where);
  const auto given = [](Array<double> values) -> std::vector<double> { return values; };
  EXPECT_EQ(given(std::move(x)).data(), where);
  const std::vector<double>& borrowed = x;
  EXPECT_EQ(static_cast<const void*>(&borrowed), static_cast<const void*>(&x));
}

TEST(Array, AVectorIsCopiedOnlyWhereTheCodeSaysSo) {
  static_assert(!std::is_convertible_v<const std::vector<double>&, Array<double>>);
  const std::vector<double> from{1, 2};
  Array<double> x(from);
  EXPECT_EQ(x, from);
  x = {3, 4, 5};
  EXPECT_EQ(x, (std::vector<double>{3, 4, 5}));
  x = from;
  EXPECT_EQ(x, from);
  x = {};
  EXPECT_TRUE(x.empty());
}

TEST(Array, TruthValuesCanBeSet) {
  Array<bool> flags(3, false);
  flags[std::int64_t{1}] = true;
  EXPECT_EQ(flags, (std::vector<bool>{false, true, false}));
}

TEST(Span, IsMadeFromWhateverAStandardSpanIsMadeFrom) {
  Array<double> owned{1, 2, 3};
  std::vector<double> foreign{1, 2, 3};
  std::array<double, 3> fixed{1, 2, 3};
  const auto sum = [](Span<const double> x) { return std::accumulate(x.begin(), x.end(), 0.0); };
  EXPECT_EQ(sum(owned), 6);
  EXPECT_EQ(sum(foreign), 6);
  EXPECT_EQ(sum(fixed), 6);
  EXPECT_EQ(sum({foreign.data(), std::int64_t{2}}), 3);
  EXPECT_EQ(sum({foreign.begin(), foreign.size()}), 6);
  EXPECT_EQ(sum({foreign.begin(), foreign.end()}), 6);
  EXPECT_EQ(sum(std::span<double>(foreign)), 6);
  EXPECT_EQ(sum(std::span<const double>(foreign)), 6);
  EXPECT_EQ(sum(Span<double>(owned)), 6);
  EXPECT_EQ(sum({}), 0);
}

TEST(Span, GoesWhereAStandardSpanIsAskedFor) {
  Array<double> owned{1, 2, 3};
  const Span<double> view(owned);
  const auto size = [](std::span<const double> x) { return x.size(); };
  EXPECT_EQ(size(view), 3U);
  EXPECT_EQ(size(owned), 3U);
  const std::span<double> same = view;
  EXPECT_EQ(same.data(), owned.data());
}

TEST(Span, SizesIndicesAndPiecesAreSigned) {
  Array<int> owned{1, 2, 3, 4};
  const Span view(owned);
  static_assert(std::is_same_v<decltype(view), const Span<int>>);
  static_assert(std::is_same_v<decltype(view.size()), std::int64_t>);
  view[std::int64_t{3}] = 9;
  EXPECT_EQ(owned[3], 9);
  const std::int64_t from = 1, count = 2;
  EXPECT_TRUE(std::ranges::equal(view.subspan(from, count), std::array{2, 3}));
  EXPECT_TRUE(std::ranges::equal(view.subspan(from), std::array{2, 3, 9}));
  EXPECT_TRUE(std::ranges::equal(view.first(count), std::array{1, 2}));
  EXPECT_TRUE(std::ranges::equal(view.last(count), std::array{3, 9}));
}

TEST(Gather, TakesRowsInTheGivenOrderAsOftenAsTheyAreNamed) {
  const std::vector<double> values{10, 11, 12};
  EXPECT_EQ(gather(values, Array<std::int32_t>{2, 0, 2}), (std::vector<double>{12, 10, 12}));
  EXPECT_EQ(gather(Span<const double>(values), std::vector<std::int64_t>{1}),
            (std::vector<double>{11}));
  EXPECT_TRUE(gather(values, std::span<const std::int64_t>()).empty());
}

TEST(Gather, UsesTheMemoryThatItIsGiven) {
  Array<double> out(5, 1.0);
  const double* const where = out.data();
  gather(std::vector<double>{10, 11, 12}, Array<std::int32_t>{1, 0}, out);
  EXPECT_EQ(out, (std::vector<double>{11, 10}));
  EXPECT_EQ(out.data(), where);
}

}  // namespace
}  // namespace pegnn
