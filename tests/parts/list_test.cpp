#include <string>

#include <gtest/gtest.h>

#include "pegnn/error.h"
#include "pegnn/parts.h"

namespace pegnn {
namespace {

bool lists(const std::string& kind, const std::string& name) {
  for (const Part& part : list_parts(kind)) {
    EXPECT_FALSE(part.summary.empty()) << part.name;
    EXPECT_FALSE(part.source.empty()) << part.name;
    if (part.name == name) return true;
  }
  return false;
}

TEST(ListParts, EveryKindListsItsOwn) {
  EXPECT_TRUE(lists("backbones", "gcn"));
  EXPECT_TRUE(lists("baselines", "kriging"));
  EXPECT_TRUE(lists("encoders", "grid"));
  EXPECT_TRUE(lists("heads", "mean"));
  EXPECT_TRUE(lists("losses", "mse"));
  EXPECT_TRUE(lists("presets", "paper"));
  EXPECT_FALSE(lists("backbones", "kriging"));
}

TEST(ListParts, AnUnknownKindIsRefusedWithTheNearest) {
  try {
    list_parts("backbone");
    FAIL() << "no error";
  } catch (const Error& e) {
    EXPECT_EQ(ErrorKind::usage, e.kind());
    EXPECT_NE(std::string(e.what()).find("did you mean 'backbones'"), std::string::npos);
  }
  EXPECT_THROW(list_parts(""), Error);
}

}  // namespace
}  // namespace pegnn
