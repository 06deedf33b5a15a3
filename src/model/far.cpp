#include "model/far.h"

#include "neighbourhood/neighbourhood.h"

namespace pegnn {
namespace {

constexpr double kFarThinning = 0.75;

}  // namespace

std::int64_t far_members(const Options& options) {
  return neighbourhood_of(options).tells_gaps ? options.part.whole("far-members") : 0;
}

Options far_options(Options options) {
  options.encoder = "none";
  options.part.set("thinning", kFarThinning);
  const std::int64_t steps = options.part.whole("far-steps");
  if (steps > 0) options.steps = steps;
  options.members = options.part.whole("far-members");
  options.part.set("far-members", 0);
  return options;
}

}  // namespace pegnn
