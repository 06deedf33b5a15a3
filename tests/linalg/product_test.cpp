#include "linalg/product.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "linalg/matrices.h"
#include "support/targets.h"

namespace pegnn {
namespace {

using test::random_matrix;
using test::Spaced;

constexpr std::array kForms = {Form::plain, Form::transposed};

struct Shape {
  std::int64_t rows, cols, inner;
};

// Around the blocks of the kernel (4 and 8 rows; 3, 12 and 24 columns), the tiles (96 x 192), the
// depth of 256, and the few rows or columns that are not packed.
const std::vector<Shape> kShapes = {
    {1, 1, 1},      {1, 1, 300},  {2, 3, 2},      {3, 700, 65},   {700, 3, 65},   {4, 513, 300},
    {513, 4, 300},  {1, 600, 7},  {600, 1, 7},    {5, 5, 5},      {7, 7, 7},      {8, 24, 8},
    {9, 25, 9},     {63, 64, 65}, {64, 65, 63},   {65, 63, 64},   {95, 191, 255}, {96, 192, 256},
    {97, 193, 257}, {191, 95, 7}, {192, 97, 513}, {193, 300, 63}, {300, 193, 2},  {30, 30, 1000}};

Spaced shaped(Form form, std::int64_t rows, std::int64_t cols, std::uint64_t seed) {
  return form == Form::plain ? random_matrix(rows, cols, seed) : random_matrix(cols, rows, seed);
}

double element(const Spaced& x, Form form, std::int64_t i, std::int64_t j) {
  return form == Form::plain ? x(i, j) : x(j, i);
}

// Largest difference from a sum in a plain loop, where all numbers are between -1 and 1.
double largest_error(double alpha, const Spaced& a, Form form_a, const Spaced& b, Form form_b,
                     std::int64_t inner, double beta, const Spaced& before, const Spaced& after) {
  double worst = 0;
  for (std::int64_t i = 0; i < after.rows(); ++i) {
    for (std::int64_t j = 0; j < after.cols(); ++j) {
      double sum = 0;
      for (std::int64_t p = 0; p < inner; ++p) {
        sum += element(a, form_a, i, p) * element(b, form_b, p, j);
      }
      const double expected = alpha * sum + (beta == 0 ? 0 : beta * before(i, j));
      const double error = std::abs(after(i, j) - expected);
      worst = error <= worst ? worst : error;  // a NaN is kept
    }
  }
  return worst;
}

void expect_like_plain_loops(const ThreadPool& pool, Shape s, double alpha, double beta) {
  for (const Form form_a : kForms) {
    for (const Form form_b : kForms) {
      const Spaced a = shaped(form_a, s.rows, s.inner, 1), b = shaped(form_b, s.inner, s.cols, 2);
      const Spaced before = random_matrix(s.rows, s.cols, 3, test::kUnwritten);
      Spaced c = before;
      product(pool, alpha, a.mat(), form_a, b.mat(), form_b, beta, c.mat());
      // A sum of `inner` rounded products, each below one, in two orders.
      const double tolerance = 2.3e-16 * static_cast<double>(s.inner + 4) * (1 + std::abs(alpha));
      EXPECT_LE(largest_error(alpha, a, form_a, b, form_b, s.inner, beta, before, c), tolerance)
          << s.rows << " x " << s.cols << " x " << s.inner << ", forms " << (form_a == Form::plain)
          << (form_b == Form::plain);
      EXPECT_TRUE(c.gaps_are_untouched());
    }
  }
}

TEST(Product, IsThatOfPlainLoopsInEveryFormAndSize) {
  const ThreadPool pool(2);
  for (const Shape& s : kShapes) expect_like_plain_loops(pool, s, 1, 0);
}

TEST(Product, ScalesAndAddsToWhatIsThere) {
  const ThreadPool pool(1);
  for (const Shape s : {Shape{9, 25, 9}, Shape{97, 193, 300}, Shape{97, 2, 300}, Shape{3, 97, 7}}) {
    expect_like_plain_loops(pool, s, -0.5, 1);
    expect_like_plain_loops(pool, s, 2, -3);
  }
}

TEST(Product, CutsWhatIsLargerThanOnePass) {
  const ThreadPool pool(2);
  expect_like_plain_loops(pool, {2310, 30, 20}, 1, 1);
  expect_like_plain_loops(pool, {30, 2310, 20}, 1, 1);
}

TEST(Product, DoesNotReadTheOldValuesWhenBetaIsZero) {
  const ThreadPool pool(1);
  for (const Shape s : {Shape{30, 30, 10}, Shape{30, 2, 10}, Shape{2, 30, 10}, Shape{9, 9, 0}}) {
    const Spaced a = random_matrix(s.rows, s.inner, 1), b = random_matrix(s.inner, s.cols, 2);
    Spaced c(s.rows, s.cols, test::kUnread);
    product(pool, 1, a.mat(), Form::plain, b.mat(), Form::plain, 0, c.mat());
    EXPECT_LE(largest_error(1, a, Form::plain, b, Form::plain, s.inner, 0, c, c), 1e-14);
  }
}

TEST(Product, WithoutAnInnerDimensionOnlyScales) {
  const ThreadPool pool(1);
  const Spaced a = random_matrix(5, 0, 1), b = random_matrix(0, 6, 2);
  const Spaced before = random_matrix(5, 6, 3);
  Spaced c = before;
  product(pool, 1, a.mat(), Form::plain, b.mat(), Form::plain, 2, c.mat());
  for (std::int64_t i = 0; i < 5; ++i) {
    for (std::int64_t j = 0; j < 6; ++j) EXPECT_EQ(c(i, j), 2 * before(i, j));
  }
}

TEST(Product, OfNothingIsNothing) {
  const ThreadPool pool(2);
  const Spaced a = random_matrix(0, 4, 1), b = random_matrix(4, 6, 2);
  Spaced none(0, 6), narrow(3, 0, test::kUnwritten);
  product(pool, 1, a.mat(), Form::plain, b.mat(), Form::plain, 0, none.mat());
  product(pool, 1, random_matrix(3, 4, 1).mat(), Form::plain, random_matrix(4, 0, 1).mat(),
          Form::plain, 0, narrow.mat());
  EXPECT_TRUE(narrow.gaps_are_untouched());
}

TEST(Product, HasTheSameBitsForAnyNumberOfThreads) {
  for (const Shape s : {Shape{500, 700, 600}, Shape{500, 1, 600}, Shape{3, 1500, 600}}) {
    for (const Form form_a : kForms) {
      const Spaced a = shaped(form_a, s.rows, s.inner, 1), b = random_matrix(s.inner, s.cols, 2);
      std::vector<std::vector<std::uint64_t>> results;
      for (const int threads : {1, 2, 3}) {
        const ThreadPool pool(threads);
        Spaced c = random_matrix(s.rows, s.cols, 3);
        product(pool, 1, a.mat(), form_a, b.mat(), Form::plain, 1, c.mat());
        results.push_back(c.bits());
      }
      EXPECT_EQ(results[0], results[1]);
      EXPECT_EQ(results[0], results[2]);
    }
  }
}

// What a machine without AVX-512, or without AVX2, computes.
TEST(Product, IsRightWithEveryInstructionSetOfThisMachine) {
  const ThreadPool pool(2);
  test::for_every_target([&](const char*) {
    for (const Shape& s : {Shape{97, 193, 257}, Shape{100, 1, 65}, Shape{2, 600, 65}}) {
      expect_like_plain_loops(pool, s, -1, 1);
    }
  });
}

}  // namespace
}  // namespace pegnn
