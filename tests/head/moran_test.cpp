#include <gtest/gtest.h>

#include "head/head.h"
#include "model/preset.h"

namespace pegnn {
namespace {

TEST(MoranHead, IsTrainedOnTheLocalMoransI) {
  EXPECT_EQ(HeadTarget::local_moran, find_part(heads(), "head", "moran").target);
}

TEST(MoranHead, CannotBeAskedForAsTheMainHead) {
  Options o;
  o.head = "moran";
  try {
    check_options(o);
    FAIL() << "no error";
  } catch (const Error& e) {
    EXPECT_EQ(ErrorKind::usage, e.kind());
    EXPECT_NE(std::string(e.what()).find("--lambda"), std::string::npos);
  }
}

}  // namespace
}  // namespace pegnn
