#include "train/task.h"

#include <utility>

#include "neighbourhood/neighbourhood.h"

namespace pegnn {

namespace {

// On fewer rows their lists cost little, and rows that were listened to judge a network too kindly.
constexpr std::int64_t kFewestToShare = 8'192;

}  // namespace

std::shared_ptr<LazyRows> LazyRows::of(const Setting& setting, std::int64_t rows) {
  const NeighbourhoodEntry& entry = neighbourhood_of(setting.options);
  if (rows < kFewestToShare) return nullptr;
  if (!entry.uses_held_back || entry.find_common == nullptr) return nullptr;
  return std::make_shared<LazyRows>();
}

std::shared_ptr<const CommonRows> LazyRows::get(const Dataset& data, const Setting& setting,
                                                const Backend<float>& backend) const {
  return rows_.get([&] {
    auto shared = std::make_shared<CommonRows>();
    shared->set = make_training_set(data, all_rows(data.rows()), setting.scaler);
    shared->set.model = setting.labels;
    shared->common = neighbourhood_of(setting.options)
                         .find_common({.options = setting.options,
                                       .space = data.space,
                                       .hops = 1,
                                       .training = shared->set.training_points()},
                                      backend);
    return std::shared_ptr<const CommonRows>(std::move(shared));
  });
}

}  // namespace pegnn
