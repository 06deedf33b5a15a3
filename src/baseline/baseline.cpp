#include "baseline/baseline.h"

#include <algorithm>

#include "base/array.h"
#include "base/assert.h"

namespace pegnn {

#define BASELINE(name) extern const BaselineEntry name##_baseline;
#include "baseline/baselines.def"
#undef BASELINE

Span<const BaselineEntry* const> baselines() {
  static constexpr const BaselineEntry* kList[] = {
#define BASELINE(name) &name##_baseline,
#include "baseline/baselines.def"
#undef BASELINE
  };
  return kList;
}

const BaselineEntry* find_baseline(const std::string& model) {
  for (const BaselineEntry* entry : baselines()) {
    if (entry->info.name == model) return entry;
  }
  return nullptr;
}

void Baseline::predict_left_out(Span<const std::int64_t>, const ThreadPool&, Span<double>) const {
  PEGNN_ASSERT(false, "only entries with leaves_out are asked");
}

std::unique_ptr<Baseline> Baseline::conditioned_on(const BaselineRows&, const ThreadPool&) const {
  return nullptr;
}

void resolve_k(Options& options, std::int64_t own, std::int64_t rows) {
  if (options.k == 0) options.k = own;
  options.k = std::clamp<std::int64_t>(options.k, 1, std::max<std::int64_t>(1, rows - 1));
}

}  // namespace pegnn
