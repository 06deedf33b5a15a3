// Model::activations: what the members of a network compute on the way to a prediction.

#include <algorithm>

#include <fmt/core.h>

#include "base/array.h"
#include "base/memory.h"
#include "base/text.h"
#include "compute/context.h"
#include "pegnn/error.h"
#include "pegnn/model.h"
#include "predict/given_rows.h"
#include "table/given_points.h"

namespace pegnn {

Activations Model::activations(std::span<const Point> points, std::span<const double> features,
                               const RunSettings& run) const {
  const ModelState& s = *state_;
  if (find_baseline(s.options.model) != nullptr) {
    throw Error(ErrorKind::usage,
                fmt::format("a {} model is no network: it has no activations", s.options.model));
  }
  const Array<Point> places = checked_points(points, s.roles.geographic);
  const Mat<const double> unscaled = feature_rows(s, features, places.size());
  check_finite(features, "feature value");

  const Context context(run);
  Inference inference(s.options, s.space, s.training(), context.backend);
  const Network<float>& network = inference.network();
  Activations found{.rows = std::ssize(places),
                    .members = s.options.members,
                    .encoder_width = network.encoder().width(),
                    .embedding_width = network.embedding_width(),
                    .encoder = {},
                    .embedding = {},
                    .mean = {},
                    .moran = {}};
  const std::int64_t answers = found.members * found.rows;
  const std::int64_t floats = found.encoder_width + found.embedding_width + 3;
  require_memory(
      4.0 * static_cast<double>(answers) * static_cast<double>(floats),
      fmt::format("activations of {} rows and {} members", format_count(found.rows), found.members),
      "fewer rows at a time need less");
  Array<float> output(answers), scaled;
  found.encoder.resize(as_size(answers * found.encoder_width));
  found.embedding.resize(as_size(answers * found.embedding_width));
  if (network.auxiliary()) found.moran.resize(as_size(answers));
  const MemberTraces traces{found.rows, found.encoder, found.embedding, output, found.moran};
  const std::int64_t step = rows_at_a_time(inference, places.size());
  for (std::int64_t first = 0; first < places.size(); first += step) {
    const std::int64_t count = std::min(step, places.size() - first);
    inference.trace(Span(places).subspan(first, count),
                    scale_rows(s.scaler, unscaled.block(first, count), context.pool, scaled),
                    s.parameters, first, traces);
    if (run.stopped()) throw Error(ErrorKind::interrupted, "stopped before the last row");
  }
  found.mean.reserve(as_size(output.size()));
  for (const float value : output) found.mean.push_back(target_of(s, static_cast<double>(value)));
  return found;
}

}  // namespace pegnn
