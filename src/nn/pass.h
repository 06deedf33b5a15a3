#pragma once
// What a layer sees while it runs, and what it declares before.

#include <cstdint>
#include <string>

#include "kernels/kernels.h"
#include "nn/layout.h"
#include "nn/workspace.h"

namespace pegnn {

// Given to `plan()`: layers add their parameters under `prefix` and their work memory.
struct Builder {
  ParamLayout& layout;
  WorkPlan& work;
  std::string prefix;  // "encoder", "backbone", ...

  ParamSlot parameter(const std::string& name, std::int64_t rows, std::int64_t cols) const {
    // By append: in operator+ gcc 12 sees a write out of bounds (gcc bug 105651).
    return layout.add(std::string(prefix).append(".").append(name), rows, cols);
  }
  Builder inside(const std::string& name) const { return {layout, work, prefix + "." + name}; }
};

// Given to `forward()` and `backward()`. Borrowed until the schedule has run.
template <class T>
struct Pass {
  const Kernels<T>& kernels;
  Schedule& schedule;  // where the work is put
  Workspace<T>& work;
  const T* parameters;
  T* gradients = nullptr;  // null in inference
  bool training = false;   // dropout is on only then
  std::uint64_t seed = 0;
  std::uint64_t step = 0;

  Mat<const T> parameter(ParamSlot s) const { return {parameters + s.offset, s.rows, s.cols}; }
  Mat<T> gradient(ParamSlot s) const { return {gradients + s.offset, s.rows, s.cols}; }
  Dropout dropout(double rate, std::uint32_t layer) const {
    return {training ? rate : 0.0, seed, step, layer};
  }
};

}  // namespace pegnn
