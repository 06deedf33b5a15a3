#pragma once
// What all benchmark cases share: how they are listed, on how many threads they run, how they
// count.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

namespace pegnn::bench {

// Cases are made by these, one per file, once the command line has been read; names begin with what
// is measured: "step/gcn/2048".
void add_kernel_cases();
void add_label_attention_cases();
void add_geo_cases();
void add_stats_cases();
void add_step_cases();
void add_predict_cases();
void add_io_cases();

// Threads of every case: --threads=N, else PEGNN_BENCH_THREADS, else all cores.
int threads();

// Sizes 10^3, 10^4, ... for growth: up to 10^5, with --large up to 10^7.
std::vector<std::int64_t> growth_sizes();

// Adds a case that is timed by the clock on the wall, in the unit given; the processor time beside
// it is that of all threads. `run` prepares, then loops over the state.
void add_case(const std::string& name, benchmark::TimeUnit unit,
              std::function<void(benchmark::State&)> run);

// Counters. Work done in one iteration becomes a rate; `calls` is how often one step of PE-GCN at
// 2,048 rows does what the case does, so that its share of the step can be told.
void count_flops(benchmark::State& state, double flops_per_iteration);
void count_rows(benchmark::State& state, std::int64_t rows_per_iteration);
void calls_per_step(benchmark::State& state, double calls);

}  // namespace pegnn::bench
