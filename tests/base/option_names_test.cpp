#include "pegnn/option_names.h"

#include <gtest/gtest.h>

#include "base/text.h"
#include "pegnn/error.h"
#include "pegnn/log.h"

namespace pegnn {
namespace {

TEST(OptionName, IsWrittenAsTheUsersOfAFrontEndWriteIt) {
  EXPECT_EQ("--learning-rate", option_name("learning-rate", OptionStyle::command));
  EXPECT_EQ("learning_rate", option_name("learning-rate", OptionStyle::python));
  EXPECT_EQ("-o", option_name("out", OptionStyle::command));
  EXPECT_EQ("file", option_name("out", OptionStyle::python));
}

TEST(OptionName, IsAnotherInPythonWhereTheWordIsTaken) {
  EXPECT_EQ("lambda_", option_name("lambda", OptionStyle::python));
  EXPECT_EQ("fit_", option_name("fit", OptionStyle::python));
  EXPECT_EQ("--lambda", option_name("lambda", OptionStyle::command));
}

TEST(WithOptions, ShowsEveryOneOfThem) {
  const std::string text = "<option:lon>, <option:lat>: " + option("drop-na") + "; 'a' <b>";
  EXPECT_EQ("--lon, --lat: --drop-na; 'a' <b>", with_options(text, OptionStyle::command));
  EXPECT_EQ("lon, lat: drop_na; 'a' <b>", with_options(text, OptionStyle::python));
  EXPECT_EQ("", with_options("", OptionStyle::python));
}

TEST(WithOptions, LeavesOtherTextAsItIs) {
  for (const char* text : {"<option:", "<option:>", "<option:k", "<option:a b>", "<option:K>",
                           "a --k b", "<option:<option:"}) {
    EXPECT_EQ(text, with_options(text, OptionStyle::python));
  }
  EXPECT_EQ("<option:--k", with_options("<option:<option:k>", OptionStyle::command));
}

TEST(Error, NamesOptionsForEachOfItsReaders) {
  const Error error(ErrorKind::usage, "<option:sigma-min> is too large");
  EXPECT_STREQ("--sigma-min is too large", error.what());
  EXPECT_EQ("sigma_min is too large", error.message(OptionStyle::python));
  EXPECT_STREQ("<option:sigma-min> is too large", error.neutral());
  const Error wrapped(ErrorKind::model, std::string("m.safetensors: ") + error.neutral());
  EXPECT_EQ("m.safetensors: sigma_min is too large", wrapped.message(OptionStyle::python));
}

class PythonLog final : public Log {
 public:
  void note(std::string_view) override {}
  void warn(std::string_view) override {}
  void detail(std::string_view) override {}
  OptionStyle option_style() const override { return OptionStyle::python; }
};

TEST(Log, NamesOptionsAsItsReadersDo) {
  EXPECT_EQ("--drop-na", silent_log().option("drop-na"));
  EXPECT_EQ("drop_na", PythonLog().option("drop-na"));
}

}  // namespace
}  // namespace pegnn
