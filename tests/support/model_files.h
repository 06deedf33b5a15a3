#pragma once
// Small model files of every kind that there is, made once for a run of the test program.

#include <string>
#include <vector>

#include "backbone/backbone.h"
#include "baseline/baseline.h"
#include "pegnn/model.h"
#include "pegnn/train.h"
#include "support/combined.h"
#include "support/options.h"
#include "support/tables.h"

namespace pegnn::test {

struct ModelFile {
  std::string name, bytes;
};

// As small as a model can be without losing a part that a file can hold.
inline Options tiny(Options o) {
  o.steps = 2;
  o.evaluate_every = 1;
  o.batch = 16;
  o.width = 4;
  o.scales = 2;
  o.encoder_hidden = 4;
  o.embedding = 2;
  o.gp_rows = 16;
  o.gp_steps = 2;
  o.inducing = 4;
  o.trees = 3;
  o.tree_leaves = 4;
  return o;
}

struct NamedOptions {
  std::string name;
  Options options;
};

// Every backbone with and without the encoder, every baseline that this build has, the default
// network with members of both kinds, and the options that add to a file: ranks, a transform of the
// target, learned weights of two tasks.
inline std::vector<NamedOptions> tiny_models() {
  std::vector<NamedOptions> models;
  for (const BackboneEntry* entry : backbones()) {
    const std::string name(entry->info.name);
    models.push_back({name, tiny(small_model(name))});
    models.push_back({"pe-" + name, tiny(small_model("pe-" + name))});
  }
  for (const BaselineEntry* entry : baselines()) {
    if (entry->available != nullptr && !entry->available()) continue;
    const std::string name(entry->info.name);
    models.push_back({name, tiny(small_model(name))});
  }
  models.push_back({"default", tiny(small_default())});
  Options ranked = tiny(small_model("pe-gat"));
  ranked.ranks = true;
  ranked.target_transform = "asinh";
  ranked.uncertainty_weights = true;
  models.push_back({"ranked", ranked});
  ranked.model = "knn";
  models.push_back({"ranked_knn", ranked});
  return models;
}

// A network, a baseline that sees its features and one that sees none, put together.
inline const char* const kCombinedFile = "combined";

inline std::vector<std::string> model_file_names() {
  std::vector<std::string> names;
  for (const auto& [name, options] : tiny_models()) names.push_back(name);
  names.emplace_back(kCombinedFile);
  return names;
}

// In the order of `model_file_names`.
inline const std::vector<ModelFile>& model_files() {
  static const std::vector<ModelFile> files = [] {
    std::vector<ModelFile> made;
    for (const auto& [name, options] : tiny_models()) {
      const Model model =
          train(smooth_table(14), smooth_roles(), options, false, {.threads = 1}).model;
      made.push_back({name, model.bytes()});
    }
    const Model combined(combined_state(
        {tiny(small_model("label_attention")), tiny(small_model("nngp")), tiny(small_model("knn"))},
        14));
    made.push_back({kCombinedFile, combined.bytes()});
    return made;
  }();
  return files;
}

}  // namespace pegnn::test
