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
  return attends_to_labels(options) ? options.far_members : 0;
}

Options far_options(Options options) {
  options.encoder = "none";
  options.thinning = kFarThinning;
  options.members = options.far_members;
  options.far_members = 0;
  return options;
}

}  // namespace pegnn
