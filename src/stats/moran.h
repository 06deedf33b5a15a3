#pragma once
// Global and local Moran's I on neighbour lists, with permutation tests.

#include <cstdint>

#include "base/array.h"
#include "pegnn/stats.h"

namespace pegnn {

class ThreadPool;

// Neighbours of n points in CSR form: those of i are columns[offsets[i] .. offsets[i+1]). `offsets`
// has n + 1 entries, the first 0 and the last columns.size(). A point is not its own neighbour and
// no neighbour is listed twice.
struct NeighbourLists {
  Span<const std::int64_t> offsets;
  Span<const std::int32_t> columns;
};

// Local Moran's I of Anselin (1995), Eq. 5 of the PE-GNN paper:
//   I_i = (n - 1) z_i sum_j w_ij z_j / sum_j z_j^2,   z = y - mean(y).
// `y` holds n finite values whose squares are finite; `weights` one value per edge, or is empty for
// binary weights; `out` has n places and may not overlap `y`. All zero when the values are all
// equal or their squares vanish; zero for a point without neighbours. O(edges), allocates nothing;
// the same bits for any number of threads.
void local_moran(Span<const double> y, NeighbourLists neighbours, Span<const double> weights,
                 const ThreadPool& pool, Span<double> out);

// In place: (v - min) / (max - min), so that the ends are exactly 0 and 1; all zeros when the
// values are all equal. The values are finite.
void minmax_scale(Span<double> values);

// Moran's I as PySAL's esda reports it, global (`Moran`) and local (`Moran_Local`), with
// z = (y - mean) / population deviation, c_i neighbours of point i, w_ij = 1 or 1 / c_i and
// S0 = sum_ij w_ij:
//   I = n / S0 * sum_i z_i lag_i / sum_i z_i^2     lag_i = sum_j w_ij z_j
//   Is_i = (n - 1) z_i lag_i / sum_j z_j^2
//
// p_sim, z_sim: `permutations` shuffles of all values. p: conditional permutation; the value of i
// stays and its c_i neighbours' values are drawn without replacement from the other n - 1 points.
// Both take esda's directed pseudo p-value: L = how many simulated values are at least the observed
// one (equal up to rounding counts as equal), p = (min(L, permutations - L) + 1) /
// (permutations + 1). It looks at the tail the observed value lies in, so under no autocorrelation
// it is uniform up to 1/2; double it for a two-sided test. Where every simulated value equals the
// observed one (a value at the mean, all others equal, all points neighbours) that rule would call
// it extreme; p is 1 there.
//
// q: 1 (z > 0, lag > 0), 2 (z <= 0, lag > 0), 3 (z <= 0, lag <= 0), 4 (z > 0, lag <= 0).
// A point without neighbours has Is = 0, lag = 0, p = NaN, q = 0; it counts in n, as in esda.
// Without any edge I, p_sim and z_sim are NaN. When the values are all equal, or there are fewer
// than 3 of them: I, p_sim, z_sim and p are NaN, z, lag, Is and q are 0 (EI is NaN for n < 2).
// With permutations = 0, p_sim, z_sim and p are NaN; z_sim also where the simulations do not vary.
//
// `y` holds n finite values whose squares are finite; n < 2^31. O(n c) time per permutation and
// O(n) memory per thread. The same seed gives the same bits for any number of threads, and more
// permutations continue the same sequence.
Moran moran(Span<const double> y, NeighbourLists neighbours, const MoranOptions& options,
            const ThreadPool& pool);

}  // namespace pegnn
