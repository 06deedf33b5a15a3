// The limits of docs/model_format.md: what just keeps one is read, what just passes it is refused.
// Those of the description are in json_field_test.cpp.

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "model/safetensors.h"
#include "pegnn/model.h"
#include "support/forged_file.h"
#include "support/model_files.h"
#include "support/refused.h"

namespace pegnn {
namespace {

// A small file, to be made larger.
test::ForgedFile small() {
  TensorFile file;
  file.metadata["k"] = "v";
  file.add("a", {1}, std::vector<double>{1.5});
  return test::ForgedFile(encode_tensors(file));
}

std::size_t header_bytes(const std::string& bytes) { return bytes.size() - 8 - 8; }

void expect_read(const test::ForgedFile& file) {
  EXPECT_NO_THROW(decode_tensors(file.bytes(), "m"));
}

std::string why_not(const test::ForgedFile& file) {
  return test::refusal([&] { decode_tensors(file.bytes(), "m"); }, ErrorKind::model);
}

TEST(Limits, OfTheHeader) {
  test::ForgedFile file = small();
  file.set_text("k", std::string(kMaxHeaderBytes - header_bytes(file.bytes()), 'x'));
  ASSERT_EQ(kMaxHeaderBytes, header_bytes(file.bytes()));
  expect_read(file);
  file.set_text("k", file.text("k") + "12345678");
  EXPECT_NE(why_not(file).find("the header's length is given as 16777224"), std::string::npos);
}

TEST(Limits, OfTensors) {
  test::ForgedFile file = small();
  const test::ForgedFile::Tensor empty{
      "", {{"dtype", "\"F32\""}, {"shape", "[0]"}, {"data_offsets", "[8,8]"}}, "", 8};
  while (file.tensors.size() < kMaxTensors) {
    file.tensors.push_back(empty);
    file.tensors.back().name = std::to_string(file.tensors.size());
  }
  expect_read(file);
  file.tensors.push_back(empty);
  EXPECT_EQ("m: header: more than 4096 tensors", why_not(file));
}

TEST(Limits, OfDimensions) {
  test::ForgedFile file = small();
  file.tensors[0].fields[1].second = "[1,1,1,1,1,1,1,1]";
  expect_read(file);
  file.tensors[0].fields[1].second = "[1,1,1,1,1,1,1,1,1]";
  EXPECT_EQ("m: tensor 'a' has more than 8 dimensions", why_not(file));
}

TEST(Limits, OfNames) {
  test::ForgedFile file = small();
  file.tensors[0].name = std::string(kMaxNameBytes, 'n');
  file.metadata[0].first = std::string(kMaxNameBytes, 'k');
  expect_read(file);
  file.tensors[0].name += 'n';
  EXPECT_EQ("m: header: a name of 263 bytes; at most 262 are allowed", why_not(file));
  file = small();
  file.metadata[0].first = std::string(kMaxNameBytes + 7, 'k');
  EXPECT_EQ("m: header: a name of 263 bytes; at most 262 are allowed", why_not(file));
}

TEST(Limits, OfMetadata) {
  test::ForgedFile file = small();
  // The checksums of the header and of the one tensor count too.
  while (file.metadata.size() < kMaxMetadata + kMaxTensors - 2) {
    file.metadata.emplace_back(std::to_string(file.metadata.size()), "\"\"");
  }
  expect_read(file);
  while (file.metadata.size() <= kMaxMetadata + kMaxTensors) {
    file.metadata.emplace_back(std::to_string(file.metadata.size()), "\"\"");
  }
  EXPECT_EQ("m: header: metadata of more than 4160 keys", why_not(file));
}

// One place of the training points moved to where it just may be, and beyond.
void expect_places(const char* model, double farthest, double too_far) {
  const auto& files = test::model_files();
  for (const char* name : {"training.points", "baseline.points"}) {
    test::ForgedFile file(std::ranges::find(files, model, &test::ModelFile::name)->bytes);
    const auto move = [&](double y) {
      std::memcpy(file.find(name)->data.data() + sizeof(double), &y, sizeof y);
    };
    move(farthest);
    EXPECT_NO_THROW(Model::from_bytes(file.bytes(), "m")) << name;
    move(too_far);
    const std::string message =
        test::refusal([&] { Model::from_bytes(file.bytes(), "m"); }, ErrorKind::model);
    EXPECT_NE(message.find("points' holds a place that cannot be"), std::string::npos) << message;
  }
}

TEST(Limits, OfPlaces) {
  expect_places("knn", 90, 90.001);
  expect_places("knn", -90, -90.001);
}

}  // namespace
}  // namespace pegnn
