#pragma once
// Everything that decides what a model becomes. Names, ranges and sentences of the options are in
// pegnn/describe_options.h.

#include <cstdint>
#include <string>

#include "pegnn/part_option.h"

namespace pegnn {

// Every field is documented by `describe`. The defaults are those of a plain network, which
// is what an option means that an old model file does not know; what a run uses if nothing is said
// is preset("default") (pegnn/train.h).
struct Options {
  // Model
  std::string model = "network";
  // Graph
  std::int64_t k = 0;
  std::string neighbourhood = "auto";
  std::string metric = "auto";
  std::string edge_weight = "minmax";
  std::string graph = "train";
  bool taper = false;
  // Encoder
  std::string encoder = "grid";
  std::string encoder_network = "deep";
  std::int64_t scales = 16;
  double sigma_min = 0;
  double sigma_max = 0;
  std::int64_t encoder_hidden = 128;
  std::int64_t embedding = 64;
  double encoder_dropout = 0.1;
  // Backbone
  std::string backbone = "gcn";
  std::int64_t layers = 2;
  std::int64_t width = 32;
  double dropout = 0.1;
  std::int64_t heads = 1;
  // Loss
  std::string head = "mean";
  std::string loss = "mse";
  double lambda = 0.25;
  bool uncertainty_weights = false;
  std::string uncertainty_form = "paper";
  std::string moran_weights = "binary";
  std::string moran_scale = "batch";
  // Training
  std::string scaling = "standard";
  std::string scale_over = "train";
  bool ranks = false;
  std::string target_transform = "none";
  std::string optimiser = "adam";
  double learning_rate = 1e-3;
  std::string schedule = "constant";
  double clip = 0;
  double averaging = 0;
  double weight_decay = 0;
  std::int64_t batch = 2048;
  std::int64_t steps = 3000;
  double validation = 0.1;
  std::int64_t evaluate_every = 50;
  std::int64_t patience = 20;
  std::int64_t members = 1;
  std::string choose = "none";
  std::string combine = "none";
  std::int64_t seed = 0;
  // Baselines
  std::string knn_weights = "uniform";
  double idw_power = 2;
  std::string kernel = "auto";
  std::string fit = "likelihood";
  double range = 0;
  double sill = 0;
  double nugget = -1;
  std::string ard = "features";
  std::int64_t gp_rows = 4096;
  std::int64_t gp_steps = 0;
  std::int64_t inducing = 0;
  std::int64_t trees = 2000;
  std::int64_t tree_leaves = 31;
  double tree_rate = 0.05;
  // What parts declare for themselves, by name.
  PartOptions part;

  friend bool operator==(const Options&, const Options&) = default;
};

// Above these a network is a mistake of typing.
inline constexpr std::int64_t kMostNeighbours = 1024, kMostWidth = 4096;

}  // namespace pegnn
