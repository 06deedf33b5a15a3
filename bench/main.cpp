// pegnn_bench [--threads=N] [--large] [--iterations=N] [options of Google Benchmark]
//
// With --iterations every case loops exactly so often, for those who count rather than time.

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

#include "base/thread_pool.h"
#include "bench/bench.h"
#include "kernels/kernels.h"
#include "pegnn/version.h"

namespace pegnn::bench {
namespace {

int wanted_threads = 0;
int wanted_iterations = 0;  // 0: as many as fill the time
bool large = false;
constexpr std::string_view kThreads = "--threads=", kIterations = "--iterations=";

// 0 for what is not a positive number.
int positive(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && value > 0 ? value : 0;
}

}  // namespace

int threads() { return wanted_threads; }

std::vector<std::int64_t> growth_sizes() {
  std::vector<std::int64_t> sizes{1'000, 10'000, 100'000};
  if (large) sizes.insert(sizes.end(), {1'000'000, 10'000'000});
  return sizes;
}

void add_case(const std::string& name, benchmark::TimeUnit unit,
              std::function<void(benchmark::State&)> run) {
  auto* added = benchmark::RegisterBenchmark(name.c_str(), std::move(run));
  added->Unit(unit)->UseRealTime()->MeasureProcessCPUTime();
  if (wanted_iterations > 0) added->Iterations(wanted_iterations);
}

void count_flops(benchmark::State& state, double flops_per_iteration) {
  state.counters["flops"] =
      benchmark::Counter(flops_per_iteration, benchmark::Counter::kIsIterationInvariantRate);
}

void count_rows(benchmark::State& state, std::int64_t rows_per_iteration) {
  state.counters["rows"] = benchmark::Counter(static_cast<double>(rows_per_iteration),
                                              benchmark::Counter::kIsIterationInvariantRate);
}

void calls_per_step(benchmark::State& state, double calls) { state.counters["calls"] = calls; }

// Takes our own words off the command line; false for one that makes no sense.
bool read_own_words(int& argc, char** argv) {
  if (const char* word = std::getenv("PEGNN_BENCH_THREADS")) wanted_threads = positive(word);
  int kept = 1;
  bool fine = true;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word.starts_with(kThreads)) {
      wanted_threads = positive(word.substr(kThreads.size()));
      fine = fine && wanted_threads > 0;
    } else if (word.starts_with(kIterations)) {
      wanted_iterations = positive(word.substr(kIterations.size()));
      fine = fine && wanted_iterations > 0;
    } else if (word == "--large") {
      large = true;
    } else {
      argv[kept++] = argv[i];
    }
  }
  argc = kept;
  if (wanted_threads == 0) wanted_threads = available_cores();
  return fine;
}

}  // namespace pegnn::bench

int main(int argc, char** argv) {
  using namespace pegnn::bench;
  const bool fine = read_own_words(argc, argv);
  benchmark::Initialize(&argc, argv);
  if (!fine || benchmark::ReportUnrecognizedArguments(argc, argv)) {
    std::fputs("usage: pegnn_bench [--threads=N] [--large] [--iterations=N] [--benchmark_...]\n",
               stderr);
    return 2;
  }
  benchmark::AddCustomContext("pegnn_version", pegnn::version());
  benchmark::AddCustomContext("pegnn_backend", std::string(pegnn::best_kernels<float>().backend));
  benchmark::AddCustomContext("pegnn_threads", std::to_string(threads()));
  add_step_cases();
  add_kernel_cases();
  add_geo_cases();
  add_stats_cases();
  add_predict_cases();
  add_io_cases();
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
