#include "pegnn/model.h"

#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "base/atomic_file.h"
#include "pegnn/error.h"
#include "pegnn/train.h"
#include "support/options.h"
#include "support/tables.h"

namespace pegnn {
namespace {

Model trained(const std::string& name) {
  return train(test::smooth_table(60), test::smooth_roles(), test::small_model(name), false,
               {.threads = 1})
      .model;
}

TEST(ModelBytes, AreThoseOfTheFile) {
  const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / "bytes.pegnn";
  for (const char* name : {"pe-gcn", "label_attention", "kriging"}) {
    const Model model = trained(name);
    model.save(file);
    const std::string bytes = model.bytes();
    EXPECT_EQ(read_file(file), bytes) << name;
    const Model back = Model::from_bytes(bytes);
    EXPECT_EQ(bytes, back.bytes()) << name;
    const std::vector<Point> points = {{11, 46}, {12.5, 48}};
    const std::vector<double> features = {0.1, 0.2, 0.3, 0.4};
    const std::size_t values = model.info().roles.features.size() * points.size();
    const std::vector<double> some(features.begin(),
                                   features.begin() + static_cast<std::ptrdiff_t>(values));
    EXPECT_EQ(model.predict(points, some, {}), back.predict(points, some, {})) << name;
  }
  std::filesystem::remove(file);
}

TEST(ModelBytes, ThatAreDamagedAreRefusedByTheNameTheyWereGiven) {
  const std::string bytes = trained("pe-gcn").bytes();
  std::string changed = bytes;
  changed[bytes.size() - 5] ^= 1;
  for (const std::string& damaged : {std::string(), bytes.substr(0, bytes.size() / 2), changed}) {
    try {
      Model::from_bytes(damaged, "pickle");
      FAIL() << "accepted " << damaged.size() << " bytes";
    } catch (const Error& e) {
      EXPECT_EQ(ErrorKind::model, e.kind());
      EXPECT_EQ(0U, std::string(e.what()).find("pickle: ")) << e.what();
    }
  }
}

}  // namespace
}  // namespace pegnn
