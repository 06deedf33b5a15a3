#pragma once
// One self-contained HTML page that shows the spatial structure of a column: clusters on a map,
// Moran scatter, variogram.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "pegnn/geo.h"
#include "pegnn/stats.h"
#include "report/page.h"
#include "stats/variogram.h"

namespace pegnn {

struct MoranPage {
  std::string value, source;   // the column, and the table it is from
  std::string x_name, y_name;  // columns
  Space space = Space::sphere;
  double metres_per_unit = 0;     // of distances in that space; 0: not known
  std::span<const Point> points;  // as many as the rows of `moran`
  const Moran& moran;
  const Lisa& lisa;
  LisaRule rule;
  std::int64_t neighbours = 0, permutations = 0;
  Variogram usual, robust;
  std::vector<ReportFact> provenance;
};

// The bytes of the page (UTF-8). No outside resource, no script.
std::string moran_page(const MoranPage& page);

// Sentences on why no row is left after control of false discoveries, and what would help; none
// when some are left, or when there were none before.
std::vector<std::string> nothing_left(const Lisa& lisa, const LisaRule& rule,
                                      std::int64_t permutations);

}  // namespace pegnn
