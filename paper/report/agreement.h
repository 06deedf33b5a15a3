#pragma once
// How near our errors are to the published ones: of one number, and counted over a table.

#include <cstdint>
#include <string>

#include "paper/reproduction.h"

namespace pegnn {

// A published number counts as found again when ours differs from it by no more than this share.
inline constexpr double kNearShare = 0.15;

enum class Agreement { unknown, near, below, above };
// Of `ours` with `other`; unknown when one of them is not a positive number.
Agreement agreement(double ours, double other);

// "+1 %", "−39 %", "×12" from ten times as much on; empty when unknown.
std::string difference_text(double ours, double other);
// An error as the paper writes it: four decimals, more where those would leave fewer than two
// digits; "–" when it is not there.
std::string error_text(double error);
// A deviation of such an error: as many decimals, and one digit at least.
std::string spread_text(double deviation);

struct Tally {
  std::int64_t near = 0, below = 0, above = 0;
  std::int64_t missing = 0;                                  // published, but not by us
  std::int64_t all() const { return near + below + above; }  // those with both numbers
  void add(double ours, double published);
};

// Our errors beside the published ones in the rows that are the paper's, where the two can be
// compared.
struct TableTally {
  Tally mse, mae;
  Tally pe_mse, pe_mae;  // of the rows with the positional encoder
  // Of the squared errors that are not near the published one: those an independent run has too.
  std::int64_t shared = 0;
  void add(const PaperTable& table);
};

// The published squared error is neither near ours nor near that of the independent run, which are
// near each other.
bool shared_with_independent(const TableCell& cell);

}  // namespace pegnn
