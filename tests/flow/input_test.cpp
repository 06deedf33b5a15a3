#include "flow/input.h"

#include <gtest/gtest.h>

#include "base/atomic_file.h"
#include "support/gdal.h"
#include "support/refused.h"

namespace pegnn {
namespace {

TEST(ModelFile, IsAFileOrLiesInItsFolder) {
  const test::Folder folder;
  const auto refused = [](const std::filesystem::path& place) {
    return test::refusal([&] { model_file(place.string()); }, ErrorKind::resource);
  };
  EXPECT_NE(std::string::npos, refused(folder / "none").find("there is no model"));
  EXPECT_NE(std::string::npos, refused(folder / "").find("holds no model.safetensors"));
  write_file(folder / "snapshot.safetensors", "");
  EXPECT_TRUE(refused(folder / "").ends_with("continue it with --resume"));
  write_file(folder / "model.safetensors", "");
  EXPECT_EQ(folder / "model.safetensors", model_file((folder / "").string()));
  EXPECT_EQ(folder / "model.safetensors", model_file((folder / "model.safetensors").string()));
}

}  // namespace
}  // namespace pegnn
