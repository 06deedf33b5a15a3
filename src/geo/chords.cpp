// Chords become metres, compiled once per instruction set.

#include "base/array.h"
#include "kernels/cpu/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "geo/chords.cpp"
// In this order: foreach_target.h before highway.h.
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

#include <iterator>

#include "geo/chords.h"
#include "geo/sphere.h"

HWY_BEFORE_NAMESPACE();
namespace pegnn::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// The operations of metres_of_squared_chord, in their order, where the series serves a whole
// vector; one by one elsewhere.
void chords_to_metres(Span<double> squared_chords) {
  const hn::ScalableTag<double> d;
  const std::size_t lanes = hn::Lanes(d), count = as_size(squared_chords.size());
  double* const chords = squared_chords.data();
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    const auto squared = hn::LoadU(d, chords + i);
    if (!hn::AllTrue(d, hn::Lt(squared, hn::Set(d, kChordSeriesEnd)))) {
      for (std::size_t j = i; j < i + lanes; ++j) {
        chords[j] = metres_of_squared_chord(chords[j]).value;
      }
      continue;
    }
    const auto u = hn::Mul(squared, hn::Set(d, 0.25));
    auto series = hn::Set(d, kChordSeries[0]);
    for (std::size_t term = 1; term < std::size(kChordSeries); ++term) {
      series = hn::Add(hn::Set(d, kChordSeries[term]), hn::Mul(u, series));
    }
    const auto metres = hn::Mul(hn::Set(d, kEarthRadiusMetres), hn::Mul(hn::Sqrt(squared), series));
    hn::StoreU(metres, d, chords + i);
  }
  for (; i < count; ++i) chords[i] = metres_of_squared_chord(chords[i]).value;
}

}  // namespace
}  // namespace pegnn::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pegnn {

HWY_EXPORT(chords_to_metres);

void chords_to_metres(Span<double> squared_chords) {
  HWY_DYNAMIC_DISPATCH(chords_to_metres)(squared_chords);
}

}  // namespace pegnn
#endif  // HWY_ONCE
