#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "base/thread_pool.h"

namespace pegnn {
namespace {

TEST(ThreadPool, CallsEveryBlockOnce) {
  for (const int threads : {1, 2, 5}) {
    std::vector<int> calls(1000);
    ThreadPool(threads).for_each(1000,
                                 [&](std::int64_t b) { ++calls[static_cast<std::size_t>(b)]; });
    EXPECT_EQ(std::vector<int>(1000, 1), calls);
  }
}

TEST(ThreadPool, CutsRowsIntoBlocksWithAShorterLastOne) {
  std::vector<std::pair<std::int64_t, std::int64_t>> blocks;
  ThreadPool(1).for_blocks(10, 4, [&](std::int64_t b, std::int64_t e) {
    blocks.push_back({b, e});
  });
  EXPECT_EQ((std::vector<std::pair<std::int64_t, std::int64_t>>{{0, 4}, {4, 8}, {8, 10}}), blocks);
  ThreadPool(2).for_blocks(0, 4, [](std::int64_t, std::int64_t) { FAIL() << "no rows, no block"; });
}

TEST(ThreadPool, RethrowsTheErrorOfTheLowestBlock) {
  for (const int threads : {1, 3}) {
    try {
      ThreadPool(threads).for_each(100, [](std::int64_t b) {
        if (b % 10 == 7) throw std::runtime_error(std::to_string(b));
      });
      FAIL() << "no error";
    } catch (const std::runtime_error& e) {
      EXPECT_STREQ("7", e.what());
    }
  }
}

TEST(ThreadPool, ACallInsideABlockRunsOnItsThread) {
  const ThreadPool pool(3);
  std::atomic<int> inner{0};
  pool.for_each(4, [&](std::int64_t) { pool.for_each(5, [&](std::int64_t) { ++inner; }); });
  EXPECT_EQ(20, inner.load());
}

TEST(ThreadPool, ThousandsOfShortCallsWithPausesAllEnd) {
  const ThreadPool pool(3);
  std::int64_t total = 0;
  for (int call = 0; call < 5000; ++call) {
    std::atomic<std::int64_t> sum{0};
    pool.for_each(4, [&](std::int64_t b) { sum += b + 1; });
    total += sum;
    // Long enough, now and then, for the workers to fall asleep.
    if (call % 500 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_EQ(50'000, total);
}

TEST(ThreadPool, SeveralCallersMayShareIt) {
  const ThreadPool pool(3);
  std::atomic<std::int64_t> sum{0};
  std::vector<std::thread> callers;
  for (int c = 0; c < 4; ++c) {
    callers.emplace_back([&] {
      for (int call = 0; call < 500; ++call) pool.for_each(3, [&](std::int64_t) { ++sum; });
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(4 * 500 * 3, sum.load());
}

TEST(ThreadPool, ZeroThreadsMeansAllCores) {
  EXPECT_EQ(available_cores(), ThreadPool(0).threads());
}

TEST(ThreadPool, MoreThreadsThanAnyMachineHasAreNotMade) {
  // Beyond 65,535 the count of those at work would run over.
  const ThreadPool pool(1'000'000);
  EXPECT_EQ(1024, pool.threads());
  std::atomic<int> calls{0};
  pool.for_each(5000, [&](std::int64_t) { ++calls; });
  EXPECT_EQ(5000, calls.load());
}

TEST(ThreadPool, WhatIsLeftAsideIsDoneOnceBesideTheCalls) {
  for (const int threads : {1, 2, 4}) {
    const ThreadPool pool(threads);
    ThreadPool::BackgroundTask task(pool);
    for (int time = 0; time < 500; ++time) {
      int done = 0;
      std::atomic<int> inner{0};
      const auto job = [&] {
        pool.for_each(3, [&](std::int64_t) { ++inner; });
        ++done;
      };
      std::atomic<std::int64_t> sum{0};
      task.start(job);
      pool.for_each(40, [&](std::int64_t b) { sum += b; });
      pool.for_each(40, [&](std::int64_t b) { sum += b; });
      task.wait();
      EXPECT_EQ(1560, sum.load());
      EXPECT_EQ(1, done);
      EXPECT_EQ(3, inner.load());
    }
    task.wait();  // nothing was started
  }
}

TEST(ThreadPool, TheErrorOfWhatIsLeftAsideComesWithWait) {
  for (const int threads : {1, 3}) {
    const ThreadPool pool(threads);
    ThreadPool::BackgroundTask task(pool);
    const auto job = [] { throw std::runtime_error("aside"); };
    task.start(job);
    pool.for_each(10, [](std::int64_t) {});
    EXPECT_THROW(task.wait(), std::runtime_error);
    task.wait();
    int done = 0;
    const auto next = [&] { ++done; };
    task.start(next);
    task.wait();
    EXPECT_EQ(1, done) << "the pool goes on";
  }
}

TEST(ThreadPool, WhatIsLeftAsideAndNotWaitedForIsNotBegunByItsEnd) {
  const ThreadPool alone(1);
  int done = 0;
  const auto job = [&] { ++done; };
  {
    ThreadPool::BackgroundTask task(alone);
    task.start(job);
  }
  EXPECT_EQ(0, done);
  const ThreadPool pool(3);
  for (int time = 0; time < 200; ++time) {
    std::atomic<int> begun{0}, ended{0};
    const auto counted = [&] {
      ++begun;
      ++ended;
    };
    {
      ThreadPool::BackgroundTask task(pool);
      task.start(counted);
      pool.for_each(4, [](std::int64_t) {});
    }
    EXPECT_EQ(begun.load(), ended.load()) << "what was begun was waited for";
    EXPECT_LE(begun.load(), 1);
  }
}

}  // namespace
}  // namespace pegnn
