#include "base/memory.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include "pegnn/error.h"

namespace pegnn {
namespace {

// Leaves the process this much more than it has for as long as it lives.
class AddressSpaceLimit {
 public:
  explicit AddressSpaceLimit(double more) {
    ::getrlimit(RLIMIT_AS, &before_);
    rlimit limit = before_;
    limit.rlim_cur = static_cast<rlim_t>(more);
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
  const AddressSpaceLimit limit(1e6);  // less than it has taken already
  EXPECT_EQ(free_memory(), 0);
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
