// From a folder to the rows of a data set: finds what is there, reads it, and compares the values
// with those that are known.

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <vector>

#include <fmt/core.h>

#include "base/text.h"
#include "paper/dataset_files.h"
#include "paper/dataset_sources.h"
#include "paper/datasets.h"
#include "paper/sha256.h"
#include "pegnn/error.h"
#include "pegnn/log.h"

namespace pegnn {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> used_columns(const DatasetEntry& entry) {
  std::vector<std::string> names{std::string(entry.x), std::string(entry.y),
                                 std::string(entry.target)};
  names.insert(names.end(), entry.features.begin(), entry.features.end());
  return names;
}

// Every used column is there, and every cell of it a number.
void check_columns(const Table& table, const DatasetEntry& entry) {
  for (const std::string& name : used_columns(entry)) {
    const Column& column = need_column(table, name);
    refuse_text(table, column);
    const auto bad = std::find_if(column.values.begin(), column.values.end(),
                                  [](double value) { return !std::isfinite(value); });
    if (bad == column.values.end()) continue;
    throw Error(ErrorKind::data,
                fmt::format("{}, line {}, column '{}': {} where a number must be", table.source(),
                            table.line_of(bad - column.values.begin()), name,
                            std::isnan(*bad) ? "nothing" : "a division by zero"));
  }
  if (table.rows() == 0) throw Error(ErrorKind::data, table.source() + " has no rows");
}

bool near(double value, double known) {
  constexpr double kSeventhDigit = 1e-7;  // the known ones have seven or more
  return std::abs(value - known) <= kSeventhDigit * std::max(1.0, std::abs(known));
}

// What differs, or nothing. Equal digests settle it; else the numbers that people can compare.
std::string difference(const Table& table, const DatasetEntry& entry, const Edition& known) {
  if (table.rows() != known.rows) {
    return fmt::format("its number of rows is {} instead of {}", format_count(table.rows()),
                       format_count(known.rows));
  }
  if (!known.digest.empty() && value_digest(table, entry) == known.digest) return {};
  std::vector<std::string> found;
  for (const KnownColumn& k : known.columns) {
    const std::vector<double>& values = need_column(table, k.name).values;
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    double sum = 0;
    for (const double value : values) sum += value;
    const double mean = sum / static_cast<double>(values.size());
    const auto compare = [&](const char* what, double value, double wanted) {
      if (near(value, wanted)) return;
      found.push_back(fmt::format("the {} of {} is {} instead of {}", what, k.name,
                                  format_short(value, 8), format_short(wanted, 8)));
    };
    compare("smallest", *low, k.min);
    compare("mean", mean, k.mean);
    compare("largest", *high, k.max);
  }
  if (found.empty() && !known.digest.empty()) return "single values differ";
  return join(found, ", ");
}

}  // namespace

std::string value_digest(const Table& table, const DatasetEntry& entry) {
  Sha256 hash;
  const auto add = [&](std::uint64_t bits) {
    char bytes[8];
    for (int i = 0; i < 8; ++i) bytes[i] = static_cast<char>(bits >> (8 * i) & 0xff);
    hash.add({bytes, sizeof bytes});
  };
  add(static_cast<std::uint64_t>(table.rows()));
  for (const std::string& name : used_columns(entry)) {
    for (const double value : need_column(table, name).values)
      add(std::bit_cast<std::uint64_t>(value));
  }
  return hash.hex();
}

PaperData load_dataset(const DatasetEntry& entry, const fs::path& folder, Log& log) {
  const std::optional<DatasetFiles> found = find_dataset_files(entry, folder);
  if (!found) throw Error(ErrorKind::data, how_to_get(entry, folder));

  PaperData data;
  data.entry = &entry;
  data.file = found->name();
  data.table = found->sources ? entry.read_sources(found->files) : read_table(found->files[0]);
  check_columns(data.table, entry);
  data.roles = {std::string(entry.x),
                std::string(entry.y),
                true,
                std::string(entry.target),
                {entry.features.begin(), entry.features.end()}};
  data.whole = data.table.rows() >= entry.rows;

  const bool is_part = data.table.rows() == entry.known_part.rows;
  const std::string differs =
      difference(data.table, entry, is_part ? entry.known_part : entry.whole);
  data.verified = differs.empty();
  log.note(data.whole
               ? fmt::format("{}: {} rows from {}", entry.title, format_count(data.table.rows()),
                             data.file)
               : fmt::format("{}: {} of {} rows from {}", entry.title,
                             format_count(data.table.rows()), format_count(entry.rows), data.file));
  if (!data.verified) {
    log.warn(
        fmt::format("{} in {} is not the edition that is known: {}; results cannot be "
                    "compared with those of others",
                    entry.title, data.file, differs));
  }
  return data;
}

}  // namespace pegnn
