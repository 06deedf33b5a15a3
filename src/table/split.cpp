#include "table/split.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/core.h>

#include "base/array.h"
#include "base/atomic_file.h"
#include "base/philox.h"
#include "base/text.h"
#include "pegnn/error.h"

namespace pegnn {
namespace {

// Addresses of the draws, so that no two kinds of split of one seed share their random numbers.
enum Draw : std::uint64_t { kDrawSplit, kDrawFolds, kDrawGroups, kDrawValidation };

Array<std::int64_t> shuffled(std::int64_t count, std::uint64_t seed, Draw draw) {
  Array<std::int64_t> order(count);
  std::iota(order.begin(), order.end(), std::int64_t{0});
  shuffle(order.data(), count, Rng{seed, Stream::split}, draw);
  return order;
}

void check_folds(std::int64_t folds, std::int64_t most, const char* of_what) {
  if (folds >= 2 && folds <= most) return;
  throw Error(ErrorKind::usage,
              fmt::format("<option:folds> {}: at least 2, at most the number of {} ({})", folds,
                          of_what, most));
}

// `fold[i]` is the fold in which row i is tested.
Array<Split> splits_of(Span<const std::int64_t> fold, std::int64_t folds) {
  Array<std::int64_t> tested(folds, 0);
  for (const std::int64_t f : fold) ++tested[f];
  Array<Split> splits(folds);
  for (std::int64_t f = 0; f < std::ssize(splits); ++f) {
    splits[f].test.reserve(tested[f]);
    splits[f].train.reserve(fold.size() - tested[f]);
    for (std::int64_t i = 0; i < std::ssize(fold); ++i) {
      const bool test = fold[i] == f;
      (test ? splits[f].test : splits[f].train).push_back(i);
    }
  }
  return splits;
}

// Rows by the group they belong to.
struct Groups {
  Array<std::int64_t> number;  // of each row's group: 0, 1, ... in the order of the ids
  Array<std::int64_t> sizes;

  std::int64_t count() const { return std::ssize(sizes); }
  std::int64_t size(std::int64_t g) const { return sizes[g]; }
};

Groups groups_of(Span<const std::int32_t> group) {
  Array<std::int32_t> ids(group.begin(), group.end());
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  Groups groups{Array<std::int64_t>(group.size()), Array<std::int64_t>(ids.size(), 0)};
  for (std::int64_t i = 0; i < std::ssize(group); ++i) {
    groups.number[i] = std::lower_bound(ids.begin(), ids.end(), group[i]) - ids.begin();
    ++groups.sizes[groups.number[i]];
  }
  return groups;
}

}  // namespace

Array<std::int64_t> all_rows(std::int64_t rows) {
  Array<std::int64_t> numbers(rows);
  std::iota(numbers.begin(), numbers.end(), std::int64_t{0});
  return numbers;
}

Split random_split(std::int64_t rows, double test_share, std::uint64_t seed, SplitUse use) {
  if (!(test_share >= 0 && test_share < 1)) {
    throw Error(ErrorKind::usage,
                fmt::format("share {} of the rows: must lie in [0, 1)", format_number(test_share)));
  }
  std::int64_t count = 0;
  if (test_share > 0) {
    if (rows < 2) {
      throw Error(ErrorKind::data, fmt::format("{} data row(s) cannot be split; at least 2 are "
                                               "needed",
                                               rows));
    }
    count = std::llround(static_cast<double>(rows) * test_share);
    count = std::clamp<std::int64_t>(count, 1, rows - 1);
  }
  const Array<std::int64_t> order =
      shuffled(rows, seed, use == SplitUse::test ? kDrawSplit : kDrawValidation);
  return split_by_rows(rows, Span(order).first(count));
}

Array<std::int64_t> some_rows(const Array<std::int64_t>& rows, std::int64_t most,
                              std::int64_t seed) {
  const auto count = std::ssize(rows);
  if (count <= most) return rows;
  const double share = static_cast<double>(most) / static_cast<double>(count);
  Array<std::int64_t> chosen = random_split(count, share, static_cast<std::uint64_t>(seed)).test;
  for (std::int64_t& row : chosen) row = rows[row];
  return chosen;
}

Array<Split> random_folds(std::int64_t rows, std::int64_t folds, std::uint64_t seed) {
  check_folds(folds, rows, "rows");
  const Array<std::int64_t> order = shuffled(rows, seed, kDrawFolds);
  Array<std::int64_t> fold(order.size());
  for (std::int64_t i = 0; i < std::ssize(order); ++i) {
    fold[order[i]] = i % folds;
  }
  return splits_of(fold, folds);
}

Array<Split> group_folds(Span<const std::int32_t> group, std::int64_t folds, std::uint64_t seed) {
  Groups groups = groups_of(group);
  check_folds(folds, groups.count(), "groups (spatial blocks: smaller ones give more)");
  Array<std::int64_t> order = shuffled(groups.count(), seed, kDrawGroups);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::int64_t a, std::int64_t b) { return groups.size(a) > groups.size(b); });

  Array<std::int64_t> filled(folds, 0), fold_of(order.size());
  for (const std::int64_t g : order) {
    const auto emptiest = std::min_element(filled.begin(), filled.end());
    *emptiest += groups.size(g);
    fold_of[g] = emptiest - filled.begin();
  }
  for (std::int64_t& g : groups.number) g = fold_of[g];
  return splits_of(groups.number, folds);
}

Split group_split(Span<const std::int32_t> group, double test_share, std::uint64_t seed) {
  const Groups groups = groups_of(group);
  if (!(test_share > 0 && test_share < 1) || groups.count() < 2) {
    throw Error(ErrorKind::usage,
                fmt::format("cannot hold out {} of {} group(s); a share in (0, 1) and two groups "
                            "are needed (spatial blocks: smaller ones give more)",
                            format_number(test_share), groups.count()));
  }
  const double wanted = test_share * static_cast<double>(group.size());
  Array<char> held(groups.count(), 0);
  std::int64_t rows = 0, taken = 0;
  for (const std::int64_t g : shuffled(groups.count(), seed, kDrawGroups)) {
    const double now = std::abs(wanted - static_cast<double>(rows));
    const double then = std::abs(wanted - static_cast<double>(rows + groups.size(g)));
    const bool must = taken == 0, may = taken + 1 < groups.count();
    if (!must && (then >= now || !may)) continue;
    held[g] = 1;
    rows += groups.size(g);
    ++taken;
  }
  Split split;
  for (std::int64_t i = 0; i < std::ssize(group); ++i) {
    const bool test = held[groups.number[i]] != 0;
    (test ? split.test : split.train).push_back(i);
  }
  return split;
}

Split split_by_rows(std::int64_t rows, Span<const std::int64_t> test_rows) {
  Array<char> test(rows, 0);
  for (const std::int64_t row : test_rows) {
    if (row < 0 || row >= rows) {
      throw Error(ErrorKind::usage, fmt::format("test row {} is outside 0 to {}", row, rows - 1));
    }
    if (std::exchange(test[row], char{1}) != 0) {
      throw Error(ErrorKind::usage, fmt::format("test row {} is given twice", row));
    }
  }
  Split split;
  split.test.reserve(test_rows.size());
  split.train.reserve(test.size() - test_rows.size());
  for (std::int64_t i = 0; i < std::ssize(test); ++i) {
    (test[i] != 0 ? split.test : split.train).push_back(i);
  }
  if (split.train.empty() && rows > 0) {
    throw Error(ErrorKind::usage, "all rows are test rows; none are left to train on");
  }
  return split;
}

Array<std::int64_t> read_row_numbers(const std::filesystem::path& file, std::int64_t rows) {
  const std::string bytes = read_file(file);
  const std::string_view all = bytes;
  const std::string_view text = all.substr(0, all.find_last_not_of(" \t\r\n") + 1);
  Array<std::int64_t> numbers;
  Array<std::int64_t> line_of(rows, 0);  // 0: not named yet
  std::int64_t line = 1;
  for (std::size_t begin = 0; begin < text.size(); ++line) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view word = trim(text.substr(begin, end - begin));
    begin = end + 1;
    const auto fail = [&](const std::string& what) {
      throw Error(ErrorKind::data, fmt::format("{}, line {}: {}", file.string(), line, what));
    };
    const std::optional<long long> row = parse_integer(word);
    if (!row) {
      fail(fmt::format("'{}' is not a row number; one 0-based data-row number per line is expected",
                       word.substr(0, 40)));
    }
    if (*row < 0 || *row >= rows) {
      fail(fmt::format("row {} is outside 0 to {}, the data rows of the table", *row, rows - 1));
    }
    std::int64_t& seen = line_of[*row];
    if (seen != 0) fail(fmt::format("row {} was named before, on line {}", *row, seen));
    seen = line;
    numbers.push_back(*row);
  }
  if (numbers.empty()) {
    throw Error(ErrorKind::data, fmt::format("{} names no rows", file.string()));
  }
  return numbers;
}

}  // namespace pegnn
