#include "base/schedule.h"

#include <array>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

namespace pegnn {
namespace {

TEST(Schedule, PutsWorkOffUntilItIsRun) {
  const ThreadPool pool(2);
  Schedule schedule(pool);
  std::vector<int> seen(1000);
  int* const out = seen.data();
  schedule.rows(1000, [=](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) ++out[i];
  });
  EXPECT_EQ(std::vector<int>(1000, 0), seen);
  schedule.run();
  EXPECT_EQ(std::vector<int>(1000, 1), seen);
  schedule.run();
  EXPECT_EQ(std::vector<int>(1000, 1), seen) << "a second run has nothing to do";
}

// Every row adds up what its neighbours had before the gather, again and again.
TEST(Schedule, AGatherSeesAllRowsOfWhatWasPutBefore) {
  const ThreadPool pool(3);
  const std::int64_t n = 5000;
  Schedule schedule(pool);
  std::vector<long> a(static_cast<std::size_t>(n)), b(a.size()), want(a.size());
  std::iota(a.begin(), a.end(), 0L);
  want = a;
  for (int time = 0; time < 6; ++time) {
    const std::vector<long> before = want;
    for (std::size_t i = 0; i < want.size(); ++i) {
      want[i] = (before[(i + 1) % want.size()] + before[(i + 2900) % want.size()]) % 1000 + 1;
    }
    const long* const from = time % 2 == 0 ? a.data() : b.data();
    long* const to = time % 2 == 0 ? b.data() : a.data();
    schedule.gather(n, [=](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        to[i] = (from[(i + 1) % n] + from[(i + 2900) % n]) % 1000;
      }
    });
    schedule.rows(n, [=](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) ++to[i];
    });
  }
  schedule.run();
  EXPECT_EQ(want, a);
}

TEST(Schedule, RowsOfAnotherNumberWaitForThoseBefore) {
  const ThreadPool pool(3);
  Schedule schedule(pool);
  std::vector<int> rows(4000);
  int* const data = rows.data();
  schedule.rows(4000, [=](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) data[i] = 1;
  });
  int sum = 0;
  int* const total = &sum;
  schedule.rows(1, [=](std::int64_t, std::int64_t) {
    for (int i = 0; i < 4000; ++i) *total += data[i];
  });
  schedule.run();
  EXPECT_EQ(4000, sum);
}

TEST(Schedule, NoRowsAreNoWork) {
  const ThreadPool pool(2);
  Schedule schedule(pool);
  bool called = false;
  bool* const flag = &called;
  schedule.rows(0, [=](std::int64_t, std::int64_t) { *flag = true; });
  schedule.gather(0, [=](std::int64_t, std::int64_t) { *flag = true; });
  schedule.at_the_end(0, [=](std::int64_t, std::int64_t) { *flag = true; });
  schedule.run();
  EXPECT_FALSE(called);
}

TEST(Schedule, TheEndComesAfterEverythingAndCoversItsRange) {
  const ThreadPool pool(3);
  Schedule schedule(pool);
  std::vector<int> ended(10000);
  std::array<int, 3> done{};
  int* const out = ended.data();
  int* const before = done.data();
  schedule.at_the_end(10000, [=](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) out[i] += before[0] + before[1] + before[2];
  });
  for (int i = 0; i < 3; ++i) {
    schedule.gather(1, [=](std::int64_t, std::int64_t) { before[i] = 1; });
  }
  schedule.run();
  EXPECT_EQ(std::vector<int>(10000, 3), ended);
}

// A slab is one thread's, in the order of its rows: sums need no lock.
TEST(Schedule, BlocksOfASlabComeInOrder) {
  for (const std::int64_t n : {1, 127, 128, 129, 2048, 16512, 100000}) {
    const ThreadPool pool(4);
    Schedule schedule(pool);
    const std::int64_t slabs = schedule.slabs(n), slab_rows = schedule.slab_rows(n);
    ASSERT_LE(slabs, Schedule::kMostSlabs);
    ASSERT_GE(slabs * slab_rows, n);
    std::vector<std::int64_t> next(static_cast<std::size_t>(slabs));
    for (std::int64_t s = 0; s < slabs; ++s) next[static_cast<std::size_t>(s)] = s * slab_rows;
    std::int64_t* const at = next.data();
    std::vector<char> wrong(static_cast<std::size_t>(slabs));
    char* const fail = wrong.data();
    schedule.rows(n, [=](std::int64_t begin, std::int64_t end) {
      const std::int64_t slab = begin / slab_rows;
      if (at[slab] != begin || end > (slab + 1) * slab_rows) fail[slab] = 1;
      at[slab] = end;
    });
    schedule.run();
    EXPECT_EQ(std::vector<char>(wrong.size(), 0), wrong) << n;
    EXPECT_EQ(n, next.back());
  }
}

TEST(Schedule, HeldMemoryStaysWhereItIsWhileMoreIsHeld) {
  const ThreadPool pool(1);
  Schedule schedule(pool);
  for (int time = 0; time < 3; ++time) {
    std::vector<int*> held;
    for (int i = 0; i < 200; ++i) {
      held.push_back(schedule.hold<int>(5000));
      EXPECT_EQ(0U, reinterpret_cast<std::uintptr_t>(held.back()) % kAlignment);
      std::fill_n(held.back(), 5000, i);
    }
    for (int i = 0; i < 200; ++i) {
      EXPECT_EQ(i, held[static_cast<std::size_t>(i)][0]);
      EXPECT_EQ(i, held[static_cast<std::size_t>(i)][4999]);
    }
    schedule.run();
  }
}

TEST(Schedule, TheSameHoldsASecondTimeTakeNoMoreMemory) {
  const ThreadPool pool(1);
  Schedule schedule(pool);
  const auto hold = [&] {
    for (const std::int64_t count : {40000, 100000, 200000}) schedule.hold<char>(count);
    schedule.run();
    return schedule.bytes();
  };
  const std::int64_t once = hold();
  EXPECT_EQ(once, hold());
  EXPECT_EQ(once, hold());
}

TEST(Schedule, WhatAnErrorLeavesBehindIsNotRun) {
  const ThreadPool pool(1);
  Schedule schedule(pool);
  bool called = false;
  bool* const flag = &called;
  try {
    const Schedule::Discard discard{schedule};
    schedule.rows(10, [=](std::int64_t, std::int64_t) { *flag = true; });
    throw 1;
  } catch (int) {
  }
  schedule.run();
  EXPECT_FALSE(called);
}

TEST(Schedule, LargeSumsHaveFewSlabs) {
  EXPECT_EQ(Schedule::kMostSlabs, Schedule::slabs_for(0));
  EXPECT_EQ(Schedule::kMostSlabs, Schedule::slabs_for(100000));
  EXPECT_EQ(16, Schedule::slabs_for(16 << 20));
  EXPECT_EQ(4, Schedule::slabs_for(std::int64_t{1} << 40));
  const ThreadPool pool(1);
  const Schedule schedule(pool, 4);
  EXPECT_EQ(4, schedule.slabs(100000));
  EXPECT_EQ(1, schedule.slabs(100));
  EXPECT_EQ(0, schedule.slab_rows(100000) % Schedule::kBlockRows);
}

}  // namespace
}  // namespace pegnn
