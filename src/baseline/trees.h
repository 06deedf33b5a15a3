#pragma once
// A sum of regression trees as plain numbers: kept, read back and asked without the library that
// grew them.

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "base/array.h"
#include "base/matrix.h"
#include "baseline/arrays.h"

namespace pegnn {

// A row goes from the root to the left child where its number in `column` is less than `value`, and
// else, NaN included, to the right child, which stands behind the left one. The leaf where it ends
// is the tree's answer.
struct TreeNode {
  float value = 0;          // threshold of a split, answer of a leaf
  std::int32_t column = 0;  // that a split looks at
  std::int32_t left = 0;    // place of the left child among all nodes; 0: a leaf
};

class Trees {
 public:
  Trees() = default;
  // `roots` are places among `nodes`: a tree begins at its root and ends where the next one begins.
  Trees(Array<TreeNode> nodes, Array<std::int32_t> roots)
      : nodes_(std::move(nodes)), roots_(std::move(roots)) {}

  // Why they cannot be asked for rows of that many columns, or nothing: no trees, a column or child
  // that is not there, a child before its parent, answers that might not be finite.
  std::optional<std::string> fault(std::int64_t columns) const;

  // As the arrays "trees" (roots) and "nodes" (column, value, left child); `restore` throws
  // Error{model} for arrays that are not such trees.
  void store(Arrays& arrays) const;
  void restore(const ArrayReader& arrays, std::int64_t columns);

  // One number per row of `inputs`: the answers of the trees, added in float, first tree first. Any
  // number of threads may ask at once.
  void predict(Mat<const float> inputs, Span<float> out) const;

  std::int64_t size() const { return std::ssize(roots_); }

 private:
  Array<TreeNode> nodes_;
  Array<std::int32_t> roots_;
};

}  // namespace pegnn
