#include <string>

#include <gtest/gtest.h>

#include "base/options.h"
#include "pegnn/error.h"

namespace pegnn {
namespace {

std::string refusal(const char* name, const char* value) {
  Options o;
  try {
    set_option(o, name, value, std::string("--") + name);
  } catch (const Error& e) {
    EXPECT_EQ(ErrorKind::usage, e.kind());
    return e.what();
  }
  return "accepted";
}

TEST(OptionsText, EveryOptionSurvivesTextAndBack) {
  Options odd;
  odd.k = 17;
  odd.sigma_min = 1.0 / 3;
  odd.backbone = "mlp";
  odd.uncertainty_weights = true;
  odd.seed = 123456789012345;
  Options back;
  for (const OptionText& text : option_texts(odd)) {
    set_option(back, text.name, text.value, "test");
  }
  EXPECT_EQ(odd, back);
}

TEST(OptionsText, RefusalsNameTheOptionTheValueAndWhatIsAllowed) {
  EXPECT_EQ("--k: '-1' is not allowed; give a whole number, 0 to 1024", refusal("k", "-1"));
  EXPECT_EQ("--k: '5.5' is not allowed; give a whole number, 0 to 1024", refusal("k", "5.5"));
  EXPECT_EQ("--dropout: 'nan' is not allowed; give a number, 0 to 0.99", refusal("dropout", "nan"));
  EXPECT_EQ("--uncertainty-weights: 'yes' is not allowed; give true, false",
            refusal("uncertainty-weights", "yes"));
  EXPECT_EQ(
      "--edge-weight: unknown word 'gausian'; did you mean 'gaussian'? known: minmax, gaussian, "
      "binary",
      refusal("edge-weight", "gausian"));
}

TEST(OptionsText, AnUnknownOptionNamesTheNearest) {
  const std::string message = refusal("learning-rat", "1");
  EXPECT_NE(message.find("unknown option 'learning-rat'; did you mean 'learning-rate'?"),
            std::string::npos)
      << message;
}

TEST(OptionsText, AWordInTomlStaysAWordWhateverIsInIt) {
  Options o;
  o.choose = "a\"b\\c\nd\x7F";
  EXPECT_NE(options_toml(o).find(R"(choose = "a\"b\\c\u000Ad\u007F"  #)"), std::string::npos);
}

TEST(OptionsText, TheTomlFileNamesEveryOption) {
  const std::string toml = options_toml(Options());
  for (const OptionText& text : option_texts(Options())) {
    EXPECT_NE(toml.find("\n" + text.name + " = "), std::string::npos) << text.name;
  }
}

Options effort_of(std::int64_t rows, std::int64_t batch) {
  Options o;
  o.batch = batch;
  o.steps = o.members = 0;
  o.learning_rate = 0;
  resolve_effort(o, rows);
  return o;
}

TEST(Effort, StepsFollowFromTheRows) {
  EXPECT_EQ(200, effort_of(1, 512).steps);
  EXPECT_EQ(300, effort_of(1'000, 512).steps) << "200 and a tenth of the rows";
  EXPECT_EQ(400, effort_of(2'000, 512).steps);
  EXPECT_EQ(400, effort_of(8'000, 512).steps) << "25 passes are fewer";
  EXPECT_EQ(488, effort_of(10'000, 512).steps) << "25 passes";
  EXPECT_EQ(800, effort_of(1'000'000, 512).steps);
  EXPECT_EQ(400, effort_of(10'000, 2'048).steps) << "a larger batch passes sooner";
  EXPECT_EQ(400, effort_of(1'000'000, 0).steps) << "every step is a pass";
}

TEST(Effort, LargeTablesHaveFewerMembersAndLargerSteps) {
  EXPECT_EQ(6, effort_of(8'191, 512).members);
  EXPECT_EQ(4, effort_of(8'192, 512).members);
  EXPECT_EQ(3e-3, effort_of(8'191, 512).learning_rate);
  EXPECT_EQ(4e-3, effort_of(8'192, 512).learning_rate);
}

TEST(Effort, WhatIsGivenStays) {
  Options o;
  o.steps = 7;
  o.members = 3;
  o.learning_rate = 0.1;
  resolve_effort(o, 1'000'000);
  EXPECT_EQ(7, o.steps);
  EXPECT_EQ(3, o.members);
  EXPECT_EQ(0.1, o.learning_rate);
}

}  // namespace
}  // namespace pegnn
