// The rows of the batch within a distance, at most k of them; a row far from all others listens to
// nobody. New points listen to the training points within that distance, and these to theirs.

#include <algorithm>

#include "base/lazy.h"
#include "graph/batch_graph.h"
#include "neighbourhood/neighbourhood.h"
#include "pegnn/error.h"

namespace pegnn {
namespace {

constexpr PartOption kOptions[] = {
    {.group = "Graph",
     .name = "radius",
     .standard = 0.0,
     .limits = {0, 1e12},
     .sentence = "How far points listen with <option:neighbourhood> radius: metres on the globe, "
                 "units of the coordinates else. Of more points than <option:k> the nearest count.",
     .after = "neighbourhood"}};

class Radius final : public Neighbourhood {
 public:
  explicit Radius(const NeighbourhoodSpec& spec)
      : points_(spec.training.points),
        space_(spec.space),
        k_(spec.options.k),
        hops_(spec.hops),
        reach_(spec.options.part.number("radius")),
        rule_(edge_weight_of(spec.options.edge_weight)) {}

  std::unique_ptr<Scratch> scratch() const override { return std::make_unique<Own>(); }

  void of_step(Span<const std::int32_t> rows, std::int64_t, const Backend<float>& backend,
               Scratch& scratch, NeighbourhoodView& out) const override {
    of_own(rows, backend, scratch, out);
    add_reverse(out.graph);
    out.query_rows.assign(rows.begin(), rows.end());
  }

  void of_own(Span<const std::int32_t> rows, const Backend<float>& backend, Scratch& scratch,
              NeighbourhoodView& out) const override {
    Own& own = static_cast<Own&>(scratch);
    gather(points_, rows, own.places);
    knn_graph(own.places, space_, k_, backend.pool, own.index, own.attach.found, out.graph);
    drop_longer(reach_, out.graph);
    weigh_edges(rule_, length_scale(rule_, out.graph.lengths), out.graph);
    out.train_rows.clear();
    out.queries = rows.size();
    out.out_of_reach = 0;
    out.degree_only = 0;
  }

  void of_queries(Span<const Point> places, Mat<const float>, const Backend<float>& backend,
                  Scratch& scratch, NeighbourhoodView& out) const override {
    const Attacher& attacher = attacher_.get(
        [&] { return Attacher(points_, space_, k_, rule_, hops_, backend.pool, reach_); });
    attacher.attach(places, backend.pool, static_cast<Own&>(scratch).attach, out);
  }

  std::int64_t most_own(std::int64_t rows) const override {
    return std::max<std::int64_t>(1, rows);
  }

 private:
  struct Own final : Scratch {
    AttachScratch attach;
    NearestIndex index;
    Array<Point> places;
  };

  Span<const Point> points_;
  Space space_;
  std::int64_t k_, hops_;
  double reach_;
  EdgeWeight rule_;
  Lazy<Attacher> attacher_;
};

}  // namespace

extern constinit const NeighbourhoodEntry radius_neighbourhood{
    .info = {.name = "radius",
             .summary = "All rows of a random batch within a distance, the nearest k at most; new "
                        "points listen to training points.",
             .source = "the usual distance band of spatial statistics",
             .options = kOptions},
    .from_batch = true,
    .check =
        [](const Options& options) {
          if (options.part.number("radius") > 0) return;
          throw Error(
              ErrorKind::usage,
              "<option:neighbourhood> radius: give <option:radius>, in metres on the globe, "
              "in units of the coordinates else");
        },
    .size = size_of_points,
    .bytes = [](std::int64_t rows, std::int64_t k,
                std::int64_t) { return 12.0 * static_cast<double>(k) * static_cast<double>(rows); },
    .make = [](const NeighbourhoodSpec& spec) -> std::unique_ptr<Neighbourhood> {
      return std::make_unique<Radius>(spec);
    }};

}  // namespace pegnn
