// A raster on its way to a file.

#include <cpl_string.h>
#include <gdal_priv.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>

#include <fmt/core.h>

#include "base/staged_files.h"
#include "base/text.h"
#include "gdal/errors.h"
#include "gdal/parts.h"
#include "gdal/raster_files.h"
#include "gdal/raster_format.h"
#include "pegnn/error.h"

namespace pegnn::gdal_module {
namespace {

constexpr std::int64_t kBlock = 512;  // side of a block of the file

class Sink final : public RasterSink {
 public:
  explicit Sink(const RasterPlan& plan)
      : plan_(plan), format_(choose_format(plan)), staged_(plan.file) {
    require_space();
    const std::filesystem::path folder = staged_.staged().parent_path();
    if (format_.name() != "GTiff" && format_.name() != "COG") try_format(format_, plan, folder);
    if (!format_.direct()) draft_.emplace(folder / "draft.tif");
    forget_errors();
    CPLStringList options = format_.direct() ? format_.options : draft_options();
    GDALDriver* tiff = GetGDALDriverManager()->GetDriverByName("GTiff");
    raster_.reset(tiff->Create((draft_ ? *draft_ : staged_.staged()).c_str(),
                               static_cast<int>(plan.grid.width),
                               static_cast<int>(plan.grid.height),
                               static_cast<int>(plan.bands.size()), GDT_Float32, options.List()));
    if (raster_ == nullptr) fail();
    describe_raster(*raster_, plan);
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
    // What went wrong before was told then; from here on every error counts.
    forget_errors();
    for (int b = 1; b <= raster_->GetRasterCount(); ++b) {
      if (raster_->GetRasterBand(b)->FlushCache(false) != CE_None) fail();
    }
    if (draft_) copy_draft(progress);
    raster_.reset();
    // A full disk shows only when a file is closed.
    if (failed()) fail();
    staged_.commit();
    remove_stale();
  }

 private:
  // Cells of one band stand together: they are written band by band. A small map has small blocks.
  CPLStringList draft_options() const {
    const auto side = [](std::int64_t cells) {
      return std::to_string(std::min<std::int64_t>(kBlock, (cells + 15) / 16 * 16));
    };
    CPLStringList options;
    options.SetNameValue("TILED", "YES");
    options.SetNameValue("BLOCKXSIZE", side(plan_.grid.width).c_str());
    options.SetNameValue("BLOCKYSIZE", side(plan_.grid.height).c_str());
    options.SetNameValue("BIGTIFF", "IF_SAFER");
    options.SetNameValue("INTERLEAVE", "BAND");
    return options;
  }

  // What other programs have kept of the raster that was there before: statistics, overviews.
  void remove_stale() const {
    std::error_code ignored;
    for (const char* ending : {".aux.xml", ".ovr", ".msk"}) {
      const std::filesystem::path companion = staged_.file().string() + ending;
      // Not by its time: clocks are set back, and those of file systems lag behind.
      if (!staged_.wrote(companion)) std::filesystem::remove(companion, ignored);
    }
  }

  // The draft is not packed.
  void require_space() const {
    const std::filesystem::path folder =
        plan_.file.has_parent_path() ? plan_.file.parent_path() : std::filesystem::path(".");
    std::error_code error;
    const auto space = std::filesystem::space(folder, error);
    const auto whole_blocks = [](std::int64_t cells) {
      const double side = static_cast<double>(kBlock);
      return cells < kBlock ? static_cast<double>(cells)
                            : std::ceil(static_cast<double>(cells) / side) * side;
    };
    const double needed = 4.0 * static_cast<double>(plan_.bands.size()) *
                          whole_blocks(plan_.grid.width) * whole_blocks(plan_.grid.height);
    if (error || static_cast<double>(space.available) >= needed) return;
    throw Error(
        ErrorKind::resource,
        fmt::format("cannot write '{}': it needs {} kB while it is being made, and {} kB are free; "
                    "choose another place with <option:out>, or a coarser <option:res>",
                    plan_.file.string(), format_count(std::llround(needed / 1e3)),
                    format_count(static_cast<long long>(space.available / 1000))));
  }

  void copy_draft(const std::function<bool(double)>& progress) {
    struct Told {
      const std::function<bool(double)>* progress;
      bool stopped = false;
    } state{&progress};
    const auto tell = [](double share, const char*, void* data) -> int {
      Told& t = *static_cast<Told*>(data);
      if (*t.progress && !(*t.progress)(share)) t.stopped = true;
      return t.stopped ? 0 : 1;
    };
    RasterFile copy(format_.driver->CreateCopy(staged_.staged().c_str(), raster_.get(), 0,
                                               format_.options.List(), tell, &state));
    if (state.stopped) throw Error(ErrorKind::interrupted, "stopped before the map was written");
    if (copy == nullptr || failed()) fail();
    copy.reset();
    if (failed()) fail();
    raster_.reset();
    std::error_code ignored;
    std::filesystem::remove(*draft_, ignored);
  }

  [[noreturn]] void fail() const {
    throw Error(ErrorKind::resource,
                fmt::format("cannot write '{}': {}; choose another place with <option:out>",
                            plan_.file.string(), reason()));
  }

  RasterPlan plan_;
  RasterFormat format_;
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
