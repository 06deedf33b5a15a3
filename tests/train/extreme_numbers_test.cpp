// Tables of extreme numbers, for every model: what comes out is finite, or a clear error.

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "backbone/backbone.h"
#include "baseline/baseline.h"
#include "pegnn/error.h"
#include "pegnn/train.h"
#include "support/options.h"
#include "support/refused.h"
#include "support/tables.h"

namespace pegnn {
namespace {

std::vector<std::string> every_model() {
  std::vector<std::string> names = part_names(baselines());
  for (const std::string& backbone : part_names(backbones())) {
    names.push_back(backbone);
    names.push_back("pe-" + backbone);
  }
  names.emplace_back("default");  // the network of the preset, with members of both kinds
  return names;
}

using Change = std::function<double(const std::string&, double)>;

// A smooth surface over the plane, each number changed.
Table changed_table(std::size_t rows, const Change& change) {
  const Table smooth = test::smooth_table(rows);
  Table table("extreme.csv");
  for (const char* name : {"lon", "lat", "a", "b", "y"}) {
    std::vector<double> values = smooth.find(name)->values;
    const std::string as = *name == 'l' ? (name[1] == 'o' ? "x" : "z") : name;
    for (double& v : values) v = change(as, v);
    table.add(as, values);
  }
  return table;
}

Roles planar() {
  return {.x = "x", .y = "z", .geographic = false, .target = "y", .features = {"a", "b"}};
}

class ExtremeNumbers : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    const BaselineEntry* baseline = find_baseline(GetParam());
    if (baseline != nullptr && baseline->available != nullptr && !baseline->available()) {
      GTEST_SKIP() << "this build has no " << GetParam();
    }
  }
  static Options options() {
    Options o = GetParam() == "default" ? test::small_default(8) : test::small_model(GetParam(), 8);
    o.evaluate_every = 4;
    o.batch = 32;
    o.width = 8;
    o.encoder_hidden = 8;
    o.gp_rows = 32;
    o.gp_steps = 8;
    o.inducing = 8;
    o.trees = 8;
    return o;
  }
  static bool uses_features() {
    const BaselineEntry* baseline = find_baseline(GetParam());
    return baseline == nullptr || baseline->uses_features;
  }

  // Trained, saved, loaded and asked at its own rows. Empty when it was refused.
  static std::vector<double> answers(const Table& table) {
    const Model model = train(table, planar(), options(), false, {.threads = 1}).model;
    const Model loaded = Model::from_bytes(model.bytes());
    const Answer p = loaded.ask(table, {}, {.threads = 1});
    for (const double v : p.mean()) EXPECT_TRUE(std::isfinite(v));
    for (const double v : p.deviation()) EXPECT_TRUE(std::isfinite(v) && v >= 0) << v;
    return std::vector<double>(p.mean().begin(), p.mean().end());
  }
  // The same answers in other units.
  static void expect_same(const std::vector<double>& plain, const std::vector<double>& other,
                          double factor) {
    ASSERT_EQ(plain.size(), other.size());
    for (std::size_t i = 0; i < plain.size(); ++i) {
      EXPECT_NEAR(plain[i], other[i] / factor, 0.02) << "row " << i;  // of a range of some 10
    }
  }
};

// As far as a double goes; the last is its smallest number, of which there are few.
constexpr double kFactors[] = {1e30, 1e-30, 1e150, 1e-150, 1e300, 1e-300, 1e-310, 5e-324};

constexpr std::size_t kRows = 40;
double same(const std::string&, double v) { return v; }

TEST_P(ExtremeNumbers, OfTheTargetChangeNothingButItsUnit) {
  const std::vector<double> plain = answers(changed_table(kRows, same));
  for (const double factor : kFactors) {
    SCOPED_TRACE(factor);
    const std::vector<double> other = answers(changed_table(
        kRows, [&](const std::string& name, double v) { return name == "y" ? v * factor : v; }));
    if (factor > 5e-324) expect_same(plain, other, factor);
  }
  for (const double offset : {1e9, 1e15, 1e30, 1e300}) {
    SCOPED_TRACE(offset);
    answers(changed_table(
        kRows, [&](const std::string& name, double v) { return name == "y" ? v + offset : v; }));
  }
}

TEST_P(ExtremeNumbers, OfTheFeaturesChangeNothing) {
  if (!uses_features()) GTEST_SKIP() << "it sees no features";
  const std::vector<double> plain = answers(changed_table(kRows, same));
  for (const double factor : kFactors) {
    SCOPED_TRACE(factor);
    const std::vector<double> other =
        answers(changed_table(kRows, [&](const std::string& name, double v) {
          return name == "a" || name == "b" ? v * factor : v;
        }));
    if (factor > 5e-324) expect_same(plain, other, 1);
  }
}

Table far_or_near(double factor) {
  return changed_table(kRows, [&](const std::string& name, double v) {
    return name == "x" || name == "z" ? v * factor : v;
  });
}

TEST_P(ExtremeNumbers, OfTheCoordinatesChangeNothingOrAreRefused) {
  const std::vector<double> plain = answers(far_or_near(1));
  // The options of the encoder end at 1e12, of which there is a warning.
  const bool encodes = GetParam().starts_with("pe-") || GetParam() == "default";
  for (const double factor : {1e30, 1e-30, 1e98, 1e-98}) {
    SCOPED_TRACE(factor);
    const std::vector<double> other = answers(far_or_near(factor));
    if (!encodes || factor < 1) expect_same(plain, other, 1);
  }
  const auto refused = [&](double factor) {
    return test::refusal([&] { answers(far_or_near(factor)); }, ErrorKind::data);
  };
  EXPECT_NE(refused(1e101).find("too large for a coordinate"), std::string::npos);
  for (const double factor : {1e-150, 1e-200, 1e-300, 1e-310, 5e-324}) {
    EXPECT_NE(refused(factor).find("cannot be told apart"), std::string::npos) << factor;
  }
}

TEST_P(ExtremeNumbers, OfPlacesThatCoincide) {
  for (const bool but_one : {false, true}) {
    std::size_t row = 0;
    answers(changed_table(kRows, [&](const std::string& name, double v) {
      if (name == "x") ++row;
      if (name != "x" && name != "z") return v;
      return but_one && name == "x" && row == 7 ? 100.0 : 5.0;
    }));
  }
}

TEST_P(ExtremeNumbers, OfColumnsThatDoNotVary) {
  for (const double value : {0.0, 1e300, -1e-300}) {
    SCOPED_TRACE(value);
    answers(changed_table(kRows, [&](const std::string& name, double v) {
      return name == "a" || name == "b" ? value : v;
    }));
    const std::vector<double> constant = answers(changed_table(
        kRows, [&](const std::string& name, double v) { return name == "y" ? value : v; }));
    for (const double v : constant) EXPECT_EQ(value, v);
  }
}

TEST_P(ExtremeNumbers, OfRows) {
  // Around three, the fewest, and around the numbers of neighbours: 5, 10, 24, 30.
  for (const std::size_t rows : {3U, 4U, 5U, 6U, 7U, 10U, 11U, 12U, 24U, 25U, 26U, 30U, 31U, 32U}) {
    SCOPED_TRACE(rows);
    answers(changed_table(rows, same));
  }
  for (const std::size_t rows : {1U, 2U}) {
    EXPECT_NE(test::refusal([&] { answers(changed_table(rows, same)); }, ErrorKind::data)
                  .find("at least 3 are needed"),
              std::string::npos);
  }
}

INSTANTIATE_TEST_SUITE_P(Of, ExtremeNumbers, testing::ValuesIn(every_model()),
                         [](const auto& name) {
                           std::string word = name.param;
                           std::ranges::replace(word, '-', '_');
                           return word;
                         });

}  // namespace
}  // namespace pegnn
