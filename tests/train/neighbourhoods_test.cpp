// Every backbone on every neighbourhood that tells what it reads.

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "backbone/backbone.h"
#include "model/state.h"
#include "neighbourhood/neighbourhood.h"
#include "pegnn/train.h"
#include "support/options.h"
#include "support/tables.h"

namespace pegnn {
namespace {

struct Pair {
  std::string backbone, neighbourhood;
};

std::vector<Pair> pairs() {
  std::vector<Pair> all;
  for (const BackboneEntry* backbone : backbones()) {
    for (const NeighbourhoodEntry* around : neighbourhoods()) {
      if (around->tells != backbone->reads) continue;
      all.push_back({std::string(backbone->info.name), std::string(around->info.name)});
    }
  }
  return all;
}

class BackboneOnNeighbourhood : public testing::TestWithParam<Pair> {};
INSTANTIATE_TEST_SUITE_P(List, BackboneOnNeighbourhood, testing::ValuesIn(pairs()),
                         [](const auto& each) {
                           return each.param.backbone + "_" + each.param.neighbourhood;
                         });

TEST_P(BackboneOnNeighbourhood, LearnsAndAnswersTheSameFromItsFile) {
  Options o = test::small_model("pe-" + GetParam().backbone, 12);
  o.neighbourhood = GetParam().neighbourhood;
  o.part.set("radius", 300e3);
  o.batch = 60;
  const Table table = test::smooth_table(120);
  const Model model = train(table, test::smooth_roles(), o, false, {.threads = 2}).model;
  const Model back(
      from_tensors(decode_tensors(encode_tensors(to_tensors(model.state())), "model")));
  const Table places = test::smooth_table(25, 9);
  const std::vector<double> first = model.predict(places, {}, false, {.threads = 1});
  EXPECT_EQ(first, back.predict(places, {}, false, {.threads = 2}));
  for (const double value : first) EXPECT_TRUE(std::isfinite(value));
}

}  // namespace
}  // namespace pegnn
