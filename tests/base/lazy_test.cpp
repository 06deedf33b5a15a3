#include "base/lazy.h"

#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace pegnn {
namespace {

TEST(Lazy, IsMadeOnceByWhoeverAsksFirst) {
  const Lazy<int> value;
  std::atomic<int> made{0};
  std::vector<std::thread> askers;
  for (int i = 0; i < 4; ++i) {
    askers.emplace_back([&] { EXPECT_EQ(7, value.get([&] { return ++made, 7; })); });
  }
  for (std::thread& asker : askers) asker.join();
  EXPECT_EQ(1, made);
}

TEST(Lazy, ShouldMakingItFailTheNextOneTriesAgain) {
  const Lazy<int> value;
  EXPECT_THROW(value.get([]() -> int { throw std::runtime_error("no memory"); }),
               std::runtime_error);
  EXPECT_EQ(3, value.get([] { return 3; }));
  EXPECT_EQ(3, value.get([] { return 4; }));
}

}  // namespace
}  // namespace pegnn
