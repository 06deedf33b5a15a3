#include "train/side_by_side.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace pegnn {
namespace {

using namespace std::chrono_literals;

// Tasks that tell of themselves and note what became of them.
struct Fixture {
  std::vector<std::int64_t> finished;
  std::vector<std::string> parts;
  std::thread::id caller = std::this_thread::get_id();
  bool elsewhere = false;  // something was called by another thread

  RunSettings run{.threads = 2, .progress = [this](const TrainProgress& p) {
                    elsewhere |= std::this_thread::get_id() != caller;
                    if (p.measured) parts.push_back(p.part);
                  }};
  SideBySide tasks{.tasks = 5, .jobs = 2, .work = {}, .finished = [this](std::int64_t task) {
                     elsewhere |= std::this_thread::get_id() != caller;
                     finished.push_back(task);
                   }};
};

// Waits until it is told to stop.
void wait_for_stop(const RunSettings& own) {
  while (!own.stopped()) std::this_thread::sleep_for(1ms);
}

TEST(SideBySide, AllAreDoneAndToldOfInTheirOrderByTheCaller) {
  Fixture f;
  std::atomic<int> at_once{0}, most{0};
  f.tasks.work = [&](std::int64_t task, const RunSettings& own) {
    most = std::max(most.load(), ++at_once);
    for (int step = 0; step < 3; ++step) {
      own.progress({.step = step, .measured = true, .part = std::to_string(task)});
    }
    std::this_thread::sleep_for(task == 0 ? 30ms : 3ms);  // the first is the last to end
    --at_once;
  };
  EXPECT_TRUE(run_side_by_side(f.tasks, f.run));
  EXPECT_EQ((std::vector<std::int64_t>{0, 1, 2, 3, 4}), f.finished);
  EXPECT_EQ(15U, f.parts.size()) << "no figure is lost";
  EXPECT_FALSE(f.elsewhere);
  EXPECT_EQ(2, most);
}

TEST(SideBySide, TheErrorOfTheFirstInOrderComesOut) {
  for (int repeat = 0; repeat < 20; ++repeat) {
    Fixture f;
    std::atomic<bool> third_failed{false};
    f.tasks.jobs = 3;
    std::atomic<int> begun{0};
    f.tasks.work = [&](std::int64_t task, const RunSettings& own) {
      ++begun;
      if (task == 0) return;
      if (task == 2) {
        third_failed = true;
        throw std::runtime_error("the third");
      }
      if (task > 2) wait_for_stop(own);  // ended by it
      while (!third_failed) std::this_thread::sleep_for(1ms);
      EXPECT_FALSE(own.stopped()) << "those before it go on";
      throw std::runtime_error("the second");
    };
    try {
      run_side_by_side(f.tasks, f.run);
      ADD_FAILURE() << "no error";
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ("the second", error.what());
    }
    EXPECT_EQ(std::vector<std::int64_t>{0}, f.finished);
    EXPECT_LE(begun, 4);
  }
}

TEST(SideBySide, AllStopWhenTheCallerSaysSo) {
  Fixture f;
  std::atomic<int> begun{0};
  f.run.stop = [&] {
    f.elsewhere |= std::this_thread::get_id() != f.caller;
    return begun == 2;
  };
  f.tasks.work = [&](std::int64_t task, const RunSettings& own) {
    ++begun;
    wait_for_stop(own);
    if (task == 1) throw std::runtime_error("stopped");
  };
  EXPECT_THROW(run_side_by_side(f.tasks, f.run), std::runtime_error);
  EXPECT_EQ(2, begun);
  begun = 0;
  f.tasks.work = [&](std::int64_t, const RunSettings& own) {
    ++begun;
    wait_for_stop(own);
  };
  EXPECT_FALSE(run_side_by_side(f.tasks, f.run)) << "stopped, and nobody complained";
  EXPECT_FALSE(f.elsewhere);
}

// One that ends by an error when it is stopped must not break off those behind it, which have
// something to keep as well.
TEST(SideBySide, OnesThatAreStoppedAllHearIt) {
  for (int repeat = 0; repeat < 20; ++repeat) {
    Fixture f;
    std::atomic<int> begun{0}, heard{0};
    f.run.stop = [&] { return begun == 2; };
    f.tasks.work = [&](std::int64_t task, const RunSettings& own) {
      ++begun;
      if (task == 1) {
        while (heard == 0) std::this_thread::sleep_for(1ms);
        std::this_thread::sleep_for(2ms);  // the first has thrown by now
      }
      wait_for_stop(own);
      ++heard;
      throw std::runtime_error("stopped");
    };
    EXPECT_THROW(run_side_by_side(f.tasks, f.run), std::runtime_error);
    EXPECT_EQ(2, heard);
  }
}

TEST(SideBySide, WhatTheCallerThrowsEndsAll) {
  Fixture f;
  f.run.progress = [](const TrainProgress&) { throw std::logic_error("enough"); };
  std::atomic<int> begun{0};
  f.tasks.work = [&](std::int64_t, const RunSettings& own) {
    ++begun;
    own.progress({.step = 1, .measured = true});
    wait_for_stop(own);
  };
  EXPECT_THROW(run_side_by_side(f.tasks, f.run), std::logic_error);
  EXPECT_LE(begun, 2);
  EXPECT_TRUE(f.finished.empty());
}

TEST(SideBySide, ThreadsAreSharedAndTheLastTasksHaveThemAll) {
  const auto shares = [](int threads, std::int64_t tasks, std::int64_t jobs) {
    std::vector<int> all;
    for (std::int64_t task = 0; task < tasks; ++task) {
      all.push_back(share_of_threads(threads, task, tasks, jobs));
    }
    return all;
  };
  EXPECT_EQ((std::vector<int>{1, 1, 1, 1, 2}), shares(2, 5, 2));
  EXPECT_EQ((std::vector<int>{3, 3, 2}), shares(8, 3, 3));
  EXPECT_EQ((std::vector<int>{2, 1, 1, 2, 1, 1, 2, 2}), shares(4, 8, 3));
  EXPECT_EQ((std::vector<int>{1, 1, 1, 1}), shares(1, 4, 2)) << "never none";
}

}  // namespace
}  // namespace pegnn
