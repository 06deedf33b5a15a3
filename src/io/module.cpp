#include "io/module.h"

#include <dlfcn.h>

#include <filesystem>
#include <string_view>

#include <fmt/core.h>

namespace pegnn {
namespace {

std::filesystem::path module_file(const std::string& name) {
  static const char here = 0;
  Dl_info info{};
  std::error_code ignored;
  // Of a program found through PATH, dladdr knows no more than its name.
  std::filesystem::path self = "/proc/self/exe";
  if (dladdr(&here, &info) != 0 && info.dli_fname != nullptr) {
    const std::string_view known = info.dli_fname;
    if (known.find('/') != std::string_view::npos) self = known;
  }
  const std::filesystem::path folder = std::filesystem::canonical(self, ignored).parent_path();
  const std::string file = name + PEGNN_MODULE_SUFFIX;
  for (const std::filesystem::path& place : {folder, folder / ".." / "lib" / "pegnn"}) {
    if (std::filesystem::exists(place / file, ignored)) return place / file;
  }
  return {};
}

}  // namespace

ModuleEntry open_module(const std::string& name, const char* entry, std::string_view library) {
  const std::filesystem::path file = module_file(name);
  if (file.empty()) return {nullptr, fmt::format("this build of pegnn has no {} module", library)};
  void* module = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (module == nullptr) return {nullptr, fmt::format("its module does not load ({})", dlerror())};
  void* found = dlsym(module, entry);
  if (found == nullptr) return {nullptr, fmt::format("{} is no module of pegnn", file.string())};
  return {found, {}};
}

}  // namespace pegnn
