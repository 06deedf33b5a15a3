#pragma once
// Moran's I of a column of a table, and what is told of it: text, JSON, columns, a page.

#include <cstdint>
#include <string>
#include <vector>

#include "io/gdal.h"
#include "pegnn/option_names.h"
#include "pegnn/stats.h"
#include "pegnn/table.h"
#include "table/dataset.h"

namespace pegnn {

class Log;

inline constexpr double kMostPermutations = 1e6;

struct MoranRequest {
  std::int64_t k = 5;               // neighbours
  std::string weights = "row";      // row: each neighbour 1/k; binary: each 1
  std::int64_t permutations = 999;  // 0: nothing is tested
  double alpha = 0.05;              // level of the local tests
  std::string fdr = "bh";           // bh: false discoveries are controlled; none: they are not
  std::int64_t seed = 0;            // of the permutations
  bool drop_missing = false;        // leave out rows with missing values, not refuse them
};

// What a study adds to the rows of a table, by the names of PySAL's esda where it has one: names
// and kinds alone.
std::vector<AddedColumn> local_moran_columns();

class MoranStudy {
 public:
  // Of the target of `choice`. `table` is borrowed. Fewer neighbours than asked for, where there
  // are no more, and a constant column are warnings; Error{data} for fewer than 3 rows that can be
  // used, else as `resolve_roles` and `moran`.
  MoranStudy(const Table& table, ColumnChoice choice, const MoranRequest& request, int threads,
             Log& log);

  // Options are named in that style.
  std::string text(OptionStyle style) const;
  std::string json() const;
  // By row of the table. Rows that were left out get nothing; without permutations nothing was
  // tested.
  std::vector<AddedColumn> columns() const;
  // For QGIS: a layer with these columns by its clusters.
  std::string style() const;
  // A self-contained HTML page; `command` is the line that repeats the study.
  std::string page(const std::string& command) const;

 private:
  LisaRule rule() const { return {.alpha = request_.alpha, .control = request_.fdr == "bh"}; }
  std::string local_text(OptionStyle style) const;

  const Table& table_;
  MoranRequest request_;
  int threads_;
  Roles roles_;
  Dataset data_;
  Moran moran_;
  Lisa lisa_;
};

}  // namespace pegnn
