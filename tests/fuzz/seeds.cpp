// Writes the seeds of the targets that read files of ours: the tiniest model of every kind, and a
// snapshot of every kind of run.
//
//   fuzz_seeds FOLDER    fills FOLDER/model, FOLDER/snapshot and FOLDER/json

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "backbone/backbone.h"
#include "base/atomic_file.h"
#include "base/options.h"
#include "base/part.h"
#include "baseline/baseline.h"
#include "model/safetensors_header.h"
#include "model/state.h"
#include "pegnn/train.h"
#include "support/combined.h"
#include "support/options.h"
#include "support/tables.h"

namespace pegnn::fuzz {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr std::size_t kRows = 9;

// As small as the options allow: a mutation of a small file hits something that matters.
Options tiny(Options o) {
  o.k = 3;
  o.steps = 2;
  o.evaluate_every = 1;
  o.batch = 8;
  o.scales = 1;
  o.encoder_hidden = 4;
  o.embedding = 1;
  o.width = 2;
  o.heads = 1;
  o.layers = 1;
  o.gp_rows = 16;
  o.gp_steps = 1;
  o.inducing = 2;
  o.trees = 2;
  o.tree_leaves = 2;
  return o;
}

struct Kind {
  std::string name;
  Options options;
  bool features = true, geographic = true;
};

std::vector<Kind> kinds() {
  std::vector<Kind> list;
  for (const std::string& name : part_names(baselines())) {
    list.push_back({name, tiny(test::small_model(name))});
  }
  for (const std::string& name : part_names(backbones())) {
    list.push_back({name, tiny(test::small_model(name)), false});
    list.push_back({"pe-" + name, tiny(test::small_model("pe-" + name))});
  }
  Options members = tiny(test::small_default());
  members.choose = "none";
  list.push_back({"default", members});
  Options bent = tiny(test::small_model("pe-gcn"));
  bent.ranks = true;
  bent.target_transform = "asinh";
  bent.graph = "test-only";
  bent.lambda = 0.5;
  bent.averaging = 0.9;
  list.push_back({"ranked", bent, true, false});
  Options among = tiny(test::small_model("pe-label_attention"));
  among.part.set("among", 1);
  among.part.set("smoother", "none");
  list.push_back({"among", among});
  return list;
}

TrainResult train_one(const Kind& kind, const fs::path& snapshot) {
  Roles roles = test::smooth_roles(kind.features);
  roles.geographic = kind.geographic;
  return train(test::smooth_table(kRows), roles, kind.options, false,
               {.threads = 1, .snapshot = snapshot, .snapshot_every = 1});
}

void write(const fs::path& file, std::string_view bytes) {
  fs::create_directories(file.parent_path());
  write_file(file, bytes);
}

// The file without options that are as they are anyway: the shorter the text, the more often a
// mutation hits what matters.
std::string shortened(const TensorFile& file) {
  TensorFile out = file;
  for (auto& [key, text] : out.metadata) {
    if (key != "pegnn.model" && !key.starts_with("pegnn.part.")) continue;
    ordered_json model = ordered_json::parse(text);
    for (const OptionText& option : option_texts(Options())) {
      if (model["options"][option.name] == option.value) model["options"].erase(option.name);
    }
    text = model.dump();
  }
  return encode_tensors(out);
}

// The parts of a model file that json_fuzz.cpp reads by themselves.
void write_json(const fs::path& folder, const std::string& name, const std::string& bytes) {
  const TensorFile tensors = decode_tensors(bytes, name);
  std::uint64_t length = 0;
  std::copy_n(bytes.data(), sizeof length, reinterpret_cast<char*>(&length));
  write(folder / (name + "_header"), bytes.substr(sizeof length, length) + '\0');
  write(folder / (name + "_model"), tensors.text("pegnn.model") + '\1');
  if (const TensorInfo* nodes = tensors.find("baseline.nodes")) {
    write(folder / (name + "_nodes"), std::string(tensors.bytes(*nodes)) + '\2');
  }
}

void write_all(const fs::path& folder) {
  for (const Kind& kind : kinds()) {
    const fs::path snapshot = folder / "snapshot" / kind.name;
    fs::create_directories(snapshot.parent_path());
    const TrainResult result = train_one(kind, snapshot);
    const std::string bytes = shortened(to_tensors(result.model.state()));
    write(folder / "model" / kind.name, bytes);
    write_json(folder / "json", kind.name, bytes);
  }
  const ModelState combined = test::combined_state(
      {tiny(test::small_model("pe-gcn")), tiny(test::small_model("kriging"))}, kRows);
  write(folder / "model" / "combined", shortened(to_tensors(combined)));
}

}  // namespace
}  // namespace pegnn::fuzz

int main(int count, char** words) {
  if (count != 2) {
    std::fputs("usage: fuzz_seeds FOLDER\n", stderr);
    return 2;
  }
  try {
    pegnn::fuzz::write_all(words[1]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "fuzz_seeds: %s\n", error.what());
    return 1;
  }
  return 0;
}
