#pragma once
// Small stand-ins for the data sets of the paper.

#include <cstdint>
#include <string>
#include <vector>

#include "paper/runner.h"
#include "support/tables.h"

namespace pegnn::test {

// So many rows of a smooth surface under the column names of that data set.
inline PaperRows small_set(const std::string& name, std::size_t rows) {
  const DatasetEntry& entry = find_dataset(name);
  const Table smooth = smooth_table(rows);
  PaperData data;
  data.entry = &entry;
  data.table = Table(name + ".csv");
  data.roles = {.x = std::string(entry.x),
                .y = std::string(entry.y),
                .geographic = true,
                .target = std::string(entry.target),
                .features = {entry.features.begin(), entry.features.end()}};
  data.table.add(data.roles.x, smooth.find("lon")->values);
  data.table.add(data.roles.y, smooth.find("lat")->values);
  data.table.add(data.roles.target, smooth.find("y")->values);
  // Each feature a little less telling than the one before.
  for (std::size_t f = 0; f < data.roles.features.size(); ++f) {
    std::vector<double> values = smooth.find("a")->values;
    for (std::size_t i = 0; i < rows; ++i) {
      values[i] += 0.1 * static_cast<double>(f) * smooth.find("b")->values[i];
    }
    data.table.add(data.roles.features[f], std::move(values));
  }
  data.whole = name != "3d-road";
  return with_paper_split(std::move(data));
}

inline PaperSets small_sets(std::size_t rows = 120) {
  PaperSets sets;
  for (const DatasetEntry* entry : datasets()) {
    const std::string name(entry->name);
    sets[name] = small_set(name, rows);
  }
  return sets;
}

}  // namespace pegnn::test
