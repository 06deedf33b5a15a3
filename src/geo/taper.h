#pragma once
// How much the farther of some neighbours count, so that nothing jumps where another point becomes
// one of them.

#include <algorithm>
#include <cstdint>

namespace pegnn {

// The k nearest points of a place change as it moves: one at distance d comes in where another one
// leaves at the same d. With d_in the distance within which the nearest quarter lies and d_out that
// of the nearest point outside, a neighbour at d counts
//
//   1 up to d_in;   u^2 (3 - 2u) beyond, u = (d_out - d) / (d_out - d_in)
//
// so that who comes in and who leaves count nothing at that moment, and d_in and d_out themselves
// move without a jump. The quarter that counts in full holds when many points stand at one
// distance: if all of the others do, they all count in full. (A set that is cut among points at one
// place, more than three quarters of a neighbourhood of them, still jumps.) Rivoirard and Romary,
// Mathematical Geosciences 43, 2011, do the same for kriging.
struct Taper {
  double inner = 0, outer = 0;  // d_in, d_out

  // The last of `k` neighbours that count in full, counted from 0.
  static std::int64_t last_in_full(std::int64_t k) { return std::max<std::int64_t>(k / 4, 1) - 1; }
  // Of `k` neighbours and the next one: distance(0) to distance(k), ascending. Up to number `last`
  // they count in full.
  template <class Distance>
  static Taper of(std::int64_t k, Distance&& distance, std::int64_t last) {
    return {distance(last), distance(k)};
  }
  template <class Distance>
  static Taper of(std::int64_t k, Distance&& distance) {
    return of(k, distance, last_in_full(k));
  }

  double operator()(double d) const {
    if (d <= inner) return 1;
    if (d >= outer) return 0;
    const double u = (outer - d) / (outer - inner);
    return u * u * (3 - 2 * u);
  }
};

// Where logarithms are wanted, less counts like this.
inline constexpr double kLeastTaper = 1e-12;

}  // namespace pegnn
