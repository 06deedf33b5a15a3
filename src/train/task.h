#pragma once
// One network to train. The members of a model, its far members and the settings tried for it are
// tasks like any other.

#include <string>

#include "train/hold_out.h"
#include "train/setting.h"

namespace pegnn {

// What comes of a task depends on it and on the data alone, whoever does it, when and beside what.
struct TrainTask {
  // Its name among the tasks of a model, the same in every run: "member 2", "trying ranks off".
  std::string key;
  std::string part = {};  // what TrainProgress calls it: "member 2 of 6"; empty: the only network
  Setting setting;        // the seed of its options is that of the task
  bool blocks = false;    // rows are held back in whole blocks, as of far members

  // The rows it learns from and those held back.
  HeldBlocks rows(const Dataset& data) const {
    if (blocks) return hold_back_blocks(data, setting.options);
    return {hold_back(data.rows(), setting.options), {}};
  }
};

}  // namespace pegnn
