// A table of four columns read from memory and from a file that the system holds in memory.

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>

#include "bench/bench.h"
#include "bench/data.h"
#include "pegnn/table.h"

namespace pegnn::bench {
namespace {

// A file that goes away with its owner.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& text)
      : path_(std::filesystem::temp_directory_path() /
              ("pegnn_bench_" + std::to_string(getpid()) + ".csv")) {
    std::ofstream(path_, std::ios::binary) << text;
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

void measure_memory(benchmark::State& state, std::int64_t rows) {
  const std::string text = make_csv(rows);
  for (auto _ : state) {
    state.PauseTiming();
    std::string bytes = text;  // the reader takes them
    state.ResumeTiming();
    benchmark::DoNotOptimize(parse_table(std::move(bytes), "bench.csv"));
  }
  count_rows(state, rows);
}

void measure_file(benchmark::State& state, std::int64_t rows) {
  const TemporaryFile file(make_csv(rows));
  for (auto _ : state) benchmark::DoNotOptimize(read_table(file.path()));
  count_rows(state, rows);
}

}  // namespace

void add_io_cases() {
  for (const std::int64_t rows : growth_sizes()) {
    const std::string size = std::to_string(rows);
    add_case("csv/memory/" + size, benchmark::kMillisecond,
             [=](benchmark::State& state) { measure_memory(state, rows); });
    add_case("csv/file/" + size, benchmark::kMillisecond,
             [=](benchmark::State& state) { measure_file(state, rows); });
  }
}

}  // namespace pegnn::bench
