// Models written in every format that there was are read, and answer what they answered then; but
// for boosted trees of format 1, which are refused with what to do.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "base/options.h"
#include "model/state.h"
#include "pegnn/model.h"
#include "pegnn/table.h"
#include "support/forged_file.h"
#include "support/places.h"
#include "support/refused.h"

namespace pegnn {
namespace {

const std::filesystem::path kFolder = test::source_folder() / "tests" / "model" / "formats";

std::vector<std::filesystem::path> kept_files() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
    if (entry.path().extension() == ".safetensors") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

bool holds_bytes_of_the_tree_library(const TensorFile& file) {
  const TensorInfo* const trees = file.find("baseline.trees");
  return trees != nullptr && trees->dtype == Dtype::u8;
}

// Other processors and libraries round in other ways.
void expect_close(const Table& kept, const char* name, std::span<const double> now) {
  const Column* column = kept.find(name);
  ASSERT_NE(column, nullptr) << name;
  ASSERT_EQ(column->values.size(), now.size());
  for (std::size_t i = 0; i < now.size(); ++i) {
    EXPECT_NEAR(column->values[i], now[i], 1e-4 * (1 + std::abs(column->values[i])))
        << name << " of row " << i;
  }
}

TEST(KeptFormat, EachIsReadAndAnswersWhatItDid) {
  std::set<std::string> formats;
  for (const std::filesystem::path& file : kept_files()) {
    SCOPED_TRACE(file.filename().string());
    const TensorFile tensors = load_tensors(file);
    const std::string& format = tensors.text("pegnn.format");
    EXPECT_EQ(0U, file.filename().string().find("format_" + format + "_"));
    formats.insert(format);
    if (holds_bytes_of_the_tree_library(tensors)) continue;
    const Model model = Model::load(file);
    std::filesystem::path answers = file;
    const Table kept = read_table(answers.replace_extension(".csv"));
    const Answer p = model.ask(kept, {}, {.threads = 2});
    expect_close(kept, "pred", p.mean());
    if (!p.deviation().empty()) expect_close(kept, "pred_sd", p.deviation());
    // What is saved now is read again, and says the same.
    const Model again = Model::from_bytes(model.bytes());
    EXPECT_EQ(std::vector<double>(p.mean().begin(), p.mean().end()),
              again.predict(kept, {}, false, {.threads = 1}));
  }
  for (int format = 1; format <= kModelFormat; ++format) {
    EXPECT_EQ(1U, formats.count(std::to_string(format))) << "no file of format " << format;
  }
}

TEST(KeptFormat, TreesInTheBytesOfTheirLibraryAreRefusedWithWhatToDo) {
  int refused = 0;
  for (const std::filesystem::path& file : kept_files()) {
    const TensorFile tensors = load_tensors(file);
    if (!holds_bytes_of_the_tree_library(tensors)) continue;
    EXPECT_EQ("1", tensors.text("pegnn.format"));
    const std::string message = test::refusal([&] { Model::load(file); }, ErrorKind::model);
    EXPECT_NE(message.find("train the model again with this version"), std::string::npos)
        << message;
    ++refused;
  }
  EXPECT_EQ(1, refused);
}

// A model of today is written with the same bytes by every build that knows its options.
TEST(KeptFormat, OptionsAreWrittenInTheOrderInWhichTheyWere) {
  for (const std::filesystem::path& file : kept_files()) {
    SCOPED_TRACE(file.filename().string());
    const TensorFile tensors = load_tensors(file);
    const auto model = nlohmann::ordered_json::parse(tensors.text("pegnn.model"));
    const std::vector<std::string>& names = option_names();
    auto at = names.begin();
    for (const auto& [name, value] : model["options"].items()) {
      at = std::find(at, names.end(), name);
      ASSERT_NE(at, names.end()) << name << " is gone or stands before one that it stood behind";
    }
  }
}

TEST(KeptFormat, ANewerOneIsRefusedByItsNumber) {
  for (const std::filesystem::path& file : kept_files()) {
    test::ForgedFile newer(read_file(file));
    newer.set_text("pegnn.format", std::to_string(kModelFormat + 1));
    newer.set_text("pegnn.version", "7.5.3");
    const std::string message =
        test::refusal([&] { Model::from_bytes(newer.bytes(), "m"); }, ErrorKind::model);
    EXPECT_NE(message.find("written in model format " + std::to_string(kModelFormat + 1) +
                           " by pegnn 7.5.3; this is pegnn "),
              std::string::npos)
        << message;
    EXPECT_NE(message.find("a newer pegnn is needed"), std::string::npos) << message;
  }
}

}  // namespace
}  // namespace pegnn
