// The rows of the batch: the k nearest in great-circle distance among those that a step has drawn
// at random, so that a point has other neighbours in every step (Klemmer, Safir and Neill, AISTATS
// 2023, Algorithm 1).
//
// A new point listens to its k nearest training points, and these to theirs, as far as messages go;
// or, under `--graph test-only`, the new points are linked to each other as a batch is.

#include "base/lazy.h"
#include "graph/batch_graph.h"
#include "neighbourhood/neighbourhood.h"

namespace pegnn {
namespace {

bool test_only(const Options& options) { return options.graph == "test-only"; }

class Shuffled final : public Neighbourhood {
 public:
  explicit Shuffled(const NeighbourhoodSpec& spec)
      : points_(spec.training.points),
        space_(spec.space),
        k_(spec.options.k),
        hops_(spec.hops),
        rule_(edge_weight_of(spec.options.edge_weight)),
        links_queries_(test_only(spec.options)) {}

  std::unique_ptr<Scratch> scratch() const override { return std::make_unique<Own>(); }

  void of_step(Span<const std::int32_t> rows, std::int64_t, const Backend<float>& backend,
               Scratch& scratch, NeighbourhoodView& out) const override {
    const BatchGraph& batch =
        batch_.get([&] { return BatchGraph(points_, space_, k_, rule_, backend.pool); });
    BatchGraph::Scratch& work = static_cast<Own&>(scratch).batch;
    batch.arrange(rows, work, out.query_rows);
    batch.link(backend.pool, work, out.graph);
    add_reverse(out.graph);
    out.queries = rows.size();
  }

  void of_own(Span<const std::int32_t> rows, const Backend<float>& backend, Scratch& scratch,
              NeighbourhoodView& out) const override {
    Own& own = static_cast<Own&>(scratch);
    gather(points_, rows, own.places);
    link_to_each_other(own.places, backend.pool, own, out);
  }

  void of_queries(Span<const Point> places, Mat<const float>, const Backend<float>& backend,
                  Scratch& scratch, NeighbourhoodView& out) const override {
    Own& own = static_cast<Own&>(scratch);
    if (links_queries_) return link_to_each_other(places, backend.pool, own, out);
    const Attacher& attacher =
        attacher_.get([&] { return Attacher(points_, space_, k_, rule_, hops_, backend.pool); });
    attacher.attach(places, backend.pool, own.attach, out);
  }

  bool links_batch() const override { return true; }
  std::int64_t most_queries(std::int64_t rows) const override {
    return links_queries_ ? std::max<std::int64_t>(1, rows) : Neighbourhood::most_queries(rows);
  }
  std::int64_t most_own(std::int64_t rows) const override {
    return std::max<std::int64_t>(1, rows);
  }

 private:
  struct Own final : Scratch {
    BatchGraph::Scratch batch;
    AttachScratch attach;
    Array<Point> places;
  };

  void link_to_each_other(Span<const Point> places, const ThreadPool& pool, Own& own,
                          NeighbourhoodView& out) const {
    out.train_rows.clear();
    out.queries = places.size();
    out.out_of_reach = 0;
    out.degree_only = 0;
    knn_graph(places, space_, k_, pool, own.batch.index, own.batch.found, out.graph);
    weigh_edges(rule_, length_scale(rule_, out.graph.lengths), out.graph);
  }

  Span<const Point> points_;
  Space space_;
  std::int64_t k_, hops_;
  EdgeWeight rule_;
  bool links_queries_;
  Lazy<BatchGraph> batch_;   // in training
  Lazy<Attacher> attacher_;  // for new points
};

}  // namespace

extern constinit const NeighbourhoodEntry shuffled_neighbourhood{
    .info = {.name = "shuffled",
             .summary = "The k nearest rows of a random batch, others in every step; new points "
                        "listen to training points.",
             .source = "Klemmer, Safir and Neill, AISTATS 2023"},
    .from_batch = true,
    .links_queries = test_only,
    .size = size_of_points,
    // Distances and numbers of its neighbours.
    .bytes = [](std::int64_t rows, std::int64_t k,
                std::int64_t) { return 12.0 * static_cast<double>(k) * static_cast<double>(rows); },
    .make = [](const NeighbourhoodSpec& spec) -> std::unique_ptr<Neighbourhood> {
      return std::make_unique<Shuffled>(spec);
    }};

}  // namespace pegnn
