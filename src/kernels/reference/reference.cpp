// Plain loops in the order of the formulas: the oracle the other backends are tested against. They
// run when they are called, after all that the schedule has put off.

#include <algorithm>
#include <cmath>

#include "kernels/kernels.h"
#include "kernels/reference/attention.h"
#include "kernels/reference/epilogue.h"
#include "kernels/reference/label_attention.h"
#include "kernels/reference/rows.h"

namespace pegnn::reference {
namespace {

template <class T>
void linear(Schedule& schedule, Mat<const T> x, Mat<const T> w, const Epilogue<T>& epilogue,
            Mat<T> y) {
  const ThreadPool& pool = now(schedule);
  pool.for_blocks(y.rows, Schedule::kBlockRows, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      for (std::int64_t j = 0; j < y.cols; ++j) {
        T sum = 0;
        for (std::int64_t l = 0; l < x.cols; ++l) sum += x(i, l) * w(j, l);
        y(i, j) = sum;
      }
      apply(epilogue, i, y);
    }
  });
}

template <class T>
void epilogue_backward(Schedule& schedule, Mat<const T> y, const Epilogue<T>& epilogue, Mat<T> dy,
                       T* db) {
  const ThreadPool& pool = now(schedule);
  pool.for_blocks(dy.rows, Schedule::kBlockRows, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) epilogue_row_backward(epilogue, i, y, dy);
  });
  if (db == nullptr) return;
  for (std::int64_t i = 0; i < dy.rows; ++i) {
    for (std::int64_t j = 0; j < dy.cols; ++j) db[j] += dy(i, j);
  }
}

template <class T>
void linear_backward(Schedule& schedule, Mat<const T> x, Mat<const T> w, Mat<const T> y,
                     const Epilogue<T>& epilogue, Mat<T> dy, Mat<T> dx, bool add_to_dx, Mat<T> dw,
                     T* db) {
  epilogue_backward(schedule, y, epilogue, dy, db);
  const ThreadPool& pool = schedule.pool();
  if (dx.data != nullptr) {
    pool.for_blocks(dx.rows, Schedule::kBlockRows, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        for (std::int64_t l = 0; l < dx.cols; ++l) {
          T sum = add_to_dx ? dx(i, l) : T(0);
          for (std::int64_t j = 0; j < dy.cols; ++j) sum += dy(i, j) * w(j, l);
          dx(i, l) = sum;
        }
      }
    });
  }
  pool.for_each(dw.rows, [&](std::int64_t j) {
    for (std::int64_t i = 0; i < dy.rows; ++i) {
      for (std::int64_t l = 0; l < dw.cols; ++l) dw(j, l) += dy(i, j) * x(i, l);
    }
  });
}

template <class T>
void aggregate(Schedule& schedule, Csr graph, const T* weight, const T* self_weight, Mat<const T> x,
               const Epilogue<T>& epilogue, Mat<T> y) {
  const ThreadPool& pool = now(schedule);
  pool.for_blocks(graph.rows, Schedule::kBlockRows, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      for (std::int64_t c = 0; c < y.cols; ++c) {
        T sum = self_weight != nullptr ? self_weight[i] * x(i, c) : T(0);
        for (std::int64_t e = graph.offsets[i]; e < graph.offsets[i + 1]; ++e) {
          sum += (weight != nullptr ? weight[e] : T(1)) * x(graph.columns[e], c);
        }
        y(i, c) = sum;
      }
      apply(epilogue, i, y);
    }
  });
}

template <class T>
void aggregate_max(Schedule& schedule, Csr graph, Mat<const T> x, Mat<T> y) {
  const ThreadPool& pool = now(schedule);
  pool.for_blocks(graph.rows, Schedule::kBlockRows, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const std::int64_t first = graph.offsets[i], last = graph.offsets[i + 1];
      for (std::int64_t c = 0; c < y.cols; ++c) {
        T largest = first < last ? x(graph.columns[first], c) : T(0);
        for (std::int64_t e = first + 1; e < last; ++e) {
          largest = std::max(largest, x(graph.columns[e], c));
        }
        y(i, c) = largest;
      }
    }
  });
}

template <class T>
void aggregate_max_backward(Schedule& schedule, Csr graph, Csr reverse, Mat<const T> x,
                            Mat<const T> y, Mat<T> dy, Mat<T> dx) {
  const ThreadPool& pool = now(schedule);
  pool.for_blocks(graph.rows, Schedule::kBlockRows, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      for (std::int64_t c = 0; c < y.cols; ++c) {
        T ties = 0;
        for (std::int64_t e = graph.offsets[i]; e < graph.offsets[i + 1]; ++e) {
          if (x(graph.columns[e], c) == y(i, c)) ties += T(1);
        }
        if (ties > T(0)) dy(i, c) /= ties;
      }
    }
  });
  pool.for_blocks(reverse.rows, Schedule::kBlockRows, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t j = begin; j < end; ++j) {
      for (std::int64_t e = reverse.offsets[j]; e < reverse.offsets[j + 1]; ++e) {
        const std::int64_t i = reverse.columns[e];
        for (std::int64_t c = 0; c < y.cols; ++c) {
          if (x(j, c) == y(i, c)) dx(j, c) += dy(i, c);
        }
      }
    }
  });
}

template <class T>
void sinusoidal(const ThreadPool& pool, Mat<const double> coordinates,
                std::span<const double> scales, Mat<T> out) noexcept {
  const auto count = std::ssize(scales);
  pool.for_blocks(
      coordinates.rows, Schedule::kBlockRows, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) {
          for (std::int64_t v = 0; v < 2; ++v) {
            for (std::int64_t s = 0; s < count; ++s) {
              const double angle = coordinates(i, v) / scales[static_cast<std::size_t>(s)];
              out(i, v * 2 * count + 2 * s) = static_cast<T>(std::sin(angle));
              out(i, v * 2 * count + 2 * s + 1) = static_cast<T>(std::cos(angle));
            }
          }
        }
      });
}

template <class T>
void adam(const ThreadPool&, const AdamStep& s, std::span<const T> gradient,
          std::span<T> first_moment, std::span<T> second_moment, std::span<T> parameters) noexcept {
  const double correction1 = 1.0 - std::pow(s.beta1, static_cast<double>(s.step));
  const double correction2 = 1.0 - std::pow(s.beta2, static_cast<double>(s.step));
  const T rate = static_cast<T>(s.learning_rate / correction1);
  const T root2 = static_cast<T>(std::sqrt(correction2));
  const T beta1 = static_cast<T>(s.beta1), beta2 = static_cast<T>(s.beta2);
  const T epsilon = static_cast<T>(s.epsilon);
  const T coupled = static_cast<T>(s.decoupled ? 0.0 : s.weight_decay);
  const T shrink = static_cast<T>(s.decoupled ? 1.0 - s.learning_rate * s.weight_decay : 1.0);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const T g = gradient[i] + coupled * parameters[i];
    first_moment[i] += (g - first_moment[i]) * (T(1) - beta1);
    second_moment[i] = beta2 * second_moment[i] + (T(1) - beta2) * g * g;
    const T root = std::sqrt(second_moment[i]) / root2 + epsilon;
    parameters[i] = parameters[i] * shrink - rate * first_moment[i] / root;
  }
}

template <class T>
void clip(const ThreadPool&, double longest, std::span<T> gradient) noexcept {
  plain::clip(longest, gradient);
}

template <class T>
void average(const ThreadPool&, double kept, std::span<const T> values,
             std::span<T> mean) noexcept {
  plain::average(kept, values, mean);
}

template <class T>
bool all_finite(const ThreadPool&, std::span<const T> values) noexcept {
  return plain::all_finite(values);
}

template <class T>
constexpr Kernels<T> kTable{.backend = "reference",
                            .linear = linear<T>,
                            .linear_backward = linear_backward<T>,
                            .aggregate = aggregate<T>,
                            .aggregate_max = aggregate_max<T>,
                            .aggregate_max_backward = aggregate_max_backward<T>,
                            .attend = attend<T>,
                            .attend_backward = attend_backward<T>,
                            .label_attend = label_attend<T>,
                            .label_attend_backward = label_attend_backward<T>,
                            .among_attend = among_attend<T>,
                            .among_attend_backward = among_attend_backward<T>,
                            .epilogue_backward = epilogue_backward<T>,
                            .fill = fill<T>,
                            .copy = copy<T>,
                            .add = add<T>,
                            .normalise_symmetric = normalise_symmetric<T>,
                            .normalise_mean = normalise_mean<T>,
                            .weigh_loops = weigh_loops<T>,
                            .sinusoidal = sinusoidal<T>,
                            .adam = adam<T>,
                            .clip = clip<T>,
                            .average = average<T>,
                            .all_finite = all_finite<T>};

}  // namespace

template <class T>
const Kernels<T>& kernels() {
  return kTable<T>;
}

template const Kernels<float>& kernels<float>();
template const Kernels<double>& kernels<double>();

}  // namespace pegnn::reference
