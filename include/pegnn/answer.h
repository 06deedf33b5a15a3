#pragma once
// What a model says of places: named columns of numbers, with one row for each place.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pegnn {

enum class OutputKind {
  mean,         // the expected value of the target
  deviation,    // standard deviation of an observation there
  quantile,     // of an observation there, at a level
  probability,  // of a class
  distance,     // to the nearest training point: metres on the sphere, else units
  applicable,   // 1 in the area of applicability, else 0
};

struct OutputColumn {
  OutputKind kind = OutputKind::mean;
  double level = 0;        // of a quantile, between 0 and 1
  std::string label = {};  // of a class

  friend bool operator==(const OutputColumn&, const OutputColumn&) = default;
};

// What the column is called where the mean is called `mean`: "pred", "pred_sd", "pred_q05",
// "pred_p_forest", "pred_distance", "pred_aoa".
std::string column_name(const OutputColumn& column, std::string_view mean = "pred");

// In the target's units, but for probabilities and what is said of the place. The first column is
// the mean.
struct Answer {
  std::vector<OutputColumn> columns;
  std::int64_t rows = 0;
  std::vector<double> values;  // column after column, `rows` each

  Answer() = default;
  Answer(std::vector<OutputColumn> of, std::int64_t count);  // values are 0

  std::span<const double> column(std::size_t number) const;
  std::span<double> column(std::size_t number);
  // The first column of that kind; empty where there is none.
  std::span<const double> find(OutputKind kind) const;
  std::span<const double> mean() const { return find(OutputKind::mean); }
  std::span<const double> deviation() const { return find(OutputKind::deviation); }
};

// Whether there is a column of that kind.
bool has_column(std::span<const OutputColumn> columns, OutputKind kind);

}  // namespace pegnn
