#include <gtest/gtest.h>

#include "encoder/encoder.h"
#include "pegnn/options.h"

namespace pegnn {
namespace {

TEST(NoneEncoder, AddsNothing) {
  Options o;
  o.encoder = "none";
  const auto encoder = make_encoder<float>(o);
  ParamLayout layout;
  WorkPlan plan;
  encoder->plan({layout, plan, "encoder"});
  EXPECT_EQ(0, encoder->width());
  EXPECT_EQ(0, encoder->basis_width());
  EXPECT_EQ(0, layout.size());
}

TEST(NoneEncoder, AnUnknownEncoderNamesTheKnownOnes) {
  Options o;
  o.encoder = "gird";
  try {
    make_encoder<float>(o);
    FAIL() << "no error";
  } catch (const Error& e) {
    EXPECT_EQ(ErrorKind::usage, e.kind());
    EXPECT_EQ(
        "unknown encoder 'gird'; did you mean 'grid'? known: " + join(part_names(encoders()), ", "),
        e.what());
  }
}

}  // namespace
}  // namespace pegnn
