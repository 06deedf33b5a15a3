#pragma once
// Long calls into the engine: without the interpreter's lock, stopped by Ctrl-C, telling how far
// they are.

#include <atomic>
#include <chrono>
#include <optional>
#include <string_view>
#include <utility>

#include <pybind11/pybind11.h>

#include "pegnn/error.h"
#include "pegnn/log.h"
#include "pegnn/run.h"

namespace pegnn::python {

// The engine's talk, handed to a Python function of two words: the kind ("note", "warning",
// "detail") and the text.
class CallableLog final : public Log {
 public:
  explicit CallableLog(pybind11::object function) : function_(std::move(function)) {}
  void note(std::string_view text) override { say("note", text); }
  void warn(std::string_view text) override { say("warning", text); }
  void detail(std::string_view text) override { say("detail", text); }
  OptionStyle option_style() const override { return OptionStyle::python; }

 private:
  void say(const char* kind, std::string_view text) {
    if (function_.is_none()) return;
    const pybind11::gil_scoped_acquire lock;
    function_(kind, pybind11::str(text.data(), text.size()));
  }

  pybind11::object function_;
};

// One call. Made, asked and destroyed by the thread that holds the interpreter's lock.
class LongCall {
 public:
  // `log` and `progress` are Python functions or None.
  LongCall(int threads, pybind11::object log, pybind11::object progress);

  RunSettings& settings() { return settings_; }
  Log& log() { return log_; }

  // True when Python wants the call to stop: a signal came, and its handler raised. May be called
  // without the lock, and as often as one likes: it looks only now and then.
  bool interrupted();

  // Does `work` without the lock. What a signal's handler raised comes out as it is.
  template <class Work>
  auto run(Work&& work) {
    try {
      const Running running;
      const pybind11::gil_scoped_release unlocked;
      return work();
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::interrupted) raise();
      throw;
    }
  }
  // Throws what a signal's handler raised, if one did, for work that ended with what it had.
  void raise() {
    if (raised_) throw std::move(*raised_);
  }

  // When the interpreter ends: asks the calls of other threads to stop, and waits a while for them.
  // Threads that came back later would find no interpreter, and the process would abort.
  static void end_all();

 private:
  using Clock = std::chrono::steady_clock;

  // Counted until the lock is held again.
  struct Running {
    Running() { ++count; }
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;
    ~Running() { --count; }
    static std::atomic<int> count;
  };

  void tell(const TrainProgress& progress);

  CallableLog log_;
  pybind11::object progress_;
  Clock::time_point looked_, told_;
  std::optional<pybind11::error_already_set> raised_;
  RunSettings settings_;
};

}  // namespace pegnn::python
