// list_parts: what `pegnn list` shows.

#include <span>

#include "backbone/backbone.h"
#include "base/array.h"
#include "base/text.h"
#include "baseline/baseline.h"
#include "encoder/encoder.h"
#include "head/head.h"
#include "loss/loss.h"
#include "metric/metric.h"
#include "model/preset.h"
#include "neighbourhood/neighbourhood.h"
#include "pegnn/error.h"
#include "pegnn/parts.h"

namespace pegnn {
namespace {

template <class Entry>
std::vector<Part> parts_of(std::span<const Entry* const> list) {
  std::vector<Part> parts;
  for (const Entry* entry : list) {
    const PartInfo& info = entry->info;
    parts.push_back({std::string(info.name), std::string(info.summary), std::string(info.source)});
  }
  return parts;
}

}  // namespace

std::vector<Part> list_parts(const std::string& kind) {
  if (kind == "backbones") return parts_of(backbones());
  if (kind == "baselines") return parts_of(baselines());
  if (kind == "encoders") return parts_of(encoders());
  if (kind == "heads") return parts_of(heads());
  if (kind == "losses") return parts_of(losses());
  if (kind == "metrics") return parts_of(metrics());
  if (kind == "neighbourhoods") return parts_of(neighbourhoods());
  if (kind == "presets") return parts_of(presets());
  const std::vector<std::string> known{"backbones", "baselines", "encoders",       "heads",
                                       "losses",    "metrics",   "neighbourhoods", "presets"};
  throw Error(ErrorKind::usage, unknown_word("kind", kind, known));
}

}  // namespace pegnn
