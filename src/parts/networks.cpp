// Backbone and encoder by themselves, in double on the reference kernels.

#include <algorithm>
#include <cmath>
#include <memory>

#include <fmt/core.h>

#include "backbone/backbone.h"
#include "base/aligned_buffer.h"
#include "base/array.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/text.h"
#include "encoder/encoder.h"
#include "model/preset.h"
#include "parts/check_graph.h"
#include "pegnn/error.h"
#include "pegnn/parts.h"
#include "table/given_points.h"

namespace pegnn {
namespace {

// The names that a network's layout gives them, and so the model file.
constexpr const char *kEncoder = "encoder", *kBackbone = "backbone";

// Options that no parser has seen: every value is in its range, every name in its list.
void check(const Options& options) {
  Options parsed;
  for (const OptionText& text : option_texts(options)) {
    set_option(parsed, text.name, text.value, text.name);
  }
  check_options(options);
}

// A part of a network, planned: where its parameters stand, and the memory it works in.
struct Planned {
  ParamLayout layout;
  WorkPlan plan;
  std::int64_t first = 0;  // of its parameters; those before are of parts that come before it

  Span<const NamedParam> entries() const { return Span(layout.entries()).subspan(first); }

  template <class Part>
  std::vector<NamedMatrix> initial(const Part& part, std::int64_t seed) const {
    AlignedBuffer<double> flat(layout.size());
    Initialiser<double> init(static_cast<std::uint64_t>(seed), flat.span());
    part.initialise(init);
    std::vector<NamedMatrix> found;
    for (const NamedParam& p : entries()) {
      const double* const from = flat.data() + p.slot.offset;
      found.push_back({p.name, p.slot.rows, p.slot.cols, {from, from + p.slot.size()}});
    }
    return found;
  }

  // The parameters as the part reads them; Error{usage} unless each is given once and fits.
  AlignedBuffer<double> flat(const std::vector<NamedMatrix>& given) const {
    AlignedBuffer<double> flat(layout.size());
    for (const NamedParam& p : entries()) {
      const NamedMatrix& matrix = find(given, p);
      std::copy(matrix.values.begin(), matrix.values.end(), flat.data() + p.slot.offset);
    }
    for (const NamedMatrix& matrix : given) {
      const auto named = [&](const NamedParam& p) { return p.name == matrix.name; };
      if (std::ranges::any_of(entries(), named)) continue;
      std::vector<std::string> names;
      for (const NamedParam& p : entries()) names.push_back(p.name);
      throw Error(ErrorKind::usage, unknown_word("parameter", matrix.name, names));
    }
    return flat;
  }

 private:
  static const NamedMatrix& find(const std::vector<NamedMatrix>& given, const NamedParam& p) {
    const auto named = [&](const NamedMatrix& matrix) { return matrix.name == p.name; };
    if (const auto times = std::ranges::count_if(given, named); times != 1) {
      throw Error(ErrorKind::usage,
                  fmt::format("parameter '{}' is given {} times instead of once", p.name, times));
    }
    const NamedMatrix& matrix = *std::ranges::find_if(given, named);
    const auto size = std::ssize(matrix.values);
    if (matrix.rows != p.slot.rows || matrix.cols != p.slot.cols || size != p.slot.size()) {
      throw Error(ErrorKind::usage,
                  fmt::format("parameter '{}' is {} x {} with {} values; {} x {} is needed", p.name,
                              matrix.rows, matrix.cols, size, p.slot.rows, p.slot.cols));
    }
    check_finite(matrix.values, fmt::format("parameter '{}': value", p.name));
    return matrix;
  }
};

struct PlannedEncoder : Planned {
  explicit PlannedEncoder(const Options& options) : part(make_encoder<double>(options)) {
    part->plan({layout, plan, kEncoder});
  }
  std::unique_ptr<Encoder<double>> part;
};

// Initial values depend on where a parameter stands: behind the encoder's, as in a network.
struct PlannedBackbone : Planned {
  PlannedBackbone(const Options& options, std::int64_t in) {
    BackboneSpec spec = backbone_spec(options);
    spec.in = in;
    part = make_backbone<double>(options.backbone, spec);
    make_encoder<double>(options)->plan({layout, plan, kEncoder});
    first = std::ssize(layout.entries());
    plan = {};
    part->plan({layout, plan, kBackbone});
  }
  std::unique_ptr<Backbone<double>> part;
};

// Calls f(pass) and does what it has put on the schedule.
template <class F>
void run_pass(const Planned& planned, const std::vector<NamedMatrix>& parameters,
              std::int64_t nodes, std::int64_t edges, const ThreadPool& pool, F&& f) {
  const AlignedBuffer<double> flat = planned.flat(parameters);
  require_memory(Workspace<double>::bytes_for(planned.plan, nodes, edges, false),
                 fmt::format("{} rows", format_count(nodes)), "fewer rows at a time need less");
  const Backend<double> backend = best_backend<double>(pool);
  Workspace<double> work;
  work.reserve(backend, planned.plan, nodes, edges, false);
  Schedule schedule = backend.queue();
  f(Pass<double>{
      .kernels = backend.kernels, .schedule = schedule, .work = work, .parameters = flat.data()});
  schedule.run();
}

void check_backbone(const Options& options, std::int64_t in) {
  check(options);
  const BackboneEntry& entry = find_part(backbones(), "backbone", options.backbone);
  if (entry.reads != InputColumns()) {
    throw Error(
        ErrorKind::usage,
        fmt::format("backbone {}: it listens to labels of training points, so a graph alone "
                    "is not enough",
                    options.backbone));
  }
  if (entry.check != nullptr) entry.check(backbone_spec(options));
  constexpr std::int64_t kMostInputs = 1 << 20;
  if (in < 1 || in > kMostInputs) {
    throw Error(ErrorKind::usage, fmt::format("inputs {} wide: from 1 to {}", in, kMostInputs));
  }
}

void check_encoder(const Options& options) {
  check(options);
  if (options.encoder == "none" || (options.sigma_min > 0 && options.sigma_max > 0)) return;
  throw Error(ErrorKind::usage,
              fmt::format("sigma-min {} and sigma-max {}: both must be given here",
                          format_number(options.sigma_min), format_number(options.sigma_max)));
}

}  // namespace

std::vector<NamedMatrix> backbone_parameters(const Options& options, std::int64_t in) {
  check_backbone(options, in);
  const PlannedBackbone backbone(options, in);
  return backbone.initial(*backbone.part, options.seed);
}

std::vector<double> run_backbone(const Options& options, const NeighbourGraph& graph,
                                 std::span<const double> x,
                                 const std::vector<NamedMatrix>& parameters, int threads) {
  check_graph(graph);
  const std::int64_t nodes = graph.nodes();
  const auto values = std::ssize(x);
  if (nodes == 0 ? values > 0 : values % nodes != 0) {
    throw Error(ErrorKind::usage, fmt::format("{} input values for {} nodes: as many are needed "
                                              "for each",
                                              values, nodes));
  }
  check_finite(x, "input value");
  for (std::size_t e = 0; e < graph.weights.size(); ++e) {
    if (graph.weights[e] >= 0) continue;
    throw Error(ErrorKind::usage, fmt::format("graph: weight {} (from 0) is {}; none is negative",
                                              e, format_number(graph.weights[e])));
  }
  const std::int64_t in = nodes == 0 ? 1 : values / nodes;
  check_backbone(options, in);
  if (nodes == 0) return {};
  const ThreadPool pool(threads);
  const PlannedBackbone backbone(options, in);
  Graph copy;
  copy.nodes = nodes;
  copy.offsets = graph.offsets;
  copy.columns = graph.columns;
  copy.weights = graph.weights;
  const std::int64_t width = backbone.part->width();
  Array<double> out(nodes * width);
  run_pass(backbone, parameters, nodes, copy.edges(), pool, [&](const Pass<double>& pass) {
    backbone.part->forward(pass, {copy, {x.data(), nodes, in}}, {out.data(), nodes, width});
  });
  return out;
}

std::vector<NamedMatrix> encoder_parameters(const Options& options) {
  check_encoder(options);
  const PlannedEncoder encoder(options);
  return encoder.initial(*encoder.part, options.seed);
}

std::vector<double> run_encoder(const Options& options, std::span<const Point> points,
                                const std::vector<NamedMatrix>& parameters, int threads) {
  check_encoder(options);
  const Array<Point> places = checked_points(points, false);
  const PlannedEncoder encoder(options);
  const auto rows = std::ssize(places);
  const std::int64_t width = encoder.part->width(), basis_width = encoder.part->basis_width();
  Array<double> out(rows * width);
  if (rows == 0 || width == 0) {
    encoder.flat(parameters);  // what does not fit is refused all the same
    return out;
  }
  const ThreadPool pool(threads);
  Array<double> basis(rows * basis_width);
  static_assert(sizeof(Point) == 2 * sizeof(double), "points are pairs of coordinates");
  encoder.part->basis(reference::kernels<double>(), pool,
                      {reinterpret_cast<const double*>(places.data()), rows, 2},
                      {basis.data(), rows, basis_width});
  run_pass(encoder, parameters, rows, 0, pool, [&](const Pass<double>& pass) {
    encoder.part->forward(pass, {basis.data(), rows, basis_width}, {out.data(), rows, width});
  });
  return out;
}

}  // namespace pegnn
