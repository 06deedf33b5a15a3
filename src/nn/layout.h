#pragma once
// Where each parameter stands in the one flat buffer that holds them all.

#include <cstdint>
#include <string>
#include <vector>

namespace pegnn {

// A matrix inside the flat buffer, row-major; weights are out x in as in PyTorch.
struct ParamSlot {
  std::int64_t offset = 0;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t size() const { return rows * cols; }
};

struct NamedParam {
  std::string name;
  ParamSlot slot;
};

// Parameters, gradients, optimiser moments and the model file share this layout. Slots start on
// 64-byte boundaries for float; the gaps between them stay zero.
class ParamLayout {
 public:
  ParamSlot add(std::string name, std::int64_t rows, std::int64_t cols);
  std::int64_t size() const { return size_; }  // of the flat buffer, gaps included
  std::int64_t parameters() const;             // without the gaps
  const std::vector<NamedParam>& entries() const { return entries_; }

 private:
  std::vector<NamedParam> entries_;
  std::int64_t size_ = 0;
};

}  // namespace pegnn
