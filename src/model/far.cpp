#include "model/far.h"

#include "backbone/backbone.h"

namespace pegnn {
namespace {

constexpr double kFarThinning = 0.75;

}  // namespace

bool attends_to_labels(const Options& options) {
  return find_part(backbones(), "backbone", options.backbone).neighbourhood ==
         Neighbourhood::labels;
}

std::int64_t far_members(const Options& options) {
  return attends_to_labels(options) ? options.part.whole("far-members") : 0;
}

Options far_options(Options options) {
  options.encoder = "none";
  options.part.set("thinning", kFarThinning);
  options.members = options.part.whole("far-members");
  options.part.set("far-members", 0);
  return options;
}

}  // namespace pegnn
