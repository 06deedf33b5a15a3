#pragma once
// The data sets from the files they were first published in, by the rules of the paper's loader.
// Files are given in the order of the entry's sources, plain or gzip. Error{data} names the file,
// the line and the column of what cannot be used.

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "pegnn/table.h"

namespace pegnn {

using SourcePaths = std::span<const std::filesystem::path>;

// StatLib's file without a header: longitude, latitude, housing median age, total rooms, total
// bedrooms, population, households, median income, median house value.
Table read_california_housing_sources(SourcePaths files);

// Education, election, income, unemployment and population by county, and the Census Gazetteer:
// tabs and a header as the Census gives it, or commas and none.
Table read_election_sources(SourcePaths files);

// The stations' table: Lon, Lat, meanT, meanP and columns that are not used.
Table read_air_temperature_sources(SourcePaths files);

// Longitude, latitude and altitude, the number of the way before them or not, a header or not.
Table read_road_sources(SourcePaths files);

// The column of that name, which must be there.
const Column& need_column(const Table& table, std::string_view name);
// Error{data} for the first cell of the column that is neither a number nor missing.
void refuse_text(const Table& table, const Column& column);

}  // namespace pegnn
