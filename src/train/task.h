#pragma once
// One network to train. The members of a model, its far members and the settings tried for it are
// tasks like any other.

#include <memory>
#include <string>

#include "base/lazy.h"
#include "compute/backend.h"
#include "train/hold_out.h"
#include "train/setting.h"
#include "train/training_set.h"

namespace pegnn {

// Rows as networks read them, made when the first of these networks is trained.
class LazyRows {
 public:
  // Those of a setting; null where its networks do not listen to rows they hold back, or where
  // there are few rows.
  static std::shared_ptr<LazyRows> of(const Setting& setting, std::int64_t rows);
  // Of all rows of the data; `setting` is one of those it was made for.
  std::shared_ptr<const CommonRows> get(const Dataset& data, const Setting& setting,
                                        const Backend<float>& backend) const;

 private:
  Lazy<std::shared_ptr<const CommonRows>> rows_;
};

// What comes of a task depends on it and on the data alone, whoever does it, when and beside what.
struct TrainTask {
  // Its name among the tasks of a model, the same in every run: "member 2", "trying ranks off".
  std::string key;
  std::string part = {};  // what TrainProgress calls it: "member 2 of 6"; empty: the only network
  Setting setting;        // the seed of its options is that of the task
  bool blocks = false;    // rows are held back in whole blocks, as of far members
  // What tasks of the same rows, scaled alike, have in common; null where each has its own.
  std::shared_ptr<LazyRows> shared = nullptr;

  // The rows it learns from and those held back.
  HeldBlocks rows(const Dataset& data) const {
    if (blocks) return hold_back_blocks(data, setting.options);
    return {hold_back(data.rows(), setting.options), {}};
  }
};

}  // namespace pegnn
