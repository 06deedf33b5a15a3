// The options that parts declare for themselves, of all lists of parts. The declaration stands in
// pegnn/options.h, below all of them: whoever reads options by name sees no part.

#include "backbone/backbone.h"
#include "baseline/baseline.h"
#include "encoder/encoder.h"
#include "head/head.h"
#include "loss/loss.h"
#include "neighbourhood/neighbourhood.h"
#include "pegnn/options.h"

namespace pegnn {
namespace {

template <class Entry>
void collect(std::span<const Entry* const> list, std::vector<const PartOption*>& all) {
  for (const Entry* entry : list) {
    for (const PartOption& option : entry->info.options) all.push_back(&option);
  }
}

}  // namespace

std::span<const PartOption* const> part_options() {
  static const std::vector<const PartOption*> kAll = [] {
    std::vector<const PartOption*> all;
    collect(encoders(), all);
    collect(backbones(), all);
    collect(heads(), all);
    collect(losses(), all);
    collect(baselines(), all);
    collect(neighbourhoods(), all);
    return all;
  }();
  return kAll;
}

}  // namespace pegnn
