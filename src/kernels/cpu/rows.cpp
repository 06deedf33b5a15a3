// Rows that are moved and edges that are weighed: memory sets the speed, so that these are loops.

#include "kernels/cpu/rows.h"

#include <algorithm>
#include <cmath>

#include "kernels/plain.h"

namespace pegnn::cpu {

void fill(Schedule& schedule, float value, Mat<float> y) {
  schedule.rows(y.rows, [=](std::int64_t begin, std::int64_t end) noexcept {
    plain::fill(value, y.block(begin, end - begin));
  });
}

void copy(Schedule& schedule, Mat<const float> x, Mat<float> y) {
  schedule.rows(y.rows, [=](std::int64_t begin, std::int64_t end) noexcept {
    plain::copy(x.block(begin, end - begin), y.block(begin, end - begin));
  });
}

void add(Schedule& schedule, Mat<const float> x, Mat<float> y) {
  schedule.rows(y.rows, [=](std::int64_t begin, std::int64_t end) noexcept {
    plain::add(x.block(begin, end - begin), y.block(begin, end - begin));
  });
}

void normalise_symmetric(Schedule& schedule, Csr graph, const double* weight, Csr reverse,
                         const std::int64_t* reverse_edge, const NormalisedEdges<float>& out) {
  schedule.rows(graph.rows, [=](std::int64_t begin, std::int64_t end) noexcept {
    for (std::int64_t i = begin; i < end; ++i) {
      double degree = 1.0;  // and so at least 1: no guard needed
      for (std::int64_t e = graph.offsets[i]; e < graph.offsets[i + 1]; ++e) degree += weight[e];
      out.root[i] = static_cast<float>(1.0 / std::sqrt(degree));
      out.self[i] = out.root[i] * out.root[i];
    }
  });
  schedule.gather(graph.rows, [=](std::int64_t begin, std::int64_t end) noexcept {
    for (std::int64_t i = begin; i < end; ++i) {
      for (std::int64_t e = graph.offsets[i]; e < graph.offsets[i + 1]; ++e) {
        out.forward[e] = out.root[i] * static_cast<float>(weight[e]) * out.root[graph.columns[e]];
      }
    }
  });
  if (out.backward == nullptr) return;
  schedule.rows(reverse.rows, [=](std::int64_t begin, std::int64_t end) noexcept {
    for (std::int64_t j = begin; j < end; ++j) {
      for (std::int64_t e = reverse.offsets[j]; e < reverse.offsets[j + 1]; ++e) {
        const auto own = static_cast<float>(weight[reverse_edge[e]]);
        out.backward[e] = out.root[reverse.columns[e]] * own * out.root[j];
      }
    }
  });
}

void normalise_mean(Schedule& schedule, Csr graph, Csr reverse, float* forward, float* backward) {
  const auto share_of = [graph](std::int64_t i) {
    return 1.0F / static_cast<float>(graph.offsets[i + 1] - graph.offsets[i]);
  };
  schedule.rows(graph.rows, [=](std::int64_t begin, std::int64_t end) noexcept {
    for (std::int64_t i = begin; i < end; ++i) {
      std::fill(forward + graph.offsets[i], forward + graph.offsets[i + 1], share_of(i));
    }
  });
  if (backward == nullptr) return;
  schedule.rows(reverse.rows, [=](std::int64_t begin, std::int64_t end) noexcept {
    for (std::int64_t e = reverse.offsets[begin]; e < reverse.offsets[end]; ++e) {
      backward[e] = share_of(reverse.columns[e]);
    }
  });
}

void weigh_loops(Schedule& schedule, Csr graph, const double* weight, float* edge, float* loop) {
  schedule.rows(graph.rows, [=](std::int64_t begin, std::int64_t end) noexcept {
    for (std::int64_t i = begin; i < end; ++i) {
      const std::int64_t first = graph.offsets[i], last = graph.offsets[i + 1];
      double sum = 0;
      for (std::int64_t e = first; e < last; ++e) {
        edge[e] = static_cast<float>(weight[e]);
        sum += weight[e];
      }
      loop[i] = first == last ? 0.0F : static_cast<float>(sum / static_cast<double>(last - first));
    }
  });
}

}  // namespace pegnn::cpu
