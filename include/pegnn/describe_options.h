#pragma once
// The options, declared once: name, range, sentence. The command line, the config file, the model
// file, `--help` and the docs are made from here and from what parts declare for themselves.

#include <cstddef>
#include <span>
#include <string_view>

#include "pegnn/options.h"

namespace pegnn {

// Calls field(group, name, reference, limits, sentence) for every option that is no part's own.
// Sentences name other options neutrally (pegnn/option_names.h).
template <class OptionsRef, class Visitor>
void describe_shared(OptionsRef& o, Visitor&& field) {
  constexpr double kMost = 9.0e15;  // integers below 2^53 survive JSON and TOML readers
  field("What is trained", "model", o.model, Limits{.list = "baselines"},
        "What is trained: network, the one that <option:encoder> and <option:backbone> describe; "
        "BACKBONE or pe-BACKBONE, that network without or with the encoder; or a baseline. See "
        "`pegnn list baselines`.");

  field("Graph", "k", o.k, Limits{0, kMostNeighbours},
        "Neighbours per point; 0 takes the model's own number: 5 for most networks, 24 for "
        "label_attention.");
  field("Graph", "neighbourhood", o.neighbourhood, Limits{.list = "neighbourhoods"},
        "Whom a point listens to; auto is the backbone's own. See `pegnn list neighbourhoods`.");
  field("Graph", "metric", o.metric, Limits{.words = "auto|great-circle|planar|degrees"},
        "Distance: auto takes great-circle for longitude/latitude and planar for x/y; degrees is "
        "the published code's Euclidean distance on raw degrees.");
  field("Graph", "edge-weight", o.edge_weight, Limits{.words = "minmax|gaussian|binary"},
        "Edge length to weight: minmax (dmax-d)/(dmax-dmin), gaussian exp(-d2/2l2) with l the "
        "median length, binary 1.");
  field("Graph", "graph", o.graph, Limits{.words = "train|test-only"},
        "Prediction graph: train attaches each new point to its nearest training points; test-only "
        "links the new points among themselves (the paper's protocol).");
  field("Graph", "taper", o.taper, Limits{},
        "Neighbours count less and less towards the next point outside, so that the surface has no "
        "jumps where the nearest points change: kriging, nngp, idw and label_attention.");

  field("Encoder", "encoder", o.encoder, Limits{.list = "encoders"},
        "Positional encoder; see `pegnn list encoders`.");
  field("Encoder", "encoder-network", o.encoder_network, Limits{.words = "shallow|deep"},
        "Network after the sinusoidal transform: shallow, one sigmoid layer (the paper's text); "
        "deep, hidden ReLU, then half and quarter tanh (the published code).");
  field("Encoder", "scales", o.scales, Limits{1, 256}, "Scales S of the sinusoidal transform.");
  field("Encoder", "sigma-min", o.sigma_min, Limits{0, 1e12},
        "Finest scale, in coordinate units; 0 takes it from the spacing of the points.");
  field("Encoder", "sigma-max", o.sigma_max, Limits{0, 1e12},
        "Coarsest scale, in coordinate units; 0 takes it from the extent of the points.");
  field("Encoder", "encoder-hidden", o.encoder_hidden, Limits{4, 4096},
        "Width of the deep encoder network's first layer.");
  field("Encoder", "embedding", o.embedding, Limits{1, 4096}, "Width of the encoder's output.");
  field("Encoder", "encoder-dropout", o.encoder_dropout, Limits{0, 0.99},
        "Dropout inside the deep encoder network, in steps of 1/256.");

  field("Network", "backbone", o.backbone, Limits{.list = "backbones"},
        "Graph network; see `pegnn list backbones`.");
  field("Network", "layers", o.layers, Limits{1, 16}, "Layers of the backbone.");
  field("Network", "width", o.width, Limits{1, kMostWidth}, "Width of the backbone's layers.");
  field("Network", "dropout", o.dropout, Limits{0, 0.99},
        "Dropout after each backbone layer, in steps of 1/256.");
  field("Network", "heads", o.heads, Limits{1, 256},
        "Attention heads: those of gat share the width, which must be a multiple; those of "
        "label_attention have the width each.");
  field("Network", "head", o.head, Limits{.list = "heads"},
        "Prediction head; see `pegnn list heads`.");

  field("Loss", "loss", o.loss, Limits{.list = "losses"}, "Main loss; see `pegnn list losses`.");
  field("Loss", "lambda", o.lambda, Limits{0, 1e6},
        "Weight of the auxiliary Moran's I task; 0 switches it off.");
  field("Loss", "uncertainty-weights", o.uncertainty_weights, Limits{},
        "Learn the task weights from task uncertainty; lambda is then unused.");
  field("Loss", "uncertainty-form", o.uncertainty_form, Limits{.words = "paper|reference"},
        "paper: L/(2 s2) + log s; reference: L/(2 s2) + log s2 (the published code).");
  field("Loss", "moran-weights", o.moran_weights, Limits{.words = "binary|weighted|row"},
        "Spatial weights of the auxiliary target: binary 1 per neighbour, weighted the graph's "
        "edge weights, row 1/k.");
  field("Loss", "moran-scale", o.moran_scale, Limits{.words = "none|batch"},
        "Scale of the auxiliary target: none, or batch (min-max within each batch, the published "
        "code).");

  field("Training", "scaling", o.scaling, Limits{.words = "minmax|standard|none"},
        "Scaling of target and features: minmax to [0,1], standard to mean 0 and deviation 1, none "
        "as they are.");
  field("Training", "scale-over", o.scale_over, Limits{.words = "train|all"},
        "Rows the scaler is fitted on; in evaluate, all includes the test rows, as the paper's "
        "tables "
        "do.");
  field(
      "Training", "ranks", o.ranks, Limits{},
      "Beside every feature a copy by its rank among the training rows, as a normal score; scaled "
      "features are then cut off at -8 and 8. For coded and heavy-tailed features.");
  field("Training", "target-transform", o.target_transform, Limits{.words = "none|asinh"},
        "What is learned: none, the target; asinh, asinh((y - median) / spread), for a target with "
        "heavy tails. Predictions come back in the target's units, then medians rather than "
        "means.");
  field("Training", "optimiser", o.optimiser, Limits{.words = "adam|adamw"},
        "adam adds weight decay to the gradient, adamw to the step.");
  field("Training", "learning-rate", o.learning_rate, Limits{0, 100},
        "Step size; 0: 0.003, or 0.004 from 8,192 rows on.");
  field("Training", "schedule", o.schedule, Limits{.words = "constant|one-cycle"},
        "Step size over the run: constant; one-cycle rises to <option:learning-rate> over the "
        "first tenth of the steps and falls to zero by the last.");
  field("Training", "clip", o.clip, Limits{0, 1e12},
        "Gradients longer than this are shortened to it; 0 leaves them.");
  field("Training", "averaging", o.averaging, Limits{0, 0.99999},
        "Weights are averaged over the steps, with this share of the old average kept at each; 0 "
        "takes those of the last step.");
  field("Training", "weight-decay", o.weight_decay, Limits{0, 100}, "Weight decay.");
  field(
      "Training", "batch", o.batch, Limits{-1, kMost},
      "Points per step, drawn anew each time; 0 or more than there are: all of them; -1: 2048, or "
      "1024 for tables of fewer than 10,000 training rows, as the paper does.");
  field("Training", "steps", o.steps, Limits{0, kMost},
        "Training steps at most; 0: what 25 passes over the rows take, but no fewer than 400 (200 "
        "and a tenth of the rows on tables of fewer than 2,000) and no more than 800.");
  field("Training", "validation", o.validation, Limits{0, 0.9},
        "Share of the training rows held back for early stopping, at most 8,192 rows; 0 trains on "
        "all rows to the last step.");
  field("Training", "evaluate-every", o.evaluate_every, Limits{1, kMost},
        "Steps between two looks at the validation rows.");
  field("Training", "patience", o.patience, Limits{0, kMost},
        "Looks without a better validation error before training stops; 0 never stops early.");
  field("Training", "members", o.members, Limits{0, 100},
        "Networks trained with seeds of their own and rows of their own held back; a prediction is "
        "their mean. 0: six, or four from 8,192 rows on.");
  field("Training", "choose", o.choose, Limits{},
        "Settings chosen by the error on the rows held back: none, or some of encoder, ranks, "
        "target-transform, k and width (twice as much), dropout (0.1 or 0.3) and among (0 or 1), "
        "separated by commas, with one training run more for each. What is given by itself is not "
        "chosen.");
  field("Training", "combine", o.combine, Limits{.words = "none|auto"},
        "auto: models of other kinds (a Gaussian process and, where there are features, boosted "
        "trees) answer beside the network, as far as rows held back near and far say so; none: the "
        "network alone.");
  field("Training", "seed", o.seed, Limits{0, kMost},
        "Same seed, same model, on any number of threads.");

  field("Baselines", "knn-weights", o.knn_weights, Limits{.words = "uniform|distance"},
        "Mean of the neighbours in knn: all alike, or weighted by 1/distance.");
  field("Baselines", "idw-power", o.idw_power, Limits{0.01, 100},
        "Power p of the weights 1/distance^p in idw.");
  field("Baselines", "kernel", o.kernel,
        Limits{.words = "auto|exponential|matern32|matern52|gaussian"},
        "Covariance of kriging, nngp, gp and svgp; exponential is Matern 1/2, gaussian is RBF; "
        "auto is matern32 for gp and svgp; kriging and nngp take the exponential, matern32 or "
        "matern52, whichever tells training rows left out best.");
  field("Baselines", "fit", o.fit, Limits{.words = "likelihood|variogram"},
        "How kriging finds range, sill and nugget.");
  field("Baselines", "range", o.range, Limits{0, 1e12},
        "Range of kriging's and nngp's covariance, in metres on the sphere, else in coordinate "
        "units; 0 fits it.");
  field("Baselines", "sill", o.sill, Limits{0, 1e300},
        "Variance of the spatial part (partial sill), in squared units of the target; 0 fits it.");
  field("Baselines", "nugget", o.nugget, Limits{-1, 1e300},
        "Variance of the noise, in squared units of the target; a negative number fits it.");
  field("Baselines", "ard", o.ard, Limits{.words = "none|features|all"},
        "Length scales of gp and svgp: none, one for the place and one for the features; features, "
        "one for the place and one for each feature; all, one for each coordinate too.");
  field("Baselines", "gp-rows", o.gp_rows, Limits{16, 1e6},
        "Rows on which gp learns its hyper-parameters; it predicts from all rows.");
  field("Baselines", "gp-steps", o.gp_steps, Limits{0, kMost},
        "Optimiser steps of gp and svgp at most; 0 takes the method's own number.");
  field("Baselines", "inducing", o.inducing, Limits{0, 1e5},
        "Inducing points of svgp; 0: 500, or half the rows, but no fewer than 100, where that is "
        "less.");
  field("Baselines", "trees", o.trees, Limits{1, 1e6},
        "Trees of boosting at most; validation rows decide, without any there are 15/tree-rate.");
  field("Baselines", "tree-leaves", o.tree_leaves, Limits{2, 65536}, "Leaves of a tree.");
  field("Baselines", "tree-rate", o.tree_rate, Limits{1e-6, 1}, "Learning rate of boosting.");
}

// Calls field(group, name, reference, limits, sentence) for every option, in the order of `--help`.
template <class OptionsRef, class Visitor>
void describe(OptionsRef& o, Visitor&& field) {
  const std::span<const PartOption* const> own = part_options();
  std::string_view heading;
  // Those of parts that stand behind `name`, or, without a name, at the end of the group.
  const auto behind = [&](const auto& self, std::string_view name) -> void {
    for (std::size_t i = 0; i < own.size(); ++i) {
      const PartOption& p = *own[i];
      if (name != p.after || heading != p.group) continue;
      o.part.visit(i, [&](auto& value) { field(p.group, p.name, value, p.limits, p.sentence); });
      self(self, p.name);
    }
  };
  describe_shared(o, [&](const char* group, const char* name, auto& value, const Limits& limits,
                         const char* sentence) {
    if (heading != group) behind(behind, "");
    heading = group;
    field(group, name, value, limits, sentence);
    behind(behind, name);
  });
  behind(behind, "");
}

}  // namespace pegnn
