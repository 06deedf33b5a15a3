// Options that parts declare for themselves stand in the one list of options.

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/options.h"
#include "support/refused.h"

namespace pegnn {
namespace {

bool is_of_a_part(const std::string& name) {
  return std::ranges::any_of(part_options(),
                             [&](const PartOption* option) { return name == option->name; });
}

std::size_t place_of(const std::string& name) {
  const auto& names = option_names();
  return static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
}

TEST(PartOptions, EachStandsOnceInTheListOfAllOptions) {
  const std::vector<OptionText> texts = option_texts(Options());
  ASSERT_EQ(texts.size(), option_names().size());
  EXPECT_GE(part_options().size(), 7U);
  for (const PartOption* option : part_options()) {
    SCOPED_TRACE(option->name);
    ASSERT_EQ(1, std::ranges::count(option_names(), option->name));
    const OptionText& text = texts[place_of(option->name)];
    EXPECT_EQ(option->group, text.group);
    EXPECT_EQ(with_options(option->sentence, OptionStyle::command), text.sentence);
  }
}

// Between an option and the one it stands behind there are others of parts alone.
TEST(PartOptions, EachStandsBehindTheOptionItNamesOrAtTheEndOfItsGroup) {
  const std::vector<OptionText> texts = option_texts(Options());
  for (const PartOption* option : part_options()) {
    SCOPED_TRACE(option->name);
    const std::size_t place = place_of(option->name);
    if (std::string_view(option->after).empty()) {
      for (std::size_t i = place; i < texts.size() && texts[i].group == option->group; ++i) {
        EXPECT_TRUE(is_of_a_part(texts[i].name)) << texts[i].name;
      }
      continue;
    }
    const std::size_t before = place_of(option->after);
    ASSERT_LT(before, place);
    EXPECT_EQ(option->group, texts[before].group);
    for (std::size_t i = before + 1; i < place; ++i) {
      EXPECT_TRUE(is_of_a_part(texts[i].name)) << texts[i].name;
    }
  }
}

TEST(PartOptions, BeginAsTheyAreDeclaredAndAreSetByName) {
  Options options;
  EXPECT_FALSE(options.part.flag("edge-attention"));
  EXPECT_EQ("mean", options.part.word("aggregation"));
  EXPECT_EQ(0, options.part.whole("far-members"));
  EXPECT_EQ(0.5, options.part.number("thinning"));
  options.part.set("edge-attention", true);
  options.part.set("far-members", 3);
  options.part.set("thinning", 1);  // a whole number is a number
  set_option(options, "aggregation", "max", "test");
  const PartOptions same{
      {"edge-attention", true}, {"far-members", 3}, {"thinning", 1.0}, {"aggregation", "max"}};
  EXPECT_EQ(same, options.part);
  EXPECT_NE(Options(), options);
}

TEST(PartOptions, ComeBackFromTextAndAreCheckedOnTheWay) {
  Options options;
  options.part = {{"among", 2}, {"subsets", 0.25}, {"smoother", "none"}, {"edge-attention", true}};
  Options back;
  for (const OptionText& text : option_texts(options)) {
    set_option(back, text.name, text.value, "test");
  }
  EXPECT_EQ(options, back);
  EXPECT_EQ("--among: '5' is not allowed; give a whole number, 0 to 4",
            test::refusal([&] { set_option(back, "among", "5", "--among"); }));
}

TEST(PartOptions, AnUnknownNameOrAnotherTypeIsRefused) {
  PartOptions part;
  EXPECT_TRUE(test::refusal([&] { part.flag("edge-atention"); })
                  .starts_with("unknown option of a part 'edge-atention'; did you mean "
                               "'edge-attention'?"));
  EXPECT_EQ("option among: a value of another type", test::refusal([&] { part.word("among"); }));
  EXPECT_EQ("option among: a value of another type",
            test::refusal([&] { part.set("among", "two"); }));
}

}  // namespace
}  // namespace pegnn
