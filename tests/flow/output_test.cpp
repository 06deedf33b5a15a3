#include "flow/output.h"

#include <gtest/gtest.h>

#include "support/gdal.h"
#include "support/refused.h"

namespace pegnn {
namespace {

TEST(Output, AFileAppearsWhenItIsCommitted) {
  const test::Folder folder;
  const auto file = folder / "league.json";
  Output out(file.string(), false);
  out.write("one ");
  out.write("two\n");
  out.settle();
  EXPECT_FALSE(std::filesystem::exists(file));
  out.commit();
  EXPECT_EQ("one two\n", read_file(file));
}

TEST(Output, NothingIsLeftOfOneThatWasNotCommitted) {
  const test::Folder folder;
  {
    Output out((folder / "league.json").string(), false);
    out.write("half");
  }
  EXPECT_EQ(0, folder.entries());
}

TEST(Output, AFileThatIsThereIsReplacedOnlyWhenAsked) {
  const test::Folder folder;
  const auto file = folder / "league.json";
  write_file(file, "old");
  const std::string refused = test::refusal([&] { Output(file.string(), false); });
  EXPECT_EQ("'" + file.string() + "' exists; --overwrite replaces it", refused);
  Output out(file.string(), true);
  out.write("new");
  EXPECT_EQ("old", read_file(file));
  out.commit();
  EXPECT_EQ("new", read_file(file));
}

TEST(Output, AFolderIsNoFile) {
  const test::Folder folder;
  const std::filesystem::path inner = folder / "inner";
  std::filesystem::create_directory(inner);
  EXPECT_EQ("'" + inner.string() + "' is a folder; name a file in it",
            test::refusal([&] { Output(inner.string(), true); }));
}

TEST(Output, WhatCannotBeWrittenIsLearntAtOnce) {
  const test::Folder folder;
  test::refusal([&] { Output((folder / "no/such.json").string(), false); }, ErrorKind::resource);
}

TEST(Output, AStreamTakesTextAsItComes) {
  std::string taken;
  Output out("-", false, [&](std::string_view text) { taken += text; });
  EXPECT_TRUE(out.to_stream());
  out.write("one ");
  EXPECT_EQ("one ", taken);
  out.write("two");
  out.settle();
  out.commit();
  EXPECT_EQ("one two", taken);
}

}  // namespace
}  // namespace pegnn
