#include "base/schedule.h"

#include "base/flush_subnormals.h"

namespace pegnn {
namespace {

// Numbers a thread adds up at a time at the end: with some sixteen slabs, ten microseconds of work.
constexpr std::int64_t kLastBlock = 2048;

constexpr std::size_t kFirstPiece = std::size_t{1} << 16;

}  // namespace

void* Schedule::hold_bytes(std::size_t bytes) {
  bytes = (bytes + kAlignment - 1) / kAlignment * kAlignment;
  if (memory_.empty() || used_ + bytes > static_cast<std::size_t>(memory_.back().size())) {
    // What was given away stays where it is; a piece twice as large follows.
    const std::size_t before =
        memory_.empty() ? kFirstPiece : 2 * static_cast<std::size_t>(memory_.back().size());
    memory_.emplace_back(static_cast<std::int64_t>(std::max(bytes, before)));
    used_ = 0;
  }
  std::byte* const at = memory_.back().data() + used_;
  used_ += bytes;
  return at;
}

void Schedule::run() {
  for (std::size_t r = 0; r < rounds_.size(); ++r) {
    run_round(rounds_[r], r + 1 < rounds_.size() ? rounds_[r + 1].first : tasks_.size());
  }
  if (!last_.empty()) run_last();
  clear();
  if (memory_.size() > 1) {  // next time one piece does for all
    const std::int64_t all = bytes();
    memory_.clear();
    memory_.emplace_back(all);
  }
}

void Schedule::clear() noexcept {
  tasks_.clear();
  last_.clear();
  rounds_.clear();
  used_ = 0;
}

std::int64_t Schedule::bytes() const {
  std::int64_t sum = 0;
  for (const AlignedBuffer<std::byte>& piece : memory_) sum += piece.size();
  return sum;
}

void Schedule::run_round(const Round& round, std::size_t last) {
  pool_.for_blocks(round.rows, slab_rows(round.rows), [&](std::int64_t from, std::int64_t to) {
    const FlushSubnormals flush;
    for (std::int64_t begin = from; begin < to; begin += kBlockRows) {
      const std::int64_t end = std::min(begin + kBlockRows, to);
      for (std::size_t t = round.first; t < last; ++t) {
        tasks_[t].call(tasks_[t].function, begin, end);
      }
    }
  });
}

void Schedule::run_last() {
  std::int64_t blocks = 0;
  for (const Task& task : last_) blocks += (task.size + kLastBlock - 1) / kLastBlock;
  pool_.for_each(blocks, [&](std::int64_t block) {
    const FlushSubnormals flush;
    for (const Task& task : last_) {
      const std::int64_t count = (task.size + kLastBlock - 1) / kLastBlock;
      if (block >= count) {
        block -= count;
        continue;
      }
      task.call(task.function, block * kLastBlock, std::min(task.size, (block + 1) * kLastBlock));
      return;
    }
  });
}

}  // namespace pegnn
