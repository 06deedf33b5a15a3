#pragma once
// Maps: the cells of a grid, from what is asked for and from where a model has learned, and what
// the model says of them.

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "pegnn/geo.h"
#include "pegnn/model.h"
#include "pegnn/raster.h"
#include "pegnn/run.h"

namespace pegnn {

class Log;

// What the user said; what is left open is chosen.
struct GridRequest {
  std::optional<Extent> box = {};     // as typed: west may be greater than east on the globe
  std::optional<CellSize> cell = {};  // --res
  std::optional<GridSize> size = {};  // --size
  Crs crs = {};                       // of the grid
  bool geographic = true;             // where the CRS is not known
};

// Where the model has learned, in the coordinates of its table; empty where its file does not tell.
std::span<const Point> training_points(const Model& model);

// The cells of a map: of a round size, about a thousand along the longer side, where neither size
// nor number is given; the box of the training points with a margin where none is. `points` are the
// training points in the CRS of the request; a request without CRS is in that of the model.
// Error{usage} for words that describe no grid, and as `check_map_place`.
RasterGrid choose_map_grid(const Model& model, GridRequest request, std::span<const Point> points,
                           bool extrapolate, Log& log);

// A grid outside the training points, which are in its CRS, is a warning; one far from all of them
// Error{usage} unless `extrapolate`. Without points nothing is known.
void check_map_place(const Model& model, const RasterGrid& grid, std::span<const Point> points,
                     bool extrapolate, Log& log);

// What a model says of cells; NaN in those that it cannot be asked for.
struct CellValues {
  Answer answer;
  std::vector<double> distance, applicable;  // empty unless asked for; applicable is 1 or 0
};

// A model made ready once and asked for one piece of a map after the other. One caller at a time.
class CellPredictor {
 public:
  // `model` and what `run` points to are borrowed for the life of this object. Applicability is for
  // models that tell their training points.
  CellPredictor(const Model& model, bool mean_only, bool applicability, const RunSettings& run);
  CellPredictor(const CellPredictor&) = delete;
  CellPredictor& operator=(const CellPredictor&) = delete;
  ~CellPredictor();

  // `points` in the model's coordinates, longitudes of any turn; `features` unscaled, points x
  // features, else Error{usage}. Cells with a number among them that is not finite are not asked
  // for.
  CellValues ask(std::span<const Point> points, std::span<const double> features);
  // After the last piece: notes and warnings on all of them.
  void finish();
  // What was asked so far was a trial: `finish` will not know of it.
  void forget();
  // The largest distance that still counts as applicable; 0 without applicability.
  double reach() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace pegnn
