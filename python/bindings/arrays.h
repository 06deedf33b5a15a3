#pragma once
// numpy arrays in, without a copy where their layout allows, and vectors out, without a copy.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <pybind11/numpy.h>

#include "pegnn/error.h"
#include "pegnn/geo.h"

namespace pegnn::python {

namespace py = pybind11;

// An array in row-major order; another layout or another type of number is copied into one.
template <class T>
using Array = py::array_t<T, py::array::c_style | py::array::forcecast>;

// The numbers of an array, which must outlive them.
template <class T>
std::span<const T> span_of(const Array<T>& array) {
  return {array.data(), static_cast<std::size_t>(array.size())};
}

// A vector as an array of that shape. The array owns the vector's memory.
template <class T>
py::array_t<T> array_of(std::vector<T>&& values, std::vector<py::ssize_t> shape) {
  auto owner = std::make_unique<std::vector<T>>(std::move(values));
  T* const data = owner->data();
  const py::capsule release(owner.release(),
                            [](void* vector) { delete static_cast<std::vector<T>*>(vector); });
  return py::array_t<T>(std::move(shape), data, release);
}
template <class T>
py::array_t<T> array_of(std::vector<T>&& values) {
  const auto size = static_cast<py::ssize_t>(values.size());
  return array_of(std::move(values), {size});
}

// Places given as an array of two columns; borrowed from it.
inline std::span<const Point> points_of(const Array<double>& array) {
  static_assert(sizeof(Point) == 2 * sizeof(double), "points are pairs of coordinates");
  if (array.ndim() != 2 || array.shape(1) != 2) {
    throw Error(ErrorKind::usage, "points: expected an array of two columns, x and y");
  }
  return {reinterpret_cast<const Point*>(array.data()), static_cast<std::size_t>(array.shape(0))};
}

// Features of that many places, row after row.
inline std::span<const double> features_of(const Array<double>& array, std::size_t rows) {
  if (array.ndim() != 2 || static_cast<std::size_t>(array.shape(0)) != rows) {
    throw Error(ErrorKind::usage, "features: expected an array with a row for each of " +
                                      std::to_string(rows) + " points");
  }
  return span_of(array);
}

}  // namespace pegnn::python
