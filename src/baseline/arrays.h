#pragma once
// What a fitted baseline consists of, as named arrays: the model file stores them as they are.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/array.h"
#include "pegnn/geo.h"

namespace pegnn {

// A row-major matrix of numbers.
struct NamedArray {
  std::string name;
  std::int64_t rows = 0, cols = 0;
  Array<double> values;

  friend bool operator==(const NamedArray&, const NamedArray&) = default;
};

class Arrays {
 public:
  void add(std::string name, std::int64_t rows, std::int64_t cols, Array<double> values);
  void add_points(std::string name, const Array<Point>& points);
  void push(NamedArray array) { list_.push_back(std::move(array)); }

  const std::vector<NamedArray>& list() const { return list_; }
  friend bool operator==(const Arrays&, const Arrays&) = default;

 private:
  std::vector<NamedArray> list_;
};

// Arrays on the way back, each checked: Error{model} naming `source` and the array when one is
// missing, of another shape, or holds a number that is not finite.
class ArrayReader {
 public:
  ArrayReader(const Arrays& arrays, std::string source)
      : arrays_(arrays), source_(std::move(source)) {}

  // rows or cols -1: any.
  const NamedArray& matrix(std::string_view name, std::int64_t rows, std::int64_t cols) const;
  double number(std::string_view name) const;
  Array<Point> points(std::string_view name, Space space = Space::plane) const;

  [[noreturn]] void refuse(std::string_view name, std::string_view what) const;

 private:
  const NamedArray& find(std::string_view name) const;

  const Arrays& arrays_;
  std::string source_;
};

}  // namespace pegnn
