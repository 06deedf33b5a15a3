#include "baseline/arrays.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "base/array.h"
#include "base/assert.h"
#include "pegnn/error.h"
#include "table/given_points.h"

namespace pegnn {

void Arrays::add(std::string name, std::int64_t rows, std::int64_t cols, Array<double> values) {
  PEGNN_ASSERT(std::ssize(values) == rows * cols, "shape and values agree");
  list_.push_back({std::move(name), rows, cols, std::move(values)});
}

void Arrays::add_points(std::string name, const Array<Point>& points) {
  Array<double> values;
  values.reserve(2 * points.size());
  for (const Point& p : points) values.insert(values.end(), {p.x, p.y});
  add(std::move(name), std::ssize(points), 2, std::move(values));
}

void ArrayReader::refuse(std::string_view name, std::string_view what) const {
  throw Error(ErrorKind::model, fmt::format("{}: array '{}' {}", source_, name, what));
}

const NamedArray& ArrayReader::find(std::string_view name) const {
  for (const NamedArray& array : arrays_.list()) {
    if (array.name == name) return array;
  }
  refuse(name, "is missing");
}

const NamedArray& ArrayReader::matrix(std::string_view name, std::int64_t rows,
                                      std::int64_t cols) const {
  const NamedArray& array = find(name);
  const bool fits = (rows < 0 || array.rows == rows) && (cols < 0 || array.cols == cols) &&
                    std::ssize(array.values) == array.rows * array.cols;
  if (!fits) refuse(name, fmt::format("is {} x {}, which does not fit", array.rows, array.cols));
  if (!std::all_of(array.values.begin(), array.values.end(),
                   [](double v) { return std::isfinite(v); })) {
    refuse(name, "holds a number that is not finite");
  }
  return array;
}

double ArrayReader::number(std::string_view name) const { return matrix(name, 1, 1).values[0]; }

Array<Point> ArrayReader::points(std::string_view name, Space space) const {
  const NamedArray& array = matrix(name, -1, 2);
  Array<Point> points;
  points.reserve(array.rows);
  for (std::int64_t i = 0; i < array.values.size(); i += 2) {
    points.push_back({array.values[i], array.values[i + 1]});
    if (!is_place(space == Space::sphere, points.back())) {
      refuse(name, "holds a place that cannot be");
    }
  }
  return points;
}

}  // namespace pegnn
