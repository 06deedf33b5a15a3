// Loading the module that holds GDAL.

#include "io/gdal.h"

#include <cstdlib>

#include <fmt/core.h>

#include "io/gdal_entry.h"
#include "io/module.h"
#include "pegnn/error.h"
#include "pegnn/version.h"

namespace pegnn {
namespace {

// What came of loading: one of the two.
struct Loaded {
  const Gdal* gdal = nullptr;
  std::string why_not;
};

Loaded load() {
  // GDAL brings OpenBLAS along, which starts a thread for every core it sees; nothing here uses
  // them.
  setenv("OPENBLAS_NUM_THREADS", "1", 0);
  const ModuleEntry module = open_module("pegnn_gdal", kGdalEntry, "GDAL");
  if (module.entry == nullptr) return {nullptr, module.why_not};
  const Gdal* gdal = reinterpret_cast<GdalEntry*>(module.entry)(version());
  if (gdal == nullptr) return {nullptr, "its module belongs to another version of pegnn"};
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
