// A clock on the wall that nobody can rely on: with PEGNN_TORTURE_CLOCK=1 every look at it shows
// another time, often an earlier one, from before 1970 to beyond 2106. The clock that measures
// seconds passed is left alone: the system promises that it never goes backwards.

#include <atomic>
#include <cstdlib>

#include <dlfcn.h>
#include <sys/time.h>
#include <time.h>

namespace {

bool lies() {
  static const bool asked = std::getenv("PEGNN_TORTURE_CLOCK") != nullptr;
  return asked;
}

time_t lie() {
  static std::atomic<int> looks{0};
  constexpr time_t kTimes[] = {1790000000, 1790003600, 1000000000, 1789999999, 0,
                               -86400,     2147483648, 4294967297, 946684799};
  return kTimes[looks++ % static_cast<int>(std::size(kTimes))];
}

}  // namespace

extern "C" {

int clock_gettime(clockid_t clock, timespec* now) {
  static const auto real =
      reinterpret_cast<decltype(&clock_gettime)>(::dlsym(RTLD_NEXT, "clock_gettime"));
  const int result = real(clock, now);
  if (result == 0 && clock == CLOCK_REALTIME && lies()) now->tv_sec = lie();
  return result;
}

int gettimeofday(timeval* now, void* zone) {
  static const auto real =
      reinterpret_cast<decltype(&gettimeofday)>(::dlsym(RTLD_NEXT, "gettimeofday"));
  const int result = real(now, zone);
  if (result == 0 && lies()) now->tv_sec = lie();
  return result;
}

time_t time(time_t* out) {
  static const auto real = reinterpret_cast<decltype(&time)>(::dlsym(RTLD_NEXT, "time"));
  const time_t now = lies() ? lie() : real(nullptr);
  if (out != nullptr) *out = now;
  return now;
}

}  // extern "C"
