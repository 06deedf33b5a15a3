#include "paper/runner.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <new>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

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
  if (!asked_.insert(key).second) return nullptr;
  std::optional<RunResult> kept;
  if (!anew_) kept = load_run(folder_ / (key + ".json"));
  if (kept) return &(results_[key] = std::move(*kept));
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

std::int64_t RunBook::runs() const {
  return std::count_if(results_.begin(), results_.end(),
                       [](const auto& known) { return known.second.reason.empty(); });
}

double RunBook::compute_seconds() const {
  double sum = 0;
  for (const auto& [key, result] : results_) sum += result.seconds;
  return sum;
}

namespace {

// Takes runs from a list, one after the other, on several threads.
class Crew {
 public:
  Crew(RunBook& book, const RunnerSettings& settings)
      : book_(book), settings_(settings), total_(book.wanted().size()) {
    for (const RunSpec& spec : book.wanted()) left_ += expected(spec);
  }

  // `specs`, so many at a time; a timed one on its own number of threads, others on `threads`.
  void work(std::vector<RunSpec> specs, int jobs, int threads) {
    specs_ = std::move(specs);
    next_ = 0;
    jobs_ = std::min(jobs, std::max(1, static_cast<int>(specs_.size())));
    std::vector<std::thread> others;
    try {
      const HeldSignals held;  // they are for the calling thread
      for (int j = 1; j < jobs_; ++j) others.emplace_back([this, threads] { take(threads); });
    } catch (const std::system_error&) {
    } catch (const std::bad_alloc&) {
      // Those that could be made do the work.
    }
    take(threads);
    for (std::thread& other : others) other.join();
    if (error_) std::rethrow_exception(error_);
  }

  // Runs for which there was too little memory beside the others.
  std::vector<RunSpec> postponed() { return std::exchange(postponed_, {}); }

 private:
  double expected(const RunSpec& spec) const { return expected_seconds(spec, book_.rows_of(spec)); }

  bool stopped() const { return halted_ || (settings_.stop && settings_.stop()); }

  void take(int threads) {
    for (;;) {
      const std::size_t number = next_++;
      if (number >= specs_.size() || halted_) return;
      try {
        run(specs_[number], threads);
      } catch (...) {
        const std::lock_guard lock(mutex_);
        if (!error_) error_ = std::current_exception();
        halted_ = true;
        return;
      }
    }
  }

  void run(const RunSpec& spec, int threads) {
    RunSettings settings;
    settings.threads = spec.timed_threads > 0 ? spec.timed_threads : threads;
    settings.stop = [this] { return stopped(); };
    std::string reason;
    bool memory = false;
    try {
      return finish(spec, train_and_score(spec, book_.rows_of(spec), settings));
    } catch (const Error& e) {
      // Files that cannot be written concern all runs.
      if (e.kind() == ErrorKind::interrupted || e.kind() == ErrorKind::resource) throw;
      memory = e.kind() == ErrorKind::memory;
      reason = e.what();
    } catch (const std::bad_alloc&) {
      memory = true;
      reason = "not enough memory";
    }
    if (memory && jobs_ > 1) {
      const std::lock_guard lock(mutex_);
      postponed_.push_back(spec);
    } else {
      leave_out(spec, std::move(reason));
    }
  }

  void finish(const RunSpec& spec, RunResult result) {
    const std::lock_guard lock(mutex_);
    ++done_;
    left_ -= expected(spec);
    done_expected_ += expected(spec);
    done_seconds_ += result.seconds;
    book_.add(spec, result);
    tell(spec, result);
  }

  void leave_out(const RunSpec& spec, std::string reason) {
    const std::lock_guard lock(mutex_);
    ++done_;
    left_ -= expected(spec);
    if (settings_.log != nullptr) {
      settings_.log->warn(fmt::format("{} is left out: {}", words_of(spec), reason));
    }
    RunResult result;
    result.reason = std::move(reason);
    book_.add(spec, std::move(result));
  }

  static std::string words_of(const RunSpec& spec) {
    return fmt::format("{}, {} {}, {}", spec.name, spec.dataset, name_of(spec.task),
                       spec.timed_threads > 0 ? fmt::format("threads: {}", spec.timed_threads)
                                              : fmt::format("seed {}", spec.options.seed));
  }

  // How long the rest takes, if it is as much slower than expected as what is done.
  double seconds_left() const {
    const double slower = done_expected_ > 0 ? done_seconds_ / done_expected_ : 1;
    return slower * left_ / settings_.jobs;
  }

  void tell(const RunSpec& spec, const RunResult& result) const {
    if (settings_.log == nullptr) return;
    const std::string outcome =
        spec.timed_threads > 0
            ? fmt::format("{} ms a step", format_short(1000 * result.step_seconds(), 3))
            : fmt::format("mse {} ({:.1f} s)", format_short(result.errors.mse), result.seconds);
    settings_.log->note(fmt::format(
        "[{}/{}] {}: {}{}", done_, total_, words_of(spec), outcome,
        done_ < total_ ? fmt::format("; {} left", format_seconds(seconds_left())) : ""));
  }

  RunBook& book_;
  const RunnerSettings& settings_;
  const std::size_t total_;
  std::vector<RunSpec> specs_;
  int jobs_ = 1;
  std::atomic<std::size_t> next_{0};
  std::atomic<bool> halted_{false};
  std::mutex mutex_;  // of what follows
  std::size_t done_ = 0;
  double left_ = 0, done_expected_ = 0, done_seconds_ = 0;  // on one thread
  std::vector<RunSpec> postponed_;
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
  Crew crew(book, settings);
  crew.work(std::move(together), settings.jobs, std::max(1, settings.threads / settings.jobs));
  crew.work(crew.postponed(), 1, settings.threads);
  crew.work(std::move(timed), 1, settings.threads);
}

}  // namespace pegnn
