#pragma once
// Rows that are moved and edges that are weighed, as plain loops.

#include <cmath>

#include "kernels/kernels.h"
#include "kernels/plain.h"
#include "kernels/reference/epilogue.h"

namespace pegnn::reference {

template <class T>
void fill(Schedule& schedule, T value, Mat<T> y) {
  now(schedule);
  plain::fill(value, y);
}

template <class T>
void copy(Schedule& schedule, Mat<const T> x, Mat<T> y) {
  now(schedule);
  plain::copy(x, y);
}

template <class T>
void add(Schedule& schedule, Mat<const T> x, Mat<T> y) {
  now(schedule);
  plain::add(x, y);
}

template <class T>
void normalise_symmetric(Schedule& schedule, Csr graph, const double* weight, Csr reverse,
                         const std::int64_t* reverse_edge, const NormalisedEdges<T>& out) {
  now(schedule);
  for (std::int64_t i = 0; i < graph.rows; ++i) {
    double degree = 1.0;
    for (std::int64_t e = graph.offsets[i]; e < graph.offsets[i + 1]; ++e) degree += weight[e];
    out.root[i] = static_cast<T>(1.0 / std::sqrt(degree));
    out.self[i] = out.root[i] * out.root[i];
  }
  for (std::int64_t i = 0; i < graph.rows; ++i) {
    for (std::int64_t e = graph.offsets[i]; e < graph.offsets[i + 1]; ++e) {
      out.forward[e] = out.root[i] * static_cast<T>(weight[e]) * out.root[graph.columns[e]];
    }
  }
  if (out.backward == nullptr) return;
  for (std::int64_t e = 0; e < reverse.offsets[reverse.rows]; ++e) {
    out.backward[e] = out.forward[reverse_edge[e]];
  }
}

template <class T>
void normalise_mean(Schedule& schedule, Csr graph, Csr reverse, T* forward, T* backward) {
  now(schedule);
  const auto edges = [&](std::int64_t i) {
    return static_cast<T>(graph.offsets[i + 1] - graph.offsets[i]);
  };
  for (std::int64_t i = 0; i < graph.rows; ++i) {
    for (std::int64_t e = graph.offsets[i]; e < graph.offsets[i + 1]; ++e) {
      forward[e] = T(1) / edges(i);
    }
  }
  if (backward == nullptr) return;
  for (std::int64_t e = 0; e < reverse.offsets[reverse.rows]; ++e) {
    backward[e] = T(1) / edges(reverse.columns[e]);
  }
}

template <class T>
void weigh_loops(Schedule& schedule, Csr graph, const double* weight, T* edge, T* loop) {
  now(schedule);
  for (std::int64_t i = 0; i < graph.rows; ++i) {
    double sum = 0;
    for (std::int64_t e = graph.offsets[i]; e < graph.offsets[i + 1]; ++e) {
      edge[e] = static_cast<T>(weight[e]);
      sum += weight[e];
    }
    const std::int64_t edges = graph.offsets[i + 1] - graph.offsets[i];
    loop[i] = edges == 0 ? T(0) : static_cast<T>(sum / static_cast<double>(edges));
  }
}

}  // namespace pegnn::reference
