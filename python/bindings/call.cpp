#include "call.h"

#include <algorithm>
#include <thread>

namespace pegnn::python {
namespace {

// Taking the lock costs more than a step of a small network does.
constexpr std::chrono::milliseconds kLookEvery{20};
constexpr std::chrono::milliseconds kTellEvery{50};
// Of an interpreter that ends.
constexpr std::chrono::milliseconds kMostWaiting{10'000}, kWaitFor{5};

std::atomic<bool> ending{false};

}  // namespace

std::atomic<int> LongCall::Running::count{0};

void LongCall::end_all() {
  ending = true;
  const pybind11::gil_scoped_release unlocked;
  for (auto waited = kWaitFor; Running::count > 0 && waited < kMostWaiting; waited += kWaitFor) {
    std::this_thread::sleep_for(kWaitFor);
  }
}

LongCall::LongCall(int threads, pybind11::object log, pybind11::object progress)
    : log_(std::move(log)), progress_(std::move(progress)) {
  if (ending) throw Error(ErrorKind::interrupted, "the interpreter is ending");
  settings_.threads = threads;
  settings_.log = &log_;
  settings_.stop = [this] { return interrupted(); };
  if (!progress_.is_none()) {
    settings_.progress = [this](const TrainProgress& now) { tell(now); };
  }
}

bool LongCall::interrupted() {
  if (raised_ || ending) return true;
  const Clock::time_point now = Clock::now();
  if (now - looked_ < kLookEvery) return false;
  looked_ = now;
  const pybind11::gil_scoped_acquire lock;
  if (PyErr_CheckSignals() == 0) return false;
  raised_.emplace();  // takes what was raised
  return true;
}

void LongCall::tell(const TrainProgress& progress) {
  if (ending) return;
  const Clock::time_point now = Clock::now();
  if (!progress.measured && now - told_ < kTellEvery) return;
  told_ = now;
  const pybind11::gil_scoped_acquire lock;
  progress_(progress);
}

}  // namespace pegnn::python
