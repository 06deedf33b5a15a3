#pragma once
// Tests with a folder of their own, and small layers to put there.

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/atomic_file.h"
#include "io/gdal.h"
#include "support/gdal.h"

namespace pegnn::test {

class GdalTest : public testing::Test {
 protected:
  void SetUp() override { PEGNN_NEEDS_GDAL(); }

  // A file of that name with those bytes.
  std::string file(const std::string& name, const std::string& bytes) const {
    write_file(folder_ / name, bytes);
    return place(name);
  }
  std::string place(const std::string& name) const { return (folder_ / name).string(); }
  static const Gdal& module() { return gdal("tests"); }

  Folder folder_;
};

// GeoJSON of features, each its properties without braces and its geometry.
inline std::string collection(const std::vector<std::pair<std::string, std::string>>& features,
                              const std::string& crs = "") {
  std::string text = "{\"type\":\"FeatureCollection\",";
  if (!crs.empty()) {
    text += R"("crs":{"type":"name","properties":{"name":")" + crs + R"("}},)";
  }
  text += "\"features\":[";
  for (std::size_t i = 0; i < features.size(); ++i) {
    text += (i > 0 ? ",\n" : "") + std::string("{\"type\":\"Feature\",\"properties\":{") +
            features[i].first + "},\"geometry\":" + features[i].second + "}";
  }
  return text + "]}";
}

inline std::string at(double x, double y) {
  return R"({"type":"Point","coordinates":[)" + std::to_string(x) + "," + std::to_string(y) + "]}";
}

}  // namespace pegnn::test
