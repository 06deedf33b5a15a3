#pragma once
// A borrowed row-major matrix: a pointer, two sizes and a stride.

#include <cstdint>
#include <type_traits>

namespace pegnn {

// `stride` is the distance between rows in elements, at least `cols`: a block of columns of a wider
// matrix is a Mat too, so that parts can write side by side into one matrix without a copy.
template <class T>
struct Mat {
  T* data = nullptr;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t stride = 0;

  Mat() = default;
  Mat(T* d, std::int64_t r, std::int64_t c) : data(d), rows(r), cols(c), stride(c) {}
  Mat(T* d, std::int64_t r, std::int64_t c, std::int64_t s)
      : data(d), rows(r), cols(c), stride(s) {}

  operator Mat<const T>() const requires(!std::is_const_v<T>) { return {data, rows, cols, stride}; }

  T* row(std::int64_t i) const { return data + i * stride; }
  T& operator()(std::int64_t i, std::int64_t j) const { return data[i * stride + j]; }

  // Columns [first, first + count) of every row.
  Mat columns(std::int64_t first, std::int64_t count) const {
    return {data == nullptr ? data : data + first, rows, count, stride};
  }
  // Rows [first, first + count).
  Mat block(std::int64_t first, std::int64_t count) const {
    return {data + first * stride, count, cols, stride};
  }
};

}  // namespace pegnn
