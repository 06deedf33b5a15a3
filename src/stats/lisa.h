#pragma once
// Which rows of a local Moran's I stand out, when as many tests are made as there are rows.

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "pegnn/stats.h"

namespace pegnn {

// Adjusted p-values of Benjamini and Hochberg (J. R. Stat. Soc. B 57, 1995): with the m values
// sorted, p_(1) <= ... <= p_(m),
//   adjusted_(i) = min over j >= i of  min(1, m p_(j) / j).
// Calling significant what is adjusted to alpha at most keeps the expected share of false ones
// among them at alpha, also under positive dependence between tests (Benjamini and Yekutieli, Ann.
// Stat. 29, 2001). For the directed p-values of Moran, which are half of two-sided ones, that share
// is twice alpha at most. NaN is no test: it stays NaN and does not count in m.
std::vector<double> benjamini_hochberg(std::span<const double> p);

// How rows are called significant.
struct LisaRule {
  double alpha = 0.05;
  bool control = true;  // by the adjusted p-values, else by those of the tests
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
