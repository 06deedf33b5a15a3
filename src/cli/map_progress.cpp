#include "cli/map_progress.h"

#include "cli/progress.h"

namespace pegnn {

MapFigures write_map(MapFiles& files, const PreparedMap& map, Session& session) {
  const RasterGrid& grid = map.plan().grid;
  CellProgress progress(grid.width * grid.height);
  MapProgress show;
  if (!session.quiet) {
    show = [&](const char* doing, std::int64_t cells) { progress(doing, cells); };
  }
  MapFigures figures = files.write(map, session.run_settings(), show, session.log());
  progress.end();
  return figures;
}

}  // namespace pegnn
