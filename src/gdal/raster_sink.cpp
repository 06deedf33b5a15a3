// A raster on its way to a file.

#include <cpl_string.h>
#include <gdal_priv.h>

#include <cmath>
#include <filesystem>
#include <optional>

#include <fmt/core.h>

#include "base/staged_files.h"
#include "base/text.h"
#include "gdal/crs.h"
#include "gdal/errors.h"
#include "gdal/parts.h"
#include "gdal/raster_files.h"
#include "pegnn/error.h"

namespace pegnn::gdal_module {
namespace {

// Side of a block of the file, and of its overviews.
constexpr const char* kBlock = "512";

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
  if (found != nullptr && found->GetMetadataItem(GDAL_DCAP_RASTER) != nullptr) return *found;
  const std::string what =
      plan.format.empty()
          ? fmt::format("the ending of '{}' says no raster format", plan.file.string())
          : fmt::format("--of '{}' is no raster format of this GDAL", plan.format);
  throw Error(ErrorKind::usage, what + "; use .tif, or see `gdalinfo --formats`");
}

CPLStringList creation_options(const GDALDriver& driver, const RasterPlan& plan) {
  CPLStringList options;
  const std::string name = const_cast<GDALDriver&>(driver).GetDescription();
  if (name == "COG" || name == "GTiff") {
    options.SetNameValue("COMPRESS", "DEFLATE");
    options.SetNameValue("NUM_THREADS", std::to_string(plan.threads).c_str());
    options.SetNameValue("BIGTIFF", "IF_SAFER");
  }
  if (name == "COG") {
    options.SetNameValue("PREDICTOR", "YES");
    options.SetNameValue("BLOCKSIZE", kBlock);
    options.SetNameValue("OVERVIEW_RESAMPLING", "AVERAGE");
  }
  if (name == "GTiff") {
    options.SetNameValue("PREDICTOR", "3");
    options.SetNameValue("TILED", "YES");
    options.SetNameValue("BLOCKXSIZE", kBlock);
    options.SetNameValue("BLOCKYSIZE", kBlock);
  }
  for (const std::string& one : plan.creation) options.AddString(one.c_str());
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

class Sink final : public RasterSink {
 public:
  explicit Sink(const RasterPlan& plan)
      : plan_(plan),
        driver_(driver_for(plan)),
        options_(creation_options(driver_, plan)),
        staged_(plan.file) {
    refuse_wrong_options();
    require_space();
    const bool direct = driver_.GetMetadataItem(GDAL_DCAP_CREATE) != nullptr &&
                        std::string(driver_.GetDescription()) == "GTiff";
    if (!direct) draft_.emplace(staged_.staged().parent_path() / "draft.tif");
    forget_errors();
    GDALDriver& first = direct ? driver_ : *GetGDALDriverManager()->GetDriverByName("GTiff");
    CPLStringList draft_options;
    draft_options.SetNameValue("TILED", "YES");
    draft_options.SetNameValue("BLOCKXSIZE", kBlock);
    draft_options.SetNameValue("BLOCKYSIZE", kBlock);
    draft_options.SetNameValue("BIGTIFF", "IF_SAFER");
    draft_options.SetNameValue("INTERLEAVE", "BAND");
    raster_.reset(first.Create(
        (direct ? staged_.staged() : *draft_).c_str(), static_cast<int>(plan.grid.width),
        static_cast<int>(plan.grid.height), static_cast<int>(plan.bands.size()), GDT_Float32,
        direct ? options_.List() : draft_options.List()));
    if (raster_ == nullptr) fail();
    describe();
  }

  void write(int band, const RasterWindow& w, std::span<const float> cells) override {
    cells_.assign(cells.begin(), cells.end());
    for (float& cell : cells_) {
      if (std::isnan(cell)) cell = static_cast<float>(plan_.nodata);
    }
    const int width = static_cast<int>(w.width), height = static_cast<int>(w.height);
    if (raster_->GetRasterBand(band + 1)->RasterIO(
            GF_Write, static_cast<int>(w.column), static_cast<int>(w.row), width, height,
            cells_.data(), width, height, GDT_Float32, 0, 0, nullptr) != CE_None) {
      fail();
    }
  }

  void commit(const std::function<bool(double)>& progress) override {
    raster_->FlushCache(false);
    if (failed()) fail();
    if (draft_) copy_draft(progress);
    raster_.reset();
    // A full disk shows only when a file is closed.
    if (failed()) fail();
    staged_.commit();
  }

 private:
  // GDAL only warns of a misspelt option, and goes on without it.
  void refuse_wrong_options() {
    forget_errors();
    if (GDALValidateCreationOptions(&driver_, options_.List()) != 0) return;
    throw Error(ErrorKind::usage,
                fmt::format("--co for {}: {}", driver_.GetDescription(), reason()));
  }

  // The draft is not packed.
  void require_space() const {
    const std::filesystem::path folder =
        plan_.file.has_parent_path() ? plan_.file.parent_path() : std::filesystem::path(".");
    std::error_code error;
    const auto space = std::filesystem::space(folder, error);
    const double needed = 4.0 * static_cast<double>(plan_.bands.size()) *
                          static_cast<double>(plan_.grid.width) *
                          static_cast<double>(plan_.grid.height);
    if (error || static_cast<double>(space.available) >= needed) return;
    throw Error(ErrorKind::resource,
                fmt::format("'{}' needs {} MB while it is being made, and {} MB are free; choose "
                            "another place with -o, or a coarser --res",
                            plan_.file.string(), format_count(std::llround(needed / 1e6)),
                            format_count(static_cast<long long>(space.available / 1000000))));
  }

  void describe() {
    const RasterGrid& g = plan_.grid;
    double transform[6] = {g.x, g.dx, 0, g.y, 0, -g.dy};
    raster_->SetGeoTransform(transform);
    if (g.crs.known()) {
      const OGRSpatialReference reference = reference_of(g.crs);
      raster_->SetSpatialRef(&reference);
    }
    for (const auto& [name, value] : plan_.metadata) {
      raster_->SetMetadataItem(name.c_str(), value.c_str());
    }
    for (int i = 0; i < raster_->GetRasterCount(); ++i) {
      GDALRasterBand& band = *raster_->GetRasterBand(i + 1);
      band.SetDescription(plan_.bands[static_cast<std::size_t>(i)].c_str());
      band.SetNoDataValue(plan_.nodata);
    }
  }

  void copy_draft(const std::function<bool(double)>& progress) {
    struct Told {
      const std::function<bool(double)>* progress;
      bool stopped = false;
    } told{&progress};
    const auto tell = [](double share, const char*, void* data) -> int {
      Told& t = *static_cast<Told*>(data);
      if (*t.progress && !(*t.progress)(share)) t.stopped = true;
      return t.stopped ? 0 : 1;
    };
    RasterFile copy(driver_.CreateCopy(staged_.staged().c_str(), raster_.get(), 0, options_.List(),
                                       tell, &told));
    if (told.stopped) throw Error(ErrorKind::interrupted, "stopped before the map was written");
    if (copy == nullptr || failed()) fail();
    copy.reset();
    if (failed()) fail();
    raster_.reset();
    std::error_code ignored;
    std::filesystem::remove(*draft_, ignored);
  }

  [[noreturn]] void fail() const {
    throw Error(ErrorKind::resource,
                fmt::format("cannot write '{}': {}; choose another place with -o",
                            plan_.file.string(), reason()));
  }

  RasterPlan plan_;
  GDALDriver& driver_;
  CPLStringList options_;
  StagedFiles staged_;  // outlives the raster that is written in it
  std::optional<std::filesystem::path> draft_;
  RasterFile raster_;
  std::vector<float> cells_;
};

}  // namespace

std::unique_ptr<RasterSink> create_raster(const RasterPlan& plan) {
  return std::make_unique<Sink>(plan);
}

}  // namespace pegnn::gdal_module
