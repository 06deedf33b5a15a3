#include "report/stroke_font.h"

#include <string>

#include <gtest/gtest.h>

#include "report/pixels.h"
#include "report/stroke_glyphs.h"

namespace pegnn {
namespace {

constexpr Rgb kBlack{0, 0, 0};
constexpr Lettering kPlain{14};

Image drawn(std::string_view text, Lettering lettering = kPlain) {
  Canvas canvas(80, 48);
  draw_lettering(canvas, {8, 34}, text, lettering, kBlack);
  return canvas.image();
}

TEST(StrokeFont, HasEveryPrintableLetterOfAsciiAndDrawsThemAllDifferently) {
  for (char c = '!'; c <= '~'; ++c) {
    ASSERT_NE(find_glyph(static_cast<char32_t>(c)), nullptr) << c;
    const Image one = drawn(std::string(1, c));
    for (char other = '!'; other < c; ++other) {
      EXPECT_NE(one.rgb, drawn(std::string(1, other)).rgb) << c << other;
    }
  }
}

TEST(StrokeFont, DigitsAreEquallyWide) {
  for (char c = '1'; c <= '9'; ++c) {
    EXPECT_DOUBLE_EQ(lettering_width(std::string(1, c), kPlain), lettering_width("0", kPlain)) << c;
  }
}

TEST(StrokeFont, PutsAccentsOnTheLettersTheyBelongTo) {
  for (const auto& [accented, plain] :
       {std::pair{"ä", "a"}, {"É", "E"}, {"ñ", "n"}, {"Ç", "C"}, {"å", "a"}, {"ö", "o"}}) {
    EXPECT_DOUBLE_EQ(lettering_width(accented, kPlain), lettering_width(plain, kPlain));
    EXPECT_NE(drawn(accented).rgb, drawn(plain).rgb) << accented;
  }
  EXPECT_NE(drawn("ä").rgb, drawn("â").rgb);
}

TEST(StrokeFont, KnowsTheSignsOfAxes) {
  const Image box = drawn("\xe4\xb8\xad");  // a Chinese character, which it does not have
  for (const char* sign : {"°", "²", "³", "⁶", "⁻", "µ", "−", "×", "·", "…", "–", "≤", "€", "±"}) {
    EXPECT_NE(drawn(sign).rgb, box.rgb) << sign;
  }
  EXPECT_LT(lettering_width("²", kPlain), lettering_width("2", kPlain));
}

TEST(StrokeFont, DrawsWhatItDoesNotKnowAsAHollowBox) {
  EXPECT_EQ(drawn("\xe4\xb8\xad").rgb, drawn("\xf0\x9f\x8c\x8d").rgb);
  EXPECT_EQ(drawn("\xff").rgb, drawn("\xe4\xb8\xad").rgb);
  // Cut off in the middle of a character: a box for each byte that is left.
  EXPECT_DOUBLE_EQ(lettering_width("\xe4\xb8", kPlain), 2 * lettering_width("\xff", kPlain));
}

TEST(StrokeFont, IsWiderAndDarkerInBold) {
  EXPECT_GT(lettering_width("Elevation", {14, true}), lettering_width("Elevation", kPlain));
  EXPECT_GT(count_pixels(drawn("E", {14, true}), "#000000"), count_pixels(drawn("E"), "#000000"));
}

TEST(StrokeFont, CutsTextThatDoesNotFitBetweenCharacters) {
  EXPECT_EQ(lettering_fitted("short", kPlain, 500), "short");
  const std::string cut = lettering_fitted("ääääääääää", kPlain, 60);
  EXPECT_LE(lettering_width(cut, kPlain), 60);
  EXPECT_EQ(cut.size() % 2, 1U);  // whole letters of two bytes, and the three of "…"
  EXPECT_TRUE(cut.ends_with("…"));
  EXPECT_EQ(lettering_fitted("abc", kPlain, 1), "…");
}

TEST(StrokeFont, StandsWhereItIsAnchored) {
  const double width = lettering_width("HH", kPlain);
  const auto first_dark = [](const Image& image) {
    for (std::int64_t x = 0; x < image.width; ++x) {
      for (std::int64_t y = 0; y < image.height; ++y) {
        if (pixel_text(image, x, y) != "#ffffff") return static_cast<double>(x);
      }
    }
    return -1.0;
  };
  const auto at = [&](Anchor anchor) {
    Canvas canvas(120, 40);
    draw_lettering(canvas, {60, 30}, "HH", kPlain, kBlack, anchor);
    return first_dark(canvas.image());
  };
  EXPECT_NEAR(at(Anchor::start) - at(Anchor::middle), width / 2, 1);
  EXPECT_NEAR(at(Anchor::start) - at(Anchor::end), width, 1);
}

}  // namespace
}  // namespace pegnn
