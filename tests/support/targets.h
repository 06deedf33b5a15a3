#pragma once
// Tests on every instruction set that vectorised sources are compiled for and this machine has.

#include <cstdint>

#include <gtest/gtest.h>
#include <hwy/highway.h>

namespace pegnn::test {

// Calls f(name) once for each: AVX-512, AVX2 and the baseline (kernels/cpu/targets.h). Left alone,
// a machine takes the best it has and the others never run. No other thread may be at work.
template <class F>
void for_every_target(F&& f) {
  struct Restore {
    ~Restore() { hwy::GetChosenTarget().DeInit(); }
  } const restore;
  for (const std::int64_t target : {HWY_AVX3, HWY_AVX2, HWY_SCALAR}) {
    if (target != HWY_SCALAR && (hwy::SupportedTargets() & target) == 0) continue;
    hwy::GetChosenTarget().Update(target);
    const char* const name = hwy::TargetName(target);
    SCOPED_TRACE(name);
    f(name);
  }
}

}  // namespace pegnn::test
