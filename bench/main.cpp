// pegnn_bench [--threads=N] [--large] [--iterations=N] [options of Google Benchmark]
//
// With --iterations every case loops exactly so often, for those who count rather than time.
// Exit status 2: a word makes no sense.

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
constexpr const char* kUsage =
    "usage: pegnn_bench [--threads=N] [--large] [--iterations=N] [--benchmark_...]\n";

// Puts the positive number in `text` into `value`; false, with a message, if it is none.
bool read_positive(std::string_view name, std::string_view text, int& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && end == text.data() + text.size() && value > 0) return true;
  std::fprintf(stderr, "pegnn_bench: %s needs a positive number, not '%s'\n",
               std::string(name).c_str(), std::string(text).c_str());
  return false;
}

void print_help() {
  std::fputs(kUsage, stdout);
  std::fputs("PEGNN_BENCH_THREADS is taken for --threads where that is not given.\n\n", stdout);
  benchmark::PrintDefaultHelp();
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
  int kept = 1;
  bool fine = true;
  if (const char* word = std::getenv("PEGNN_BENCH_THREADS")) {
    fine = read_positive("PEGNN_BENCH_THREADS", word, wanted_threads);
  }
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word.starts_with(kThreads)) {
      fine &= read_positive("--threads", word.substr(kThreads.size()), wanted_threads);
    } else if (word.starts_with(kIterations)) {
      fine &= read_positive("--iterations", word.substr(kIterations.size()), wanted_iterations);
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
  if (fine) benchmark::Initialize(&argc, argv, print_help);
  if (!fine || benchmark::ReportUnrecognizedArguments(argc, argv)) {
    std::fputs(kUsage, stderr);
    return 2;
  }
  benchmark::AddCustomContext("pegnn_version", pegnn::version());
  benchmark::AddCustomContext("pegnn_backend", std::string(pegnn::best_kernels<float>().backend));
  benchmark::AddCustomContext("pegnn_threads", std::to_string(threads()));
  add_step_cases();
  add_kernel_cases();
  add_label_attention_cases();
  add_geo_cases();
  add_stats_cases();
  add_predict_cases();
  add_io_cases();
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
