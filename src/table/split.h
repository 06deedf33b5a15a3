#pragma once
// Which rows to learn from and which to be judged on.

#include <cstdint>
#include <filesystem>
#include <vector>

#include "base/array.h"

namespace pegnn {

// Together all rows, each once; both ascending.
struct Split {
  Array<std::int64_t> train, test;
};

// 0, 1, ..., rows - 1.
Array<std::int64_t> all_rows(std::int64_t rows);

// What a split is for. Those of one seed are drawn independently of each other.
enum class SplitUse { test, validation };

// The nearest whole number to `test_share` × `rows` rows chosen at random, at least one for testing
// and one for training; a share of 0 gives no test rows. Error{usage} for a share outside [0, 1),
// Error{data} when there are fewer than two rows to share.
Split random_split(std::int64_t rows, double test_share, std::uint64_t seed,
                   SplitUse use = SplitUse::test);

// At most `most` of the rows, chosen by the seed, in their order.
Array<std::int64_t> some_rows(const Array<std::int64_t>& rows, std::int64_t most,
                              std::int64_t seed);

// Every row is tested in exactly one of the folds, whose sizes differ by at most one.
// Error{usage} unless 2 <= folds <= rows.
Array<Split> random_folds(std::int64_t rows, std::int64_t folds, std::uint64_t seed);

// The same with whole groups: `group` holds any number for each row, and rows of one number are
// tested together. The groups, shuffled, go from the largest to the smallest each to the fold that
// has the fewest rows. Error{usage} when there are fewer groups than folds, or fewer than 2 folds.
Array<Split> group_folds(Span<const std::int32_t> group, std::int64_t folds, std::uint64_t seed);

// Whole groups for testing, about `test_share` of the rows: the groups, shuffled, are taken while
// they bring the number of test rows nearer to that share. At least one group on each side.
// Error{usage} for a share outside (0, 1) or fewer than two groups.
Split group_split(Span<const std::int32_t> group, double test_share, std::uint64_t seed);

// The given rows, in any order, are the test rows. Error{usage} for a row outside [0, rows), a row
// given twice, or none left to train on.
Split split_by_rows(std::int64_t rows, Span<const std::int64_t> test_rows);

// Reads 0-based data-row numbers of a table with `rows` rows, one per line, in the file's order.
// Error{data} with the line for anything else, a number out of range or a repeated one, and for a
// file without any.
Array<std::int64_t> read_row_numbers(const std::filesystem::path& file, std::int64_t rows);

}  // namespace pegnn
