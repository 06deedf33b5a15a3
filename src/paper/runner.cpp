#include "paper/runner.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <mutex>
#include <new>
#include <optional>
#include <thread>

#include <fmt/core.h>

#include "base/held_signals.h"
#include "base/text.h"
#include "paper/run_file.h"
#include "pegnn/error.h"
#include "pegnn/log.h"

namespace pegnn {

const RunResult* RunBook::find(const RunSpec& spec) {
  const std::string key = key_of(spec, rows_of(spec));
  const auto known = results_.find(key);
  if (known != results_.end()) return &known->second;
  if (asked_.contains(key)) return nullptr;
  if (std::optional<RunResult> kept = load_run(folder_ / (key + ".json"))) {
    return &(results_[key] = std::move(*kept));
  }
  asked_[key] = true;
  wanted_.push_back(spec);
  return nullptr;
}

void RunBook::add(const RunSpec& spec, RunResult result) {
  const std::string key = key_of(spec, rows_of(spec));
  if (result.reason.empty()) {
    std::filesystem::create_directories(folder_);
    save_run(spec, result, folder_ / (key + ".json"));
  }
  results_[key] = std::move(result);
}

double RunBook::compute_seconds() const {
  double sum = 0;
  for (const auto& [key, result] : results_) sum += result.seconds;
  return sum;
}

namespace {

RunResult failed(std::string reason) {
  RunResult result;
  result.reason = std::move(reason);
  return result;
}

// Takes runs from a list, one after the other, on several threads.
class Crew {
 public:
  Crew(RunBook& book, const RunnerSettings& settings, std::vector<RunSpec> specs)
      : book_(book), settings_(settings), specs_(std::move(specs)) {
    for (const RunSpec& spec : specs_) left_ += expected(spec);
  }

  // All of them, `jobs` at a time on `threads` each; a timed one on its own number.
  void work(int jobs, int threads) {
    std::vector<std::thread> others;
    {
      const HeldSignals held;  // they are for the calling thread
      for (int j = 1; j < jobs; ++j) others.emplace_back([this, threads] { take(threads); });
    }
    take(threads);
    for (std::thread& other : others) other.join();
    if (error_) std::rethrow_exception(error_);
  }

 private:
  double expected(const RunSpec& spec) const { return expected_seconds(spec, book_.rows_of(spec)); }

  bool stopped() const { return halted_ || (settings_.stop && settings_.stop()); }

  void take(int threads) {
    for (;;) {
      const std::size_t number = next_++;
      if (number >= specs_.size() || halted_) return;
      try {
        finish(specs_[number], run(specs_[number], threads));
      } catch (...) {
        const std::lock_guard lock(mutex_);
        if (!error_) error_ = std::current_exception();
        halted_ = true;
        return;
      }
    }
  }

  RunResult run(const RunSpec& spec, int threads) {
    RunSettings settings;
    settings.threads = spec.timed_threads > 0 ? spec.timed_threads : threads;
    settings.stop = [this] { return stopped(); };
    try {
      return train_and_score(spec, book_.rows_of(spec), settings);
    } catch (const Error& e) {
      if (e.kind() == ErrorKind::interrupted) throw;
      return failed(e.what());
    } catch (const std::bad_alloc&) {
      return failed("not enough memory");
    }
  }

  void finish(const RunSpec& spec, RunResult result) {
    const std::lock_guard lock(mutex_);
    ++done_;
    done_seconds_ += expected(spec);
    tell(spec, result);
    book_.add(spec, std::move(result));
  }

  // How long the rest takes, going by how long what is done took.
  double seconds_left() const {
    const double taken =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    return taken / done_seconds_ * (left_ - done_seconds_);
  }

  void tell(const RunSpec& spec, const RunResult& result) const {
    if (settings_.log == nullptr) return;
    const std::string what = fmt::format("{}, {} {}, seed {}", spec.name, spec.dataset,
                                         name_of(spec.task), spec.options.seed);
    if (!result.reason.empty()) {
      settings_.log->warn(fmt::format("{} is left out: {}", what, result.reason));
      return;
    }
    const std::string outcome =
        spec.timed_threads > 0
            ? fmt::format("{} ms a step", format_short(1000 * result.step_seconds(), 3))
            : fmt::format("mse {} ({} s)", format_short(result.errors.mse),
                          format_short(result.seconds, 2));
    settings_.log->note(fmt::format("[{}/{}] {}: {}{}", done_, specs_.size(), what, outcome,
                                    done_ < static_cast<std::int64_t>(specs_.size())
                                        ? fmt::format("; {} left", format_seconds(seconds_left()))
                                        : ""));
  }

  RunBook& book_;
  const RunnerSettings& settings_;
  const std::vector<RunSpec> specs_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::atomic<std::size_t> next_{0};
  std::atomic<bool> halted_{false};
  std::mutex mutex_;  // of what follows
  std::int64_t done_ = 0;
  double done_seconds_ = 0, left_ = 0;
  std::exception_ptr error_;
};

}  // namespace

void do_wanted_runs(RunBook& book, const RunnerSettings& settings) {
  std::vector<RunSpec> together, timed;
  for (const RunSpec& spec : book.wanted()) {
    (spec.timed_threads > 0 ? timed : together).push_back(spec);
  }
  // What takes long must not come last, when the other threads have nothing to do.
  std::stable_sort(together.begin(), together.end(), [&](const RunSpec& a, const RunSpec& b) {
    return expected_seconds(a, book.rows_of(a)) > expected_seconds(b, book.rows_of(b));
  });
  Crew(book, settings, std::move(together))
      .work(settings.jobs, std::max(1, settings.threads / settings.jobs));
  Crew(book, settings, std::move(timed)).work(1, settings.threads);
}

}  // namespace pegnn
