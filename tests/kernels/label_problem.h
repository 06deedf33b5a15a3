#pragma once
// Queries that attend to labelled sources, for tests of the kernels: inputs of any shape, and what
// a backend makes of them.

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "kernels/agreement.h"
#include "kernels/kernels.h"

namespace pegnn::test {

inline std::size_t size(std::int64_t count) { return static_cast<std::size_t>(count); }

inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

struct LabelShape {
  std::int64_t width, heads, edge_inputs, source_inputs;
};

inline std::string name_of(const LabelShape& s) {
  return "width " + std::to_string(s.width) + ", heads " + std::to_string(s.heads) + ", inputs " +
         std::to_string(s.edge_inputs) + " and " + std::to_string(s.source_inputs);
}

// Queries with the numbers of edges given, and everything the kernels read.
template <class T>
struct LabelProblem {
  LabelShape shape;
  std::int64_t sources = 50;
  std::vector<std::int64_t> offsets{0};
  std::vector<std::int32_t> columns;
  std::vector<T> edges, source_rows, edge_map, source_map, base, probe, d_context, d_label;
  std::vector<T> log_weights;  // for half of the edges 0, for some so that they count nothing
  Dropout dropout{};

  LabelProblem(const LabelShape& s, const std::vector<std::int64_t>& degrees, double rate = 0)
      : shape(s) {
    dropout = {.rate = rate, .seed = 0x123456789AULL, .step = 5, .layer = 2};
    const Rng rng{7, Stream::sample};
    for (const std::int64_t degree : degrees) offsets.push_back(offsets.back() + degree);
    for (std::uint64_t e = 0; e < static_cast<std::uint64_t>(offsets.back()); ++e) {
      columns.push_back(
          static_cast<std::int32_t>(rng.below(static_cast<std::uint64_t>(sources), 0, e)));
    }
    edges = values<T>(offsets.back() * s.edge_inputs, 1);
    source_rows = values<T>(sources * s.source_inputs, 2);
    edge_map = values<T>(s.width * s.edge_inputs, 3);
    source_map = values<T>(s.width * s.source_inputs, 4);
    base = values<T>(rows() * s.width, 5);
    probe = values<T>(rows() * s.heads * s.width, 6);
    d_context = values<T>(rows() * s.heads * s.width, 7);
    d_label = values<T>(rows() * s.heads, 8);
    log_weights = values<T>(offsets.back(), 13);
    for (T& v : log_weights) v = v > 0 ? T(0) : v < T(-0.9) ? T(-27) : v;
  }

  std::int64_t rows() const { return static_cast<std::int64_t>(offsets.size()) - 1; }
  Csr csr() const { return {rows(), offsets.data(), columns.data()}; }
  LabelAttention<T> attention() const {
    return {.heads = shape.heads,
            .edges = {edges.data(), offsets.back(), shape.edge_inputs},
            .sources = {source_rows.data(), sources, shape.source_inputs},
            .edge_map = {edge_map.data(), shape.width, shape.edge_inputs},
            .source_map = {source_map.data(), shape.width, shape.source_inputs},
            .dropout = dropout,
            .log_weights = log_weights.data()};
  }
  Mat<const T> per_query(const std::vector<T>& v) const {
    return {v.data(), rows(), rows() == 0 ? 0 : static_cast<std::int64_t>(v.size()) / rows()};
  }
};

template <class T>
struct LabelResults {
  std::vector<T> context, label, shares, d_base, d_probe, d_edge_map, d_source_map;
};

// Room for all of them; the gradients of the maps are numbers already, to which others are added.
template <class T>
LabelResults<T> empty_results(const LabelProblem<T>& p) {
  const auto& [width, heads, edge_inputs, source_inputs] = p.shape;
  const std::int64_t n = p.rows();
  return {std::vector<T>(size(n * heads * width), T(kNaN)),
          std::vector<T>(size(n * heads), T(kNaN)),
          std::vector<T>(size(p.offsets.back() * heads), T(kNaN)),
          std::vector<T>(size(n * width), T(kNaN)),
          std::vector<T>(size(n * heads * width), T(kNaN)),
          values<T>(width * edge_inputs, 9),
          values<T>(width * source_inputs, 10)};
}

template <class T>
LabelResults<T> run(const Kernels<T>& kernels, const LabelProblem<T>& p, int threads = 1) {
  const ThreadPool pool(threads);
  Schedule schedule(pool);
  const auto& [width, heads, edge_inputs, source_inputs] = p.shape;
  const std::int64_t n = p.rows();
  LabelResults<T> r = empty_results(p);
  const Mat<const T> base = p.per_query(p.base), probe = p.per_query(p.probe);
  kernels.label_attend(schedule, p.csr(), p.attention(), base, probe, r.shares.data(),
                       {r.context.data(), n, heads * width}, {r.label.data(), n, heads});
  kernels.label_attend_backward(
      schedule, p.csr(), p.attention(), base, probe, r.shares.data(), p.per_query(p.d_context),
      p.per_query(p.d_label), {r.d_base.data(), n, width}, {r.d_probe.data(), n, heads * width},
      {r.d_edge_map.data(), width, edge_inputs}, {r.d_source_map.data(), width, source_inputs});
  schedule.run();
  return r;
}

// Rows of 1, 24, 70 and 300 edges and such that fill no tile, in turn with rows that have none.
inline const std::vector<std::int64_t> kDegrees{24, 0,   1, 2,  3,  70, 5, 24,
                                                7,  300, 0, 23, 64, 65, 17};

inline constexpr LabelShape kShapes[] = {{64, 4, 7, 7},  {16, 1, 7, 7},   {33, 3, 7, 1},
                                         {96, 8, 7, 20}, {1, 1, 1, 1},    {64, 1, 3, 2},
                                         {48, 2, 0, 5},  {40, 7, 2, 130}, {64, 16, 7, 7},
                                         {300, 4, 7, 7}, {1000, 1, 1, 1}, {17, 13, 5, 9}};

// Rows [first, ...) of what belongs to every row.
inline std::vector<float> rows_from(const std::vector<float>& v, std::int64_t first,
                                    std::int64_t cols) {
  return {v.begin() + first * cols, v.end()};
}

inline void expect_same_bits(const LabelResults<float>& a, const LabelResults<float>& b) {
  expect_same_bits(a.context, b.context, "context");
  expect_same_bits(a.label, b.label, "label");
  expect_same_bits(a.shares, b.shares, "shares");
  expect_same_bits(a.d_base, b.d_base, "d_base");
  expect_same_bits(a.d_probe, b.d_probe, "d_probe");
  expect_same_bits(a.d_edge_map, b.d_edge_map, "d_edge_map");
  expect_same_bits(a.d_source_map, b.d_source_map, "d_source_map");
}

}  // namespace pegnn::test
