#pragma once
// What the cases of kernels share: matrices with numbers in them, and the loop that is timed.

#include <cstdint>

#include "bench/bench.h"
#include "bench/data.h"
#include "kernels/kernels.h"

namespace pegnn::bench {

// Costs what any other rate does, and leaves the numbers as they are.
inline constexpr Dropout kDropout{.rate = 0x1.0p-16, .seed = 1, .step = 1, .layer = 1};

// A matrix with its memory.
struct Owned {
  AlignedBuffer<float> memory;
  Mat<float> mat;

  Owned(std::int64_t rows, std::int64_t cols, float lo, float hi, std::uint64_t seed = 1)
      : memory(random_floats(rows * cols, lo, hi, seed)), mat(memory.data(), rows, cols) {}
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
};

// Times a kernel that puts its work on a schedule, together with that work.
template <class F>
void loop(benchmark::State& state, const ThreadPool& pool, F&& put) {
  Schedule schedule(pool);
  for (auto _ : state) {
    put(schedule);
    schedule.run();
    benchmark::ClobberMemory();
  }
  state.counters["held"] = static_cast<double>(schedule.bytes());
}

}  // namespace pegnn::bench
