#include "baseline/trees.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/core.h>

#include "base/array.h"

namespace pegnn {
namespace {

// Of a sum of trees, whose target has deviation 1: far beyond any that was learned, and well within
// floats.
constexpr double kLargest = 1e30;

// What does not fit becomes -1, which no tree has.
std::int32_t as_place(double value) {
  const bool fits = value >= 0 && value <= std::numeric_limits<std::int32_t>::max();
  return fits && std::floor(value) == value ? static_cast<std::int32_t>(value) : -1;
}

float as_float(double value) {
  const bool fits = std::abs(value) <= static_cast<double>(std::numeric_limits<float>::max());
  return fits ? static_cast<float>(value) : std::numeric_limits<float>::infinity();
}

}  // namespace

std::optional<std::string> Trees::fault(std::int64_t columns) const {
  const auto nodes = std::ssize(nodes_);
  if (roots_.empty() || roots_[0] != 0) return "the first tree is missing";
  double largest = 0;
  for (std::int64_t tree = 0; tree < std::ssize(roots_); ++tree) {
    const std::int64_t begin = roots_[tree];
    const std::int64_t end = tree + 1 < roots_.size() ? roots_[tree + 1] : nodes;
    const auto refused = [&](const char* what) {
      return fmt::format("tree {}: {}", tree + 1, what);
    };
    if (begin >= end || end > nodes) return refused("it has no nodes");
    double answer = 0;
    for (std::int64_t i = begin; i < end; ++i) {
      const TreeNode& node = nodes_[i];
      if (!std::isfinite(node.value)) return refused("a number of a node is not finite");
      if (node.column < 0 || node.column >= columns) {
        return refused("a node asks for a column that is not there");
      }
      // Links lead onwards: no walk meets a node twice.
      if (node.left != 0 && (node.left <= i || node.left + std::int64_t{1} >= end)) {
        return refused("a node has a child out of place");
      }
      if (node.left == 0) answer = std::max(answer, std::abs(static_cast<double>(node.value)));
    }
    largest += answer;
  }
  if (largest > kLargest) return "the answers are too large";
  return std::nullopt;
}

void Trees::store(Arrays& arrays) const {
  Array<double> values;
  values.reserve(3 * nodes_.size());
  for (const TreeNode& node : nodes_) {
    for (const double v : {static_cast<double>(node.column), static_cast<double>(node.value),
                           static_cast<double>(node.left)}) {
      values.push_back(v);
    }
  }
  arrays.add("trees", size(), 1, {roots_.begin(), roots_.end()});
  arrays.add("nodes", std::ssize(nodes_), 3, std::move(values));
}

void Trees::restore(const ArrayReader& arrays, std::int64_t columns) {
  roots_.clear();
  nodes_.clear();
  for (const double root : arrays.matrix("trees", -1, 1).values) roots_.push_back(as_place(root));
  const Array<double>& values = arrays.matrix("nodes", -1, 3).values;
  nodes_.reserve(values.size() / 3);
  for (std::int64_t i = 0; i < values.size(); i += 3) {
    nodes_.push_back({.value = as_float(values[i + 1]),
                      .column = as_place(values[i]),
                      .left = as_place(values[i + 2])});
  }
  if (const auto wrong = fault(columns))
    arrays.refuse("nodes", fmt::format("is damaged: {}", *wrong));
}

void Trees::predict(Mat<const float> inputs, Span<float> out) const {
  constexpr std::int64_t kBlock = 64;  // rows that a tree is asked for while it is in the cache
  std::fill(out.begin(), out.end(), 0.0F);
  for (std::int64_t begin = 0; begin < inputs.rows; begin += kBlock) {
    const std::int64_t end = std::min(begin + kBlock, inputs.rows);
    for (const std::int32_t root : roots_) {
      for (std::int64_t i = begin; i < end; ++i) {
        const float* const row = inputs.row(i);
        const TreeNode* node = nodes_.data() + root;
        while (node->left != 0) {
          node = nodes_.data() + node->left + (row[node->column] < node->value ? 0 : 1);
        }
        out[i] += node->value;
      }
    }
  }
}

}  // namespace pegnn
