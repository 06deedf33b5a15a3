#include "nn/layout.h"

#include <utility>

namespace pegnn {

ParamSlot ParamLayout::add(std::string name, std::int64_t rows, std::int64_t cols) {
  constexpr std::int64_t kFloatsPerLine = 16;
  const ParamSlot slot{size_, rows, cols};
  size_ += (slot.size() + kFloatsPerLine - 1) / kFloatsPerLine * kFloatsPerLine;
  entries_.push_back({std::move(name), slot});
  return slot;
}

std::int64_t ParamLayout::parameters() const {
  std::int64_t count = 0;
  for (const NamedParam& entry : entries_) count += entry.slot.size();
  return count;
}

}  // namespace pegnn
