#include "model/combination.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/core.h>

#include "model/model_kind.h"
#include "model/state.h"
#include "neighbourhood/neighbourhood.h"
#include "pegnn/error.h"

namespace pegnn {
namespace {

bool weights_of(Span<const double> weights, std::int64_t parts) {
  constexpr double kRounding = 1e-6;
  if (weights.size() != parts) return false;
  double sum = 0;
  for (const double w : weights) {
    if (!(w >= 0)) return false;
    sum += w;
  }
  return std::abs(sum - 1) <= kRounding;
}

bool sees(const Roles& roles, const std::string& feature) {
  return std::ranges::find(roles.features, feature) != roles.features.end();
}

bool sees_all(const Roles& whole, const Roles& part) {
  return std::ranges::all_of(part.features,
                             [&](const std::string& feature) { return sees(whole, feature); });
}

bool same_places(const Roles& a, const Roles& b) {
  return a.x == b.x && a.y == b.y && a.geographic == b.geographic && a.crs.wkt == b.crs.wkt;
}

std::optional<std::string> misfit_of_part(const ModelState& part, const ModelState& whole) {
  if (!part.parts.empty()) return "has parts itself";
  if (part.roles.target != whole.roles.target) return "has another target than the whole";
  if (!same_places(part.roles, whole.roles)) return "has other coordinates than the whole";
  if (!sees_all(whole.roles, part.roles)) return "sees a feature that the whole does not have";
  return std::nullopt;
}

// The first that sees every feature that any of them sees; null where there is none.
const ModelState* leader(const std::vector<ModelState>& parts) {
  const auto found = std::ranges::find_if(parts, [&](const ModelState& one) {
    return std::ranges::all_of(
        parts, [&](const ModelState& other) { return sees_all(one.roles, other.roles); });
  });
  return found == parts.end() ? nullptr : &*found;
}

void let_go_of_shared_rows(const ModelState& whole, ModelState& part) {
  const bool needed = kind_of(part).traits().attaches;
  const bool same = part.points == whole.points;
  if (!needed || (same && part.features == whole.features)) part.features = {};
  if (!needed || same) part.points = {};
}

}  // namespace

bool combines(const Options& options) {
  return options.combine == "auto" && options.head == "mean" &&
         kind_of(options).traits().of_parts && neighbourhood_of(options).tells_gaps;
}

std::optional<std::string> misfit_of(const ModelState& s) {
  const auto count = std::ssize(s.parts);
  if (count < 1 || count > kMostParts) {
    return fmt::format("{} parts: a model is made of 1 to {}", count, kMostParts);
  }
  for (std::int64_t p = 0; p < count; ++p) {
    const auto why = misfit_of_part(Span(s.parts)[p], s);
    if (why) return fmt::format("part {} {}", p, *why);
  }
  const Combination& c = s.combination;
  if (!weights_of(c.near, count) || !weights_of(c.far, count)) {
    return "the weights of the parts are not numbers from 0 on that sum up to 1";
  }
  if (!c.remoteness.usable()) return "the remoteness that the weights go by cannot be used";
  if (s.points.empty()) return "there are no training points to be near to or far from";
  return std::nullopt;
}

ModelState combine(std::vector<ModelState> parts, Combination combination) {
  const ModelState* const first = leader(parts);
  if (first == nullptr) {
    throw Error(ErrorKind::usage, "models cannot be combined: no part sees the features of all");
  }
  ModelState whole;
  whole.options = first->options;
  whole.roles = first->roles;
  whole.space = first->space;
  whole.scaler = first->scaler;
  whole.training_rows = first->training_rows;
  whole.points = first->points;
  whole.features = first->features;
  whole.provenance = first->provenance;
  whole.steps = first->steps;
  whole.best_step = first->best_step;
  whole.best_validation = first->best_validation;
  whole.combination = std::move(combination);
  whole.parts = std::move(parts);
  if (const auto why = misfit_of(whole)) {
    throw Error(ErrorKind::usage, "models cannot be combined: " + *why);
  }
  for (ModelState& part : whole.parts) let_go_of_shared_rows(whole, part);
  return whole;
}

}  // namespace pegnn
