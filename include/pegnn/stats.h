#pragma once
// Moran's I, global and local.

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "pegnn/geo.h"

namespace pegnn {

enum class MoranWeights {
  binary,            // 1 for each neighbour
  row_standardised,  // 1 / number of neighbours
};

struct MoranOptions {
  MoranWeights weights = MoranWeights::row_standardised;
  int permutations = 999;  // 0: no p-values
  std::uint64_t seed = 0;
  std::function<bool()> stop = {};  // asked now and then; true: Error{interrupted}; may be empty
};

// Global and local Moran's I with the names and conventions of PySAL's esda.
struct Moran {
  double I = 0;             // global; NaN when the values are all equal
  double EI = 0;            // expectation under randomisation, -1 / (n - 1)
  double p_sim = 0;         // pseudo p-value, one-sided, NaN without permutations
  double z_sim = 0;         // (I - mean of permutations) / their standard deviation
  std::vector<double> Is;   // local I_i = (n-1) z_i sum_j w_ij z_j / sum_j z_j^2
  std::vector<double> lag;  // sum_j w_ij z_j, z standardised
  std::vector<double> z;    // (y - mean) / sd
  std::vector<double> p;    // local pseudo p-values from conditional permutation
  std::vector<int> q;  // 1 HH, 2 LH, 3 LL, 4 HL; 0 without neighbours or when all values are equal
};

// Moran's I of `values` at `points` on the graph of the k nearest neighbours (all other points when
// there are fewer). As many values as points, all finite; n < 2^31. Error{usage} otherwise, and for
// places that are not on the globe. Details in stats/moran.h.
Moran moran(std::span<const Point> points, Space space, std::span<const double> values,
            std::int64_t k, const MoranOptions& options, int threads);

// How rows of a local Moran's I are called significant.
struct LisaRule {
  double alpha = 0.05;
  bool control = true;  // by p-values adjusted for many tests (stats/lisa.h), else by their own
};

// Rows by kind: [1] HH, [2] LH, [3] LL, [4] HL, as quadrants are numbered; [0] not significant.
using LisaCounts = std::array<std::int64_t, 5>;

struct Lisa {
  std::vector<double> p_fdr;    // adjusted p-values, whatever the rule
  std::vector<int> cluster;     // by row: the quadrant if significant by the rule, else 0
  LisaCounts plain{}, kinds{};  // by the p-values of the tests alone, and by the rule
  // Where the tests call rows significant and the rule none, because p-values cannot be smaller
  // than 1 / (permutations + 1): how many permutations let those at that floor pass if they stay
  // there, rounded up to 1, 2 or 5 times a power of ten, less one. 0 else: more would not help.
  std::int64_t permutations_needed = 0;
};

// `permutations` are those behind moran.p; with 0 nothing is significant.
Lisa classify(const Moran& moran, std::int64_t permutations, const LisaRule& rule);

// "HH", "LH", "LL", "HL"; "ns" for 0.
std::string_view cluster_name(int cluster);

}  // namespace pegnn
