#include "paper/dataset_sources.h"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "base/text.h"
#include "paper/source_text.h"
#include "pegnn/error.h"

namespace pegnn {
namespace {

std::vector<double> numbers(const Table& table, std::string_view name) {
  const Column& column = need_column(table, name);
  refuse_text(table, column);
  return column.values;
}

std::vector<double> ratio(std::vector<double> above, const std::vector<double>& below) {
  std::transform(above.begin(), above.end(), below.begin(), above.begin(), std::divides<>());
  return above;
}

// Rows are one per line in all these files.
Table with_lines_of(const Table& source) {
  Table table(source.source());
  if (source.rows() > 0) table.set_lines({source.line_of(0)});
  return table;
}

std::vector<std::string> fields(std::string_view line) { return split(line, ','); }

}  // namespace

const Column& need_column(const Table& table, std::string_view name) {
  if (const Column* column = table.find(name)) return *column;
  std::vector<std::string> names;
  for (const Column& column : table.columns()) names.push_back(column.name);
  throw Error(ErrorKind::data, fmt::format("{} has no column '{}'; its columns are {}",
                                           table.source(), name, join(names, ", ")));
}

void refuse_text(const Table& table, const Column& column) {
  if (column.numeric()) return;
  throw Error(ErrorKind::data,
              fmt::format("{}, line {}, column '{}': '{}' where a number must be", table.source(),
                          table.line_of(column.first_text_row), column.name, column.first_text));
}

// As scikit-learn's fetch_california_housing, in its order of columns.
Table read_california_housing_sources(SourcePaths files) {
  ReadOptions options{.delimiter = ','};
  options.names = {"longitude",  "latitude",      "housingMedianAge",
                   "totalRooms", "totalBedrooms", "population",
                   "households", "medianIncome",  "medianHouseValue"};
  const Table raw = read_table(files.front(), options);
  const std::vector<double> households = numbers(raw, "households");
  const std::vector<double> hundred_thousand(households.size(), 100000.0);
  Table table = with_lines_of(raw);
  table.add("MedInc", numbers(raw, "medianIncome"));
  table.add("HouseAge", numbers(raw, "housingMedianAge"));
  table.add("AveRooms", ratio(numbers(raw, "totalRooms"), households));
  table.add("AveBedrms", ratio(numbers(raw, "totalBedrooms"), households));
  table.add("Population", numbers(raw, "population"));
  table.add("AveOccup", ratio(numbers(raw, "population"), households));
  table.add("Latitude", numbers(raw, "latitude"));
  table.add("Longitude", numbers(raw, "longitude"));
  table.add("MedHouseVal", ratio(numbers(raw, "medianHouseValue"), hundred_thousand));
  return table;
}

Table read_air_temperature_sources(SourcePaths files) {
  const Table raw = read_table(files.front());
  Table table = with_lines_of(raw);
  table.add("longitude", numbers(raw, "Lon"));
  table.add("latitude", numbers(raw, "Lat"));
  table.add("meanT", numbers(raw, "meanT"));
  table.add("meanP", numbers(raw, "meanP"));
  return table;
}

// The last three columns, whatever a header calls them: the paper's loader goes by position too.
Table read_road_sources(SourcePaths files) {
  const std::filesystem::path& file = files.front();
  const std::vector<std::string> first = fields(first_line(file));
  const std::size_t count = first.size();
  if (count != 3 && count != 4) {
    throw Error(ErrorKind::data,
                fmt::format("{}, line 1: {} fields where there must be longitude, latitude and "
                            "altitude, with or without the number of the way before them",
                            file.string(), count));
  }
  ReadOptions options{.delimiter = ','};
  const bool headed = !parse_number(trim(first.back()));
  if (!headed) options.names = {"way", "longitude", "latitude", "altitude"};
  if (!headed && count == 3) options.names.erase(options.names.begin());
  const Table raw = read_table(file, options);
  Table table = with_lines_of(raw);
  const char* const names[] = {"longitude", "latitude", "altitude"};
  for (std::size_t i = 0; i < 3; ++i) {
    table.add(names[i], numbers(raw, raw.columns()[count - 3 + i].name));
  }
  return table;
}

}  // namespace pegnn
