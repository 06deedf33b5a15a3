#include "base/memory.h"

#include <fstream>
#include <optional>

#include <fmt/core.h>

#include "pegnn/error.h"

namespace pegnn {
namespace {

std::optional<double> available_memory() {
  std::ifstream file("/proc/meminfo");
  std::string key, unit;
  double kilobytes = 0;
  while (file >> key >> kilobytes) {
    if (key == "MemAvailable:") return 1024 * kilobytes;
    std::getline(file, unit);
  }
  return {};
}

}  // namespace

void require_memory(double bytes, const std::string& what, const std::string& advice) {
  constexpr double kGigabyte = 1e9;
  const std::optional<double> free = available_memory();
  if (!free || bytes <= *free) return;
  throw Error(ErrorKind::memory,
              fmt::format("{} needs {:.1f} GB of memory, and {:.1f} GB are free; {}", what,
                          bytes / kGigabyte, *free / kGigabyte, advice));
}

}  // namespace pegnn
