// Finding and loading the module that holds GDAL.

#include "io/gdal.h"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <mutex>

#include <fmt/core.h>

#include "io/gdal_entry.h"
#include "pegnn/error.h"
#include "pegnn/version.h"

namespace pegnn {
namespace {

// What came of loading: one of the two.
struct Loaded {
  const Gdal* gdal = nullptr;
  std::string why_not;
};

// Beside the program or library that this code is part of, or where such modules are installed.
std::filesystem::path module_file() {
  constexpr const char* kName = "pegnn_gdal" PEGNN_MODULE_SUFFIX;
  static const char here = 0;
  Dl_info info{};
  std::error_code ignored;
  // Of a program found through PATH, dladdr knows no more than its name.
  std::filesystem::path self = "/proc/self/exe";
  if (dladdr(&here, &info) != 0 && info.dli_fname != nullptr) {
    const std::string_view name = info.dli_fname;
    if (name.find('/') != std::string_view::npos) self = name;
  }
  const std::filesystem::path folder = std::filesystem::canonical(self, ignored).parent_path();
  for (const std::filesystem::path& place : {folder, folder / ".." / "lib" / "pegnn"}) {
    if (std::filesystem::exists(place / kName, ignored)) return place / kName;
  }
  return {};
}

Loaded load() {
  const std::filesystem::path file = module_file();
  if (file.empty()) return {nullptr, "this build of pegnn has no GDAL module"};
  // GDAL brings OpenBLAS along, which starts a thread for every core it sees; nothing here uses
  // them.
  setenv("OPENBLAS_NUM_THREADS", "1", 0);
  void* module = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (module == nullptr) return {nullptr, fmt::format("its module does not load ({})", dlerror())};
  const auto entry = reinterpret_cast<GdalEntry*>(dlsym(module, kGdalEntry));
  const Gdal* gdal = entry == nullptr ? nullptr : entry(version());
  if (gdal == nullptr) {
    return {nullptr, fmt::format("{} belongs to another version of pegnn", file.string())};
  }
  return {gdal, {}};
}

const Loaded& loaded() {
  static const Loaded result = load();
  return result;
}

}  // namespace

bool has_gdal() { return loaded().gdal != nullptr; }

const Gdal& gdal(std::string_view wanted_for) {
  if (has_gdal()) return *loaded().gdal;
  throw Error(ErrorKind::usage,
              fmt::format("{} needs GDAL: {}. Install GDAL (Debian: libgdal-dev) and build pegnn "
                          "again, or use CSV files",
                          wanted_for, loaded().why_not));
}

}  // namespace pegnn
