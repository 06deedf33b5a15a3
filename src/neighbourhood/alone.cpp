// Nobody: every point for itself.

#include <algorithm>

#include "neighbourhood/neighbourhood.h"

namespace pegnn {
namespace {

void without_edges(std::int64_t points, NeighbourhoodView& out) {
  out.queries = points;
  out.graph.nodes = points;
  out.graph.offsets.assign(points + 1, 0);
}

class Alone final : public Neighbourhood {
 public:
  std::unique_ptr<Scratch> scratch() const override { return std::make_unique<Scratch>(); }

  void of_step(Span<const std::int32_t> rows, std::int64_t, const Backend<float>&, Scratch&,
               NeighbourhoodView& out) const override {
    without_edges(rows.size(), out);
    add_reverse(out.graph);
    out.query_rows.assign(rows.begin(), rows.end());
  }
  void of_own(Span<const std::int32_t> rows, const Backend<float>&, Scratch&,
              NeighbourhoodView& out) const override {
    without_edges(rows.size(), out);
  }
  void of_queries(Span<const Point> places, Mat<const float>, const Backend<float>&, Scratch&,
                  NeighbourhoodView& out) const override {
    without_edges(places.size(), out);
  }
};

}  // namespace

extern constinit const NeighbourhoodEntry alone_neighbourhood{
    .info = {.name = "alone",
             .summary = "Nobody: every point for itself.",
             .source = "the usual multilayer perceptron"},
    .from_batch = true,
    .size = [](std::int64_t rows, std::int64_t) { return GraphSize{.nodes = rows, .edges = 0}; },
    .bytes = [](std::int64_t, std::int64_t, std::int64_t) { return 0.0; },
    .make = [](const NeighbourhoodSpec&) -> std::unique_ptr<Neighbourhood> {
      return std::make_unique<Alone>();
    }};

}  // namespace pegnn
