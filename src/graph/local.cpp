#include "graph/local.h"

#include <algorithm>

#include "base/array.h"
#include "geo/sphere.h"

namespace pegnn {
namespace {

// Edges of one local graph: all ordered pairs of its k + 1 nodes.
std::int64_t edges_of(std::int64_t k) { return k * (k + 1); }

}  // namespace

void local_graphs(Span<const Point> queries, const Neighbours& found, Span<const Point> training,
                  Space space, const LengthScale& scale, const ThreadPool& pool,
                  AttachedGraph& out) {
  const auto count = std::ssize(queries);
  const std::int64_t k = found.k;
  out.queries = count;
  out.out_of_reach = 0;
  out.degree_only = 0;
  out.train_rows.assign(found.rows.begin(), found.rows.end());
  Graph& g = out.graph;
  g.nodes = count * (k + 1);
  g.offsets.resize(g.nodes + 1);
  g.columns.resize(count * edges_of(k));
  g.weights.resize(g.columns.size());
  g.lengths.clear();
  // Every node has k edges, so its first one is known without counting.
  for (std::int64_t i = 0; i < std::ssize(g.offsets); ++i) {
    g.offsets[i] = i * k;
  }
  constexpr std::int64_t kBlock = 256;
  pool.for_blocks(count, kBlock, [&](std::int64_t begin, std::int64_t end) {
    // Members of a local graph: the neighbours, then the query.
    const auto node = [&](std::int64_t q, std::int64_t member) {
      return member < k ? q * k + member : count * k + q;
    };
    for (std::int64_t q = begin; q < end; ++q) {
      const auto place = [&](std::int64_t member) {
        if (member == k) return queries[q];
        const auto row = found.rows[q * k + member];
        return training[row];
      };
      // Edge number of member a's edge to member b: the others in order, itself left out.
      const auto edge = [&](std::int64_t a, std::int64_t b) {
        return node(q, a) * k + (b < a ? b : b - 1);
      };
      for (std::int64_t a = 0; a <= k; ++a) {
        for (std::int64_t b = 0; b < a; ++b) {
          const double d =
              a == k ? found.distances[q * k + b] : distance(space, place(a), place(b));
          const double weight = edge_weight(EdgeWeight::gaussian, scale, d);
          g.columns[edge(a, b)] = static_cast<std::int32_t>(node(q, b));
          g.columns[edge(b, a)] = static_cast<std::int32_t>(node(q, a));
          g.weights[edge(a, b)] = g.weights[edge(b, a)] = weight;
        }
      }
    }
  });
}

LocalAttacher::LocalAttacher(Span<const Point> training, Space space, std::int64_t k,
                             const ThreadPool& pool)
    : training_(training), space_(space), k_(k) {
  index_.build(training, space, pool);
  index_.search(training, k, true, pool, own_);
  scale_ = length_scale(EdgeWeight::gaussian, own_.distances);
}

void LocalAttacher::attach(Span<const Point> queries, const ThreadPool& pool,
                           AttachScratch& scratch, AttachedGraph& out) const {
  index_.search(queries, k_, false, pool, scratch.found);
  local_graphs(queries, scratch.found, training_, space_, scale_, pool, out);
}

void LocalAttacher::attach_own(Span<const std::int32_t> rows, const ThreadPool& pool,
                               AttachScratch& scratch, AttachedGraph& out) const {
  const std::int64_t k = own_.k;
  Neighbours& found = scratch.found;
  found.k = own_.k;
  found.rows.resize(rows.size() * k);
  found.distances.resize(rows.size() * k);
  Array<Point>& places = scratch.places;
  places.resize(rows.size());
  for (std::int64_t i = 0; i < std::ssize(rows); ++i) {
    const std::int64_t row = rows[i];
    places[i] = training_[row];
    std::copy_n(own_.rows.begin() + row * k, k, found.rows.begin() + i * k);
    std::copy_n(own_.distances.begin() + row * k, k, found.distances.begin() + i * k);
  }
  local_graphs(places, found, training_, space_, scale_, pool, out);
}

}  // namespace pegnn
