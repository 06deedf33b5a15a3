#include "cli/map_progress.h"

#include "cli/progress.h"

namespace pegnn {

MapFigures write_map(MapFiles& files, const Gdal& gdal, const RasterMapPlan& plan,
                     const MapFormat& format, Session& session) {
  CellProgress progress(plan.grid.width * plan.grid.height);
  MapProgress show;
  if (!session.quiet) {
    show = [&](const char* doing, std::int64_t cells) { progress(doing, cells); };
  }
  MapFigures figures = files.write(gdal, plan, format, session.run_settings(), show, session.log());
  progress.end();
  return figures;
}

}  // namespace pegnn
