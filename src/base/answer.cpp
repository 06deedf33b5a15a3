#include "pegnn/answer.h"

#include <algorithm>
#include <utility>

#include <fmt/core.h>

#include "base/assert.h"

namespace pegnn {
namespace {

// "q05", "q50", "q975": the level's digits behind the point, two at least.
std::string quantile_suffix(double level) {
  std::string digits = fmt::format("{:.6f}", level).substr(2);
  while (digits.size() > 2 && digits.back() == '0') digits.pop_back();
  return "q" + digits;
}

std::size_t place_of(std::span<const OutputColumn> columns, OutputKind kind) {
  const auto found = std::ranges::find(columns, kind, &OutputColumn::kind);
  return static_cast<std::size_t>(found - columns.begin());
}

}  // namespace

std::string column_name(const OutputColumn& column, std::string_view mean) {
  switch (column.kind) {
    case OutputKind::mean:
      return std::string(mean);
    case OutputKind::deviation:
      return fmt::format("{}_sd", mean);
    case OutputKind::quantile:
      return fmt::format("{}_{}", mean, quantile_suffix(column.level));
    case OutputKind::probability:
      return fmt::format("{}_p_{}", mean, column.label);
    case OutputKind::distance:
      return fmt::format("{}_distance", mean);
    case OutputKind::applicable:
      return fmt::format("{}_aoa", mean);
  }
  PEGNN_ASSERT(false, "all kinds are named");
  return {};
}

bool has_column(std::span<const OutputColumn> columns, OutputKind kind) {
  return place_of(columns, kind) < columns.size();
}

Answer::Answer(std::vector<OutputColumn> of, std::int64_t count)
    : columns(std::move(of)),
      rows(count),
      values(columns.size() * static_cast<std::size_t>(count)) {}

std::span<const double> Answer::column(std::size_t number) const {
  const auto count = static_cast<std::size_t>(rows);
  return std::span(values).subspan(number * count, count);
}

std::span<double> Answer::column(std::size_t number) {
  const auto count = static_cast<std::size_t>(rows);
  return std::span(values).subspan(number * count, count);
}

std::span<const double> Answer::find(OutputKind kind) const {
  const std::size_t number = place_of(columns, kind);
  return number < columns.size() ? column(number) : std::span<const double>();
}

}  // namespace pegnn
