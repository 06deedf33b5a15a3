// The library with memory that cannot be had, in one process: train, save, load and predict with
// every request for memory refused in turn. What fails throws std::bad_alloc, or Error{memory};
// nothing is left on the disk; and the same call then gives the same bits. Under the address
// sanitizer, leaks on the way are found at the end.

#include <atomic>
#include <cstdlib>
#include <functional>
#include <new>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "pegnn/error.h"
#include "pegnn/model.h"
#include "pegnn/train.h"
#include "support/tables.h"

namespace {

long all_tries = 0;
std::atomic<long> asked{0};
std::atomic<long> refused{0};  // the number of the request that is; 0: none

void* counted(void* memory, std::size_t) {
  if (++asked == refused || memory == nullptr) {
    std::free(memory);
    throw std::bad_alloc();
  }
  return memory;
}

}  // namespace

#include "support/counted_new.inc"

namespace pegnn {
namespace {

constexpr std::size_t kRows = 24;

class MemoryFaults : public testing::Test {
 protected:
  static Model learn(const std::string& name, int threads = 1) {
    OptionRequest request;
    if (name == "network") request.preset = "paper";
    Options options = options_for(request);
    if (name != "network" && name != "default") options.model = name;
    options.steps = 2;
    options.members = 1;
    options.part.set("far-members", 0);
    options.choose = "none";
    options.gp_steps = 2;
    options.width = 4;
    RunSettings run;
    run.threads = threads;
    return train(test::smooth_table(kRows), test::smooth_roles(), options, false, run).model;
  }

  static std::string answers(const Model& model) {
    const std::vector<double> predicted =
        model.predict(test::smooth_table(kRows, 2), {}, false, {});
    return std::string(reinterpret_cast<const char*>(predicted.data()),
                       predicted.size() * sizeof(double));
  }

  // Calls `call` with every request refused in turn, every `stride`-th of them; `call` returns
  // bytes.
  static void refuse_each(const std::function<std::string()>& call, long stride = 1) {
    const std::string right = call();
    long tries = 0;
    for (long n = 1;; n += stride, ++tries) {
      std::string found;
      asked = 0;
      refused = n;
      bool threw = false;
      try {
        found = call();
      } catch (const std::bad_alloc&) {
        threw = true;
      } catch (const Error& error) {
        threw = error.kind() == ErrorKind::memory;
        refused = 0;
        ASSERT_TRUE(threw) << n << ": " << error.what();
      }
      const bool met = asked >= n;
      refused = 0;
      if (!threw) {
        ASSERT_EQ(right, found) << "request " << n;
      }
      ASSERT_EQ(right, call()) << "after request " << n;
      if (!met) break;
    }
    EXPECT_GT(tries, 10);
    all_tries += tries;
    RecordProperty("tries_until_here", std::to_string(all_tries));
  }
};

TEST_F(MemoryFaults, TrainingANetwork) {
  refuse_each([] { return answers(learn("network")); });
}

TEST_F(MemoryFaults, TrainingANetworkOnTwoThreads) {
  refuse_each([] { return answers(learn("network", 2)); });
}

TEST_F(MemoryFaults, TrainingTheDefaultNetwork) {
  refuse_each([] { return answers(learn("default")); }, 31);  // 10,780 of 15 ms each
}

TEST_F(MemoryFaults, FittingBaselines) {
  for (const char* name : {"kriging", "gp", "nngp", "svgp", "idw", "knn", "mean"}) {
    SCOPED_TRACE(name);
    refuse_each([&] { return answers(learn(name)); }, 7);
  }
}

TEST_F(MemoryFaults, Predicting) {
  for (const char* name : {"network", "default", "kriging"}) {
    SCOPED_TRACE(name);
    const Model model = learn(name);
    refuse_each([&] { return answers(model); });
  }
}

}  // namespace
}  // namespace pegnn
