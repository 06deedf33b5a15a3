#include "graph/local.h"

#include <algorithm>

#include "geo/sphere.h"

namespace pegnn {
namespace {

// Edges of one local graph: all ordered pairs of its k + 1 nodes.
std::int64_t edges_of(std::int64_t k) { return k * (k + 1); }

}  // namespace

void local_graphs(std::span<const Point> queries, const Neighbours& found,
                  std::span<const Point> training, Space space, const LengthScale& scale,
                  const ThreadPool& pool, AttachedGraph& out) {
  const auto count = static_cast<std::int64_t>(queries.size());
  const std::int64_t k = found.k;
  out.queries = count;
  out.out_of_reach = 0;
  out.idle = 0;
  out.train_rows.assign(found.rows.begin(), found.rows.end());
  Graph& g = out.graph;
  g.nodes = count * (k + 1);
  g.offsets.resize(static_cast<std::size_t>(g.nodes) + 1);
  g.columns.resize(static_cast<std::size_t>(count * edges_of(k)));
  g.weights.resize(g.columns.size());
  g.lengths.clear();
  // Every node has k edges, so its first one is known without counting.
  for (std::size_t i = 0; i < g.offsets.size(); ++i) {
    g.offsets[i] = static_cast<std::int64_t>(i) * k;
  }
  constexpr std::int64_t kBlock = 256;
  pool.for_blocks(count, kBlock, [&](std::int64_t begin, std::int64_t end) {
    // Members of a local graph: the neighbours, then the query.
    const auto node = [&](std::int64_t q, std::int64_t member) {
      return member < k ? q * k + member : count * k + q;
    };
    for (std::int64_t q = begin; q < end; ++q) {
      const auto place = [&](std::int64_t member) {
        if (member == k) return queries[static_cast<std::size_t>(q)];
        const auto row = found.rows[static_cast<std::size_t>(q * k + member)];
        return training[static_cast<std::size_t>(row)];
      };
      // Edge number of member a's edge to member b: the others in order, itself left out.
      const auto edge = [&](std::int64_t a, std::int64_t b) {
        return static_cast<std::size_t>(node(q, a) * k + (b < a ? b : b - 1));
      };
      for (std::int64_t a = 0; a <= k; ++a) {
        for (std::int64_t b = 0; b < a; ++b) {
          const double d = a == k ? found.distances[static_cast<std::size_t>(q * k + b)]
                                  : distance(space, place(a), place(b));
          const double weight = edge_weight(EdgeWeight::gaussian, scale, d);
          g.columns[edge(a, b)] = static_cast<std::int32_t>(node(q, b));
          g.columns[edge(b, a)] = static_cast<std::int32_t>(node(q, a));
          g.weights[edge(a, b)] = g.weights[edge(b, a)] = weight;
        }
      }
    }
  });
}

LocalAttacher::LocalAttacher(std::span<const Point> training, Space space, std::int64_t k,
                             const ThreadPool& pool)
    : training_(training), space_(space), k_(k) {
  index_.build(training, space, pool);
  index_.search(training, k, true, pool, own_);
  scale_ = length_scale(EdgeWeight::gaussian, own_.distances);
}

void LocalAttacher::attach(std::span<const Point> queries, const ThreadPool& pool,
                           AttachedGraph& out) const {
  index_.search(queries, k_, false, pool, out.found);
  local_graphs(queries, out.found, training_, space_, scale_, pool, out);
}

void LocalAttacher::attach_own(std::span<const std::int32_t> rows, const ThreadPool& pool,
                               AttachedGraph& out) const {
  const auto k = static_cast<std::size_t>(own_.k);
  Neighbours& found = out.found;
  found.k = own_.k;
  found.rows.resize(rows.size() * k);
  found.distances.resize(rows.size() * k);
  std::vector<Point>& places = out.places;
  places.resize(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto row = static_cast<std::size_t>(rows[i]);
    places[i] = training_[row];
    std::copy_n(own_.rows.begin() + static_cast<std::ptrdiff_t>(row * k), k,
                found.rows.begin() + static_cast<std::ptrdiff_t>(i * k));
    std::copy_n(own_.distances.begin() + static_cast<std::ptrdiff_t>(row * k), k,
                found.distances.begin() + static_cast<std::ptrdiff_t>(i * k));
  }
  local_graphs(places, found, training_, space_, scale_, pool, out);
}

}  // namespace pegnn
