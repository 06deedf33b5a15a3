#include "train/setting.h"

#include "base/array.h"
#include "neighbourhood/neighbourhood.h"
#include "train/resolve.h"

namespace pegnn {

ScalerPlan scaling_of(const Options& options) {
  ScalerPlan plan = options.scaling == "minmax"     ? Scaling::minmax
                    : options.scaling == "standard" ? Scaling::standard
                                                    : Scaling::none;
  plan.ranks = options.ranks;
  if (options.target_transform == "asinh") plan.transform = TargetTransform::asinh;
  return plan;
}

Options resolved_for(const Dataset& data, Span<const std::int64_t> rows, const Options& options,
                     const Context& context) {
  if (std::ssize(rows) == data.rows()) {
    return resolve_options(options, data.points, data.y, data.space, context.pool, context.log);
  }
  return resolve_options(options, gather(data.points, rows), gather(data.y, rows), data.space,
                         context.pool, context.log);
}

Setting make_setting(const Dataset& data, Span<const std::int64_t> rows, const Options& options,
                     const Scaler* given, const Context& context) {
  Setting setting;
  setting.scaler = given != nullptr ? *given : fit_scaler(data, rows, scaling_of(options));
  setting.options = resolved_for(data, rows, options, context);
  if (const auto fit = neighbourhood_of(options).fit) {
    setting.labels = fit(data, setting.options, setting.scaler, context);
  }
  return setting;
}

}  // namespace pegnn
