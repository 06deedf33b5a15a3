#include "base/memory.h"

#include <fstream>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include "pegnn/error.h"

namespace pegnn {
namespace {

// Leaves the process this much more than it has for as long as it lives.
class AddressSpaceLimit {
 public:
  explicit AddressSpaceLimit(rlim_t more) {
    ::getrlimit(RLIMIT_AS, &before_);
    rlim_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    rlimit limit = before_;
    limit.rlim_cur = pages * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE)) + more;
    ::setrlimit(RLIMIT_AS, &limit);
  }
  AddressSpaceLimit(const AddressSpaceLimit&) = delete;
  AddressSpaceLimit& operator=(const AddressSpaceLimit&) = delete;
  ~AddressSpaceLimit() { ::setrlimit(RLIMIT_AS, &before_); }

 private:
  rlimit before_{};
};

TEST(Memory, OfTheMachineIsFreeToSomeDegree) {
  EXPECT_GT(free_memory(), 1e6);
  EXPECT_NO_THROW(require_memory(1e6, "a trifle", "nothing helps"));
}

TEST(Memory, ALimitOfTheProcessCounts) {
  constexpr rlim_t kMore = 100 << 20;
  const AddressSpaceLimit limit(kMore);
  EXPECT_GT(free_memory(), 0);
  EXPECT_LE(free_memory(), static_cast<double>(kMore));
  EXPECT_THROW(require_memory(2.0 * kMore, "a table", "nothing helps"), Error);
}

TEST(Memory, WhatIsTooMuchIsToldWithBothNumbersAndTheAdvice) {
  try {
    require_memory(1e18, "a table of everything", "leave something out");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::memory);
    const std::string text = error.what();
    EXPECT_TRUE(text.starts_with("a table of everything needs 1000000000.0 GB of memory, and "))
        << text;
    EXPECT_TRUE(text.ends_with(" GB are free; leave something out")) << text;
  }
}

}  // namespace
}  // namespace pegnn
