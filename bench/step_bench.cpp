// One step of Algorithm 1 for every backbone, the matrix products of the same step alone, and whole
// epochs.

#include <algorithm>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "backbone/backbone.h"
#include "bench/bench.h"
#include "bench/data.h"
#include "bench/products.h"
#include "neighbourhood/neighbourhood.h"
#include "table/scaler.h"
#include "train/trainer.h"

namespace pegnn::bench {
namespace {

// A training run with what it borrows. All rows are trained on.
class Run {
 public:
  Run(const std::string& backbone, std::int64_t rows, std::int64_t batch)
      : pool_(threads()), data_(make_data(rows)) {
    std::vector<std::int64_t> all(static_cast<std::size_t>(rows));
    std::iota(all.begin(), all.end(), std::int64_t{0});
    const Scaler scaler = fit_scaler(data_, all, Scaling::minmax);
    trainer_ = std::make_unique<Trainer>(data_, scaler, step_options(backbone, batch), all,
                                         std::span<const std::int64_t>(), LabelModel(),
                                         best_backend<float>(pool_));
  }

  void step() { benchmark::DoNotOptimize(trainer_->step(number_++)); }

 private:
  ThreadPool pool_;
  Dataset data_;
  std::unique_ptr<Trainer> trainer_;
  std::int64_t number_ = 0;
};

void measure_step(benchmark::State& state, const std::string& backbone, std::int64_t batch) {
  Run run(backbone, kRows, batch);
  run.step();  // the first one makes room
  for (auto _ : state) run.step();
  count_rows(state, batch);
}

void measure_products(benchmark::State& state, const BackboneEntry& backbone, std::int64_t batch) {
  const ThreadPool pool(threads());
  const Options options = step_options(std::string(backbone.info.name), batch);
  const std::int64_t nodes = neighbourhood_of(options).size(batch, kNeighbours).nodes;
  StepProducts products(options, kFeatures, nodes, batch);
  Schedule schedule(pool);
  products.run(schedule);
  for (auto _ : state) {
    products.run(schedule);
    benchmark::ClobberMemory();
  }
  count_flops(state, products.flops());
}

// Batches of 2,048, or all rows where there are fewer; the rows that fill no batch are left out.
void measure_epoch(benchmark::State& state, std::int64_t rows) {
  const std::int64_t batch = std::min(rows, kBatch), steps = rows / batch;
  Run run("gcn", rows, batch);
  run.step();
  for (auto _ : state) {
    for (std::int64_t s = 0; s < steps; ++s) run.step();
  }
  count_rows(state, steps * batch);
}

}  // namespace

void add_step_cases() {
  for (const std::int64_t batch : {kBatch, kRows}) {
    for (const BackboneEntry* entry : backbones()) {
      const std::string name(entry->info.name);
      const std::string tail = name + "/" + std::to_string(batch);
      add_case("step/" + tail, benchmark::kMillisecond,
               [=](benchmark::State& state) { measure_step(state, name, batch); });
      add_case("products/" + tail, benchmark::kMillisecond,
               [=](benchmark::State& state) { measure_products(state, *entry, batch); });
    }
  }
  std::vector<std::int64_t> sizes = growth_sizes();
  sizes.push_back(kRows);
  for (const std::int64_t rows : sizes) {
    add_case("epoch/gcn/" + std::to_string(rows), benchmark::kMillisecond,
             [=](benchmark::State& state) { measure_epoch(state, rows); });
  }
}

}  // namespace pegnn::bench
