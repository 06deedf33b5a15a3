#include "base/memory.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>

#include <sys/resource.h>

#include <fmt/core.h>

#include "pegnn/error.h"

namespace pegnn {
namespace {

constexpr double kUnlimited = std::numeric_limits<double>::infinity();

// The number that stands after `key` in a file of lines "key: number unit".
std::optional<double> number_after(const std::string& file, const std::string& key) {
  std::ifstream lines(file);
  std::string word, rest;
  double number = 0;
  while (lines >> word) {
    if (word == key && lines >> number) return number;
    std::getline(lines, rest);
  }
  return {};
}

// The only number of a file; nothing when it holds a word ("max") or is not there.
std::optional<double> number_in(const std::string& file) {
  std::ifstream text(file);
  double number = 0;
  if (text >> number) return number;
  return {};
}

// What the container may still take; pages of files that it holds can be given back. The names are
// those of the two versions of control groups.
double left_to_container() {
  struct Names {
    const char *most, *taken, *stat, *files;
  };
  constexpr Names kVersions[] = {{"memory.max", "memory.current", "memory.stat", "inactive_file"},
                                 {"memory/memory.limit_in_bytes", "memory/memory.usage_in_bytes",
                                  "memory/memory.stat", "total_inactive_file"}};
  const std::string root = "/sys/fs/cgroup/";
  double left = kUnlimited;
  for (const Names& names : kVersions) {
    const std::optional<double> most = number_in(root + names.most);
    const std::optional<double> taken = number_in(root + names.taken);
    if (!most || !taken) continue;
    const double files = number_after(root + names.stat, names.files).value_or(0);
    left = std::min(left, std::max(0.0, *most - *taken + files));
  }
  return left;
}

// What `ulimit -v` leaves.
double left_to_process() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return kUnlimited;
  const double taken = 1024 * number_after("/proc/self/status", "VmSize:").value_or(0);
  return std::max(0.0, static_cast<double>(limit.rlim_cur) - taken);
}

double left_to_machine() {
  const std::optional<double> kilobytes = number_after("/proc/meminfo", "MemAvailable:");
  return kilobytes ? 1024 * *kilobytes : kUnlimited;
}

}  // namespace

double free_memory() {
  return std::min({left_to_machine(), left_to_container(), left_to_process()});
}

void require_memory(double bytes, const std::string& what, const std::string& advice) {
  constexpr double kGigabyte = 1e9;
  const double free = free_memory();
  if (bytes <= free) return;
  throw Error(ErrorKind::memory,
              fmt::format("{} needs {:.1f} GB of memory, and {:.1f} GB are free; {}", what,
                          bytes / kGigabyte, free / kGigabyte, advice));
}

}  // namespace pegnn
