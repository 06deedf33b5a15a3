#include "gdal/raster_format.h"

#include <cmath>
#include <vector>

#include <fmt/core.h>

#include "base/text.h"
#include "gdal/crs.h"
#include "gdal/errors.h"
#include "gdal/raster_files.h"
#include "pegnn/error.h"

namespace pegnn::gdal_module {
namespace {

constexpr const char* kRasterBlockText = "512";

bool is_geotiff(const std::filesystem::path& file) {
  const std::string ending = lower(file.extension().string());
  return ending == ".tif" || ending == ".tiff";
}

// By the file's ending unless it is named. A GeoTIFF is made such that parts of it can be fetched
// over a network (a cloud-optimised one).
GDALDriver& driver_for(const RasterPlan& plan) {
  GDALDriverManager& drivers = *GetGDALDriverManager();
  GDALDriver* found = nullptr;
  if (!plan.format.empty()) {
    found = drivers.GetDriverByName(plan.format.c_str());
  } else if (is_geotiff(plan.file)) {
    found = drivers.GetDriverByName("COG");
  } else {
    const std::string ending = lower(plan.file.extension().string());
    for (int i = 0; i < drivers.GetDriverCount() && found == nullptr; ++i) {
      GDALDriver* driver = drivers.GetDriver(i);
      const char* endings = driver->GetMetadataItem(GDAL_DMD_EXTENSIONS);
      const bool writes = driver->GetMetadataItem(GDAL_DCAP_RASTER) != nullptr &&
                          (driver->GetMetadataItem(GDAL_DCAP_CREATE) != nullptr ||
                           driver->GetMetadataItem(GDAL_DCAP_CREATECOPY) != nullptr);
      if (!writes || endings == nullptr || ending.empty()) continue;
      for (const std::string& word : split(endings, ' ')) {
        if ("." + word == ending) found = driver;
      }
    }
  }
  if (found != nullptr && found->GetMetadataItem(GDAL_DCAP_RASTER) != nullptr) {
    // These refer to their source, which is a draft here.
    const std::string name = found->GetDescription();
    if (name != "VRT" && name != "MEM") return *found;
  }
  const std::string what =
      plan.format.empty()
          ? fmt::format("the ending of '{}' says no raster format", plan.file.string())
          : fmt::format("<option:of> '{}' is no raster format of this GDAL", plan.format);
  throw Error(ErrorKind::usage, what + "; use .tif, or see `gdalinfo --formats`");
}

CPLStringList creation_options(const std::string& name, const RasterPlan& plan) {
  CPLStringList options;
  if (name == "COG" || name == "GTiff") {
    options.SetNameValue("COMPRESS", "DEFLATE");
    options.SetNameValue("NUM_THREADS", std::to_string(plan.threads).c_str());
    options.SetNameValue("BIGTIFF", "IF_SAFER");
  }
  if (name == "COG") {
    options.SetNameValue("PREDICTOR", "YES");
    options.SetNameValue("BLOCKSIZE", kRasterBlockText);
    options.SetNameValue("OVERVIEW_RESAMPLING", "AVERAGE");
  }
  if (name == "GTiff") {
    options.SetNameValue("PREDICTOR", "3");
    options.SetNameValue("TILED", "YES");
    options.SetNameValue("BLOCKXSIZE", kRasterBlockText);
    options.SetNameValue("BLOCKYSIZE", kRasterBlockText);
  }
  for (const std::string& one : plan.creation) {
    if (one.find('=') == std::string::npos || one.starts_with('=')) {
      throw Error(ErrorKind::usage, fmt::format("<option:co> '{}': write NAME=VALUE", one));
    }
    options.AddString(one.c_str());
  }
  // A later word on the same option counts.
  CPLStringList last;
  for (int i = 0; i < options.Count(); ++i) {
    char* key = nullptr;
    const char* value = CPLParseNameValue(options[i], &key);
    if (key != nullptr) last.SetNameValue(key, value);
    CPLFree(key);
  }
  return last;
}

// A raster of a few cells in memory, whose values no format with bytes or whole numbers can hold.
constexpr int kTrial = 4;
constexpr float kStep = 0.123456F;

RasterFile trial_raster(const RasterPlan& plan) {
  RasterFile raster(GetGDALDriverManager()->GetDriverByName("MEM")->Create(
      "", kTrial, kTrial, static_cast<int>(plan.bands.size()), GDT_Float32, nullptr));
  describe_raster(*raster, plan);
  for (int b = 1; b <= raster->GetRasterCount(); ++b) {
    std::vector<float> cells(kTrial * kTrial);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      cells[i] = kStep * static_cast<float>(static_cast<std::size_t>(b) * 100 + i);
    }
    if (raster->GetRasterBand(b)->RasterIO(GF_Write, 0, 0, kTrial, kTrial, cells.data(), kTrial,
                                           kTrial, GDT_Float32, 0, 0, nullptr) != CE_None) {
      break;
    }
  }
  return raster;
}

// What a copy lacks of a trial raster; empty: nothing.
std::string lost(GDALDataset* copy, std::size_t bands) {
  if (copy == nullptr) return reason();
  if (static_cast<std::size_t>(copy->GetRasterCount()) != bands) {
    return fmt::format("it keeps {} of {} bands", copy->GetRasterCount(), bands);
  }
  for (int b = 1; b <= copy->GetRasterCount(); ++b) {
    double value = 0;
    const bool read = copy->GetRasterBand(b)->RasterIO(GF_Read, 1, 1, 1, 1, &value, 1, 1,
                                                       GDT_Float64, 0, 0, nullptr) == CE_None;
    const double expected = static_cast<double>(kStep) * (b * 100 + kTrial + 1);
    if (!read || std::abs(value - expected) > 1e-5 * expected) {
      return "it does not keep fractions of numbers";
    }
  }
  return {};
}

}  // namespace

RasterFormat choose_format(const RasterPlan& plan) {
  RasterFormat format{.driver = &driver_for(plan), .options = {}};
  format.options = creation_options(format.name(), plan);
  forget_errors();
  // GDAL only warns of a misspelt option, and goes on without it.
  if (GDALValidateCreationOptions(format.driver, format.options.List()) == 0) {
    throw Error(ErrorKind::usage, fmt::format("<option:co> for {}: {}", format.name(), reason()));
  }
  return format;
}

void describe_raster(GDALDataset& raster, const RasterPlan& plan) {
  const RasterGrid& g = plan.grid;
  double transform[6] = {g.x, g.dx, 0, g.y, 0, -g.dy};
  raster.SetGeoTransform(transform);
  if (g.crs.known()) {
    const OGRSpatialReference reference = reference_of(g.crs);
    raster.SetSpatialRef(&reference);
  }
  for (const auto& [name, value] : plan.metadata) {
    raster.SetMetadataItem(name.c_str(), value.c_str());
  }
  for (int i = 0; i < raster.GetRasterCount(); ++i) {
    GDALRasterBand& band = *raster.GetRasterBand(i + 1);
    band.SetDescription(plan.bands[static_cast<std::size_t>(i)].c_str());
    band.SetNoDataValue(plan.nodata);
  }
}

void try_format(const RasterFormat& format, const RasterPlan& plan,
                const std::filesystem::path& folder) {
  const std::filesystem::path inside = folder / "trial";
  std::filesystem::create_directory(inside);
  const std::string file = (inside / plan.file.filename()).string();
  forget_errors();
  std::string wrong;
  {
    const RasterFile trial = trial_raster(plan);
    RasterFile copy(format.driver->CreateCopy(file.c_str(), trial.get(), 0, format.options.List(),
                                              nullptr, nullptr));
    if (copy == nullptr) wrong = reason();
    copy.reset();  // some write only now
    if (wrong.empty()) {
      const RasterFile back(GDALDataset::Open(file.c_str(), GDAL_OF_RASTER));
      wrong = lost(back.get(), plan.bands.size());
    }
  }
  std::error_code ignored;
  std::filesystem::remove_all(inside, ignored);
  forget_errors();
  if (wrong.empty()) return;
  // The file of the trial is nobody's business.
  for (std::size_t at; (at = wrong.find(inside.string() + "/")) != std::string::npos;) {
    wrong.erase(at, inside.string().size() + 1);
  }
  throw Error(ErrorKind::usage,
              fmt::format("the format {} cannot hold this map: {}; use .tif, or leave bands out "
                          "with <option:no-deviation> and <option:no-applicability>",
                          format.name(), wrong));
}

}  // namespace pegnn::gdal_module
