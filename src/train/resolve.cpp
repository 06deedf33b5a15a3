#include "train/resolve.h"

#include <algorithm>
#include <numbers>

#include <fmt/core.h>

#include "backbone/backbone.h"
#include "base/array.h"
#include "base/options.h"
#include "base/text.h"
#include "encoder/scales.h"
#include "geo/nearest.h"
#include "model/far.h"
#include "model/model_kind.h"
#include "neighbourhood/neighbourhood.h"
#include "pegnn/error.h"
#include "pegnn/log.h"

namespace pegnn {
namespace {

// Up to this many points all are asked for their nearest one; of more, every so-manieth, down to
// between this and half of it: a median needs no more, and it saves seconds on millions.
constexpr std::int64_t kMostSpacings = std::int64_t{1} << 20;

// The median distance to the nearest other point, in coordinate units.
double median_spacing(Span<const Point> points, Space space, const ThreadPool& pool) {
  NearestIndex index;
  Neighbours nearest;
  index.build(points, space, pool);
  if (points.size() <= kMostSpacings) {
    index.search(points, 1, true, pool, nearest);
  } else {
    const std::int64_t step = (points.size() + kMostSpacings - 1) / kMostSpacings;
    Array<Point> some;
    for (std::int64_t i = 0; i < points.size(); i += step) some.push_back(points[i]);
    // The nearest is the point itself, or another at its place.
    index.search(some, 2, false, pool, nearest);
    for (std::int64_t i = 0; i < std::ssize(some); ++i) {
      nearest.distances[i] = nearest.distances[2 * i + 1];
    }
    nearest.distances.resize(some.size());
  }
  if (nearest.distances.empty()) return 0;
  const auto middle = nearest.distances.begin() + (nearest.distances.size() / 2);
  std::nth_element(nearest.distances.begin(), middle, nearest.distances.end());
  const double metres_per_degree = kEarthRadiusMetres * std::numbers::pi / 180.0;
  return space == Space::sphere ? *middle / metres_per_degree : *middle;
}

// The loss on blocks held back is noisy and falls late: with as many steps as the members Air
// temperature under blocks was 16 % worse, large tables are not (docs/decisions/0041).
void resolve_far_steps(Options& o) {
  constexpr std::int64_t kMost = 800;
  if (far_members(o) == 0 || o.part.whole("far-steps") > 0) return;
  o.part.set("far-steps", std::max(o.steps, std::min(o.steps * 3 / 2, kMost)));
}

}  // namespace

Space space_for(const Options& options, const Roles& roles) {
  if (options.metric == "planar") return Space::plane;
  if (options.metric == "auto") return roles.geographic ? Space::sphere : Space::plane;
  if (!roles.geographic) {
    throw Error(
        ErrorKind::usage,
        fmt::format("<option:metric> {} needs longitude and latitude (<option:lon>, <option:lat>); "
                    "'{}' and '{}' are taken as projected coordinates; use <option:metric> planar",
                    options.metric, roles.x, roles.y));
  }
  return options.metric == "degrees" ? Space::degrees : Space::sphere;
}

Roles roles_for(const Options& options, Roles roles, Log& log) {
  if (kind_of(options).traits().uses_features || roles.features.empty()) return roles;
  log.note(
      fmt::format("{} sees places alone: {} left out", options.model, join(roles.features, ", ")));
  roles.features.clear();
  return roles;
}

Options resolve_options(Options o, Span<const Point> points, Span<const double> target, Space space,
                        const ThreadPool& pool, Log& log) {
  const auto rows = std::ssize(points);
  resolve_batch(o, rows);
  const bool effort_of_rows = o.steps == 0;
  resolve_effort(o, rows);
  if (effort_of_rows) resolve_far_steps(o);
  // Neighbours come from the batch or from all training rows.
  const BackboneEntry& backbone = find_part(backbones(), "backbone", o.backbone);
  const bool from_batch = neighbourhood_of(o).from_batch;
  const std::int64_t there = o.batch == 0 || !from_batch ? rows : std::min(o.batch, rows);
  if (o.k == 0) o.k = std::clamp<std::int64_t>(there - 1, 1, backbone.neighbours);
  if (o.k >= there) {
    const std::int64_t most = std::max<std::int64_t>(1, there - 1);
    log.warn(fmt::format("{} {} needs more than {} points {}; using {}", log.option("k"), o.k,
                         there, from_batch ? "in a batch" : "to train on", most));
    o.k = most;
  }
  if (o.encoder != "none" && (o.sigma_min == 0 || o.sigma_max == 0)) {
    constexpr double kMost = 1e12;  // of the options' range
    const ScaleRange range = natural_scales(points, median_spacing(points, space, pool));
    if (range.highest > kMost && o.sigma_max == 0) {
      log.warn(
          fmt::format("the coordinates span {}: the encoder sees lengths up to {} only; give "
                      "them in a larger unit",
                      format_short(std::numbers::pi * range.highest), format_short(kMost)));
    }
    if (o.sigma_max == 0) o.sigma_max = std::clamp(range.highest, o.sigma_min, kMost);
    if (o.sigma_min == 0) o.sigma_min = std::min(range.lowest, o.sigma_max);
    log.detail(fmt::format("scales of the encoder: {} to {}", format_short(o.sigma_min),
                           format_short(o.sigma_max)));
  }
  const bool constant =
      std::all_of(target.begin(), target.end(), [&](double v) { return v == target.front(); });
  if (constant && (o.lambda > 0 || o.uncertainty_weights)) {
    log.warn("the target is constant: Moran's I is undefined, the auxiliary task is switched off");
    o.lambda = 0;
    o.uncertainty_weights = false;
  }
  return o;
}

}  // namespace pegnn
