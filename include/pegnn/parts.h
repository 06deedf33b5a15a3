#pragma once
// The parts of the method by themselves, on arrays, for those who build something else of them.
// Error{usage} for arrays that do not fit together, for numbers that are not finite and, on the
// globe, for places outside [-180, 360] and [-90, 90]. No points give an empty result. Results do
// not depend on the number of threads (0: all cores).

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "pegnn/geo.h"
#include "pegnn/options.h"

namespace pegnn {

// A part that a model can be made of, as `pegnn list` tells it.
struct Part {
  std::string name, summary, source;
};
// Of a kind: backbones, baselines, encoders, heads, losses, metrics, neighbourhoods or presets;
// Error{usage} for another.
std::vector<Part> list_parts(const std::string& kind);

// The transform that the positional encoder `grid` begins with: sine and cosine of each coordinate
// divided by each of `scales` scales from sigma_min to sigma_max, in geometric steps. Rows x 4
// scales, by coordinate, then scale, then sine and cosine. Error{usage} for scales below one or
// sigmas that are not positive.
std::vector<double> sinusoidal_transform(std::span<const Point> points, std::int64_t scales,
                                         double sigma_min, double sigma_max, int threads);

// Who listens to whom: the edges of node i stand at [offsets[i], offsets[i + 1]), nearest first.
struct NeighbourGraph {
  std::vector<std::int64_t> offsets;  // nodes + 1
  std::vector<std::int32_t> columns;  // the other end of each edge
  std::vector<double> lengths;        // metres on the sphere, coordinate units otherwise
  std::vector<double> weights;        // what the network sees of the lengths

  std::int64_t nodes() const { return static_cast<std::int64_t>(offsets.size()) - 1; }
};

// The k nearest neighbours of every point among the others, exact, ties to the lower row; all
// others where there are fewer. `edge_weight` is minmax, gaussian or binary (Options::edge_weight).
NeighbourGraph neighbour_graph(std::span<const Point> points, Space space, std::int64_t k,
                               const std::string& edge_weight, int threads);

// Local Moran's I (Eq. 5 of the PE-GNN paper), the target of the auxiliary task, on the edges of a
// graph and with their weights as they are; lengths are not looked at. One value per node; all
// finite, 1e150 at most.
std::vector<double> local_moran(std::span<const double> values, const NeighbourGraph& graph,
                                int threads);

// Parameters of a layer by the names they have in the model file, row-major.
struct NamedMatrix {
  std::string name;
  std::int64_t rows = 0, cols = 0;
  std::vector<double> values;
};

// A backbone that exchanges messages along a graph (all but those that listen to labels), as
// `options` describe it, for inputs `in` wide: what its parameters are before training, by the seed
// of the options and behind the encoder they name, as in a network. Error{usage} for a backbone
// that does not work on a graph alone.
std::vector<NamedMatrix> backbone_parameters(const Options& options, std::int64_t in);
// Its embedding of every node, nodes x width, without dropout, in double: what comes out of its
// last layer, after that layer's activation too. `x` is nodes x in. Weights of edges are not
// negative; lengths are not looked at. Error{usage} for parameters or inputs that do not fit.
std::vector<double> run_backbone(const Options& options, const NeighbourGraph& graph,
                                 std::span<const double> x,
                                 const std::vector<NamedMatrix>& parameters, int threads);

// The same for the encoder of the options, whose sigma-min and sigma-max are given: its embedding
// of every point, points x width.
std::vector<NamedMatrix> encoder_parameters(const Options& options);
std::vector<double> run_encoder(const Options& options, std::span<const Point> points,
                                const std::vector<NamedMatrix>& parameters, int threads);

}  // namespace pegnn
