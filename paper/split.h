#pragma once
// The published code's split into training and test rows.

#include <cstdint>
#include <vector>

namespace pegnn {

// The seed with which its tables were made.
inline constexpr std::uint32_t kPaperSplitSeed = 1;

// The rows that scikit-learn's train_test_split(test_size=1-0.8, random_state=seed) puts into the
// test set, in its order.
std::vector<std::int64_t> paper_test_rows(std::int64_t rows, std::uint32_t seed = kPaperSplitSeed);

}  // namespace pegnn
