// The counting behind the interposed functions.
//
//   PEGNN_TORTURE=KIND:N[:on]     which call gets a fault; `on`: it and all that follow
//   PEGNN_TORTURE_REPORT=FILE     where the counts go
//   PEGNN_TORTURE_FROM=A:B        only memory asked for by these modules is counted
//   PEGNN_TORTURE_DISARMED=1      nothing is counted until pegnn_torture_arm(1)

#include "fault_plan.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fork_server.h"

namespace pegnn::torture {
namespace {

Report own_report;
Report* report = &own_report;
Kind kind = Kind::none;
std::int64_t number = 0;
bool from_then_on = false;
std::atomic<std::int64_t> released{0};  // bytes given back since memory was exhausted
const char* wanted_modules = nullptr;
std::atomic<bool> armed{false};
// What looking around asks for is not counted.
thread_local bool looking = false;

constexpr struct {
  const char* name;
  Kind kind;
} kKinds[] = {
    {"allocation", Kind::allocation}, {"write", Kind::write}, {"short", Kind::short_write},
    {"signal", Kind::signal},         {"kill", Kind::kill},   {"torn", Kind::torn}};

void read_plan(const char* plan) {
  kind = Kind::none;
  const std::string_view text = plan == nullptr ? "" : plan;
  const std::size_t colon = text.find(':');
  for (const auto& known : kKinds) {
    if (text.substr(0, colon) == known.name) kind = known.kind;
  }
  number = colon == std::string_view::npos ? 0 : std::atoll(plan + colon + 1);
  from_then_on = text.ends_with(":on");
  report->allocations = report->writes = report->fired = 0;
  report->call[0] = report->target[0] = report->module[0] = report->places[0] = '\0';
  released = 0;
}

// The shared page stays mapped to the end of the process.
void open_report(const char* file) {
  const int descriptor = ::open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor < 0) return;
  if (::ftruncate(descriptor, sizeof(Report)) == 0) {
    void* page = ::mmap(nullptr, sizeof(Report), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (page != MAP_FAILED) report = static_cast<Report*>(page);
  }
  ::close(descriptor);
}

const char* module_of(const void* address) {
  Dl_info info{};
  if (::dladdr(address, &info) == 0 || info.dli_fname == nullptr) return "?";
  const char* slash = std::strrchr(info.dli_fname, '/');
  return slash == nullptr ? info.dli_fname : slash + 1;
}

bool begins_with(const char* text, const char* begin) {
  return std::strncmp(text, begin, std::strlen(begin)) == 0;
}

// Code that works on behalf of others.
bool serves(const char* module) {
  for (const char* name :
       {"libpegnn_torture", "libc.so", "libstdc++", "libgcc_s", "ld-linux", "?"}) {
    if (begins_with(module, name)) return true;
  }
  return false;
}

bool is_of_wanted_module(const void* caller) {
  const char* module = module_of(caller);
  for (const char* name = wanted_modules; *name != '\0';) {
    const std::size_t length = std::strcspn(name, ":");
    if (std::strncmp(module, name, length) == 0) return true;
    name += length + (name[length] == ':' ? 1 : 0);
  }
  return false;
}

// Looking up a module takes longer than most allocations: the answer for a page of code is kept.
bool is_wanted(const void* caller) {
  struct Known {
    std::uintptr_t page = 0;
    bool wanted = false;
  };
  constexpr std::size_t kKnown = 1024;
  static thread_local Known known[kKnown];
  const std::uintptr_t page = reinterpret_cast<std::uintptr_t>(caller) >> 12;
  Known& entry = known[page % kKnown];
  if (entry.page != page) entry = {page, is_of_wanted_module(caller)};
  return entry.wanted;
}

void tell(const char* call, const char* target) {
  std::snprintf(report->call, sizeof report->call, "%s", call);
  std::snprintf(report->target, sizeof report->target, "%s", target);
  constexpr int kMost = 96;
  void* frames[kMost];
  const int count = ::backtrace(frames, kMost);
  const char* found = "?";
  std::size_t filled = 0;
  for (int f = 0; f < count; ++f) {
    const char* module = module_of(frames[f]);
    if (serves(module)) continue;
    if (serves(found)) found = module;
    Dl_info info{};
    if (::dladdr(frames[f], &info) == 0) continue;
    const auto* base = static_cast<const char*>(info.dli_fbase);
    const int written =
        std::snprintf(report->places + filled, sizeof report->places - filled, "%s %#tx\n", module,
                      static_cast<const char*>(frames[f]) - base);
    filled += static_cast<std::size_t>(written);
    if (filled >= sizeof report->places) break;
  }
  std::snprintf(report->module, sizeof report->module, "%s", found);
}

bool is_due(std::int64_t now) { return from_then_on ? now >= number : now == number; }

struct Setup {
  Setup() {
    looking = true;
    if (const char* file = std::getenv("PEGNN_TORTURE_REPORT")) open_report(file);
    wanted_modules = std::getenv("PEGNN_TORTURE_FROM");
    read_plan(std::getenv("PEGNN_TORTURE"));
    void* frame = nullptr;
    ::backtrace(&frame, 1);  // loads what it needs
    looking = false;
  }
};

void set_up() { static const Setup setup; }

}  // namespace

bool allocation_fails(std::size_t size, const void* caller) noexcept {
  if (!armed.load(std::memory_order_relaxed) || looking) return false;
  if (wanted_modules != nullptr) {
    looking = true;
    const bool wanted = is_wanted(caller);
    looking = false;
    if (!wanted) return false;
  }
  const std::int64_t now = ++report->allocations;
  if (kind != Kind::allocation || !is_due(now)) return false;
  if (released_serves(size)) return false;
  if (report->fired++ == 0) {
    looking = true;
    char text[32];
    std::snprintf(text, sizeof text, "%zu bytes", size);
    tell("allocation", text);
    looking = false;
  }
  return true;
}

void note_released(std::size_t size) noexcept {
  if (from_then_on && report->fired > 0) released += static_cast<std::int64_t>(size);
}

bool released_serves(std::size_t size) noexcept {
  const auto wanted = static_cast<std::int64_t>(size);
  std::int64_t there = released.load();
  while (there >= wanted && wanted >= 0) {
    if (released.compare_exchange_weak(there, there - wanted)) return there > 0;
  }
  return false;
}

Kind write_fault(const char* call, int descriptor, const char* path) noexcept {
  if (!armed.load(std::memory_order_relaxed) || looking) return Kind::none;
  const std::int64_t now = ++report->writes;
  if (kind == Kind::none || kind == Kind::allocation || !is_due(now)) return Kind::none;
  // A full disk does not take the terminal away.
  if (from_then_on && descriptor == STDERR_FILENO) return Kind::none;
  if (report->fired++ == 0) {
    looking = true;
    char target[sizeof report->target] = "";
    if (path != nullptr) {
      std::snprintf(target, sizeof target, "%s", path);
    } else {
      char link[32];
      std::snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
      const ssize_t length = ::readlink(link, target, sizeof target - 1);
      target[length < 0 ? 0 : length] = '\0';
      if (descriptor <= STDERR_FILENO) std::snprintf(target, sizeof target, "%d", descriptor);
    }
    tell(call, target);
    looking = false;
  }
  if (kind == Kind::kill) ::raise(SIGKILL);
  return kind;
}

}  // namespace pegnn::torture

using namespace pegnn::torture;

void pegnn_torture_arm(int now) { armed = now != 0; }
void pegnn_torture_plan(const char* plan) {
  set_up();
  read_plan(plan);
}
std::int64_t pegnn_torture_fired() { return report->fired; }

// Counting begins with main(): what the dynamic loader does before is not the program's.
extern "C" {

using Main = int (*)(int, char**, char**);
static Main real_main;

static int counted_main(int count, char** words, char** environment) {
  set_up();
  serve_forks();
  if (std::getenv("PEGNN_TORTURE_DISARMED") == nullptr) armed = true;
  return real_main(count, words, environment);
}

int __libc_start_main(Main main, int count, char** words, void (*init)(), void (*fini)(),
                      void (*rtld_fini)(), void* stack_end) {
  real_main = main;
  const auto start =
      reinterpret_cast<decltype(&__libc_start_main)>(::dlsym(RTLD_NEXT, "__libc_start_main"));
  return start(counted_main, count, words, init, fini, rtld_fini, stack_end);
}

}  // extern "C"
