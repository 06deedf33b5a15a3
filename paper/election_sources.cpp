// The six tables of the Election data set become one: joined by FIPS code, incomplete rows and
// places outside the contiguous states left out, in the order of the codes.

#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "base/text.h"
#include "paper/dataset_sources.h"
#include "paper/source_text.h"
#include "pegnn/error.h"

namespace pegnn {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

struct Taken {
  std::string_view from, as;
};

// A table of the join: its key and what is taken from it.
struct Member {
  std::string_view key;
  std::vector<Taken> columns;
};

// In the order of the entry's sources.
const std::array<Member, 6>& members() {
  static const std::array<Member, 6> list{
      Member{"FIPS", {{"BachelorRate2016", "bachelor_rate"}}},
      Member{"fips_code", {{"dem_2016", "dem_2016"}, {"gop_2016", "gop_2016"}}},
      Member{"FIPS", {{"MedianIncome2016", "median_income"}}},
      Member{"FIPS", {{"Unemployment_rate_2016", "unemployment_rate"}}},
      Member{"FIPS",
             {{"R_NET_MIG_2016", "net_migration"},
              {"R_birth_2016", "birth_rate"},
              {"R_death_2016", "death_rate"}}},
      Member{"GEOID", {{"INTPTLONG", "longitude"}, {"INTPTLAT", "latitude"}}}};
  return list;
}

constexpr std::string_view kColumns[] = {
    "longitude",     "latitude",   "dem_2016",   "gop_2016",      "median_income",
    "net_migration", "birth_rate", "death_rate", "bachelor_rate", "unemployment_rate"};
constexpr std::size_t kCount = std::size(kColumns);

std::size_t place_of(std::string_view name) {
  std::size_t place = 0;
  while (kColumns[place] != name) ++place;
  return place;
}

struct County {
  County() { values.fill(kMissing); }

  std::array<double, kCount> values;
  std::string doubled;  // where a table gives it a second time, with other values
};
using Counties = std::map<std::int64_t, County>;

Table read_member(const std::filesystem::path& file, const Member& member) {
  ReadOptions options;
  if (member.key == "GEOID" && first_line(file).find("GEOID") == std::string::npos) {
    options.names = {"USPS",   "GEOID",      "ANSICODE",    "NAME",     "ALAND",
                     "AWATER", "ALAND_SQMI", "AWATER_SQMI", "INTPTLAT", "INTPTLONG"};
  }
  return parse_table(without_quoted_commas(unpacked_text(file)), file.string(), options);
}

// The codes of the states have four or five digits, those of the whole country are zero.
std::int64_t code_of(const Table& table, const Column& key, std::size_t row) {
  const double value = key.values[row];
  if (value >= 0 && value <= 99999 && value == std::floor(value)) {
    return static_cast<std::int64_t>(value);
  }
  throw Error(
      ErrorKind::data,
      fmt::format("{}, line {}, column '{}': {} is no FIPS code", table.source(),
                  table.line_of(static_cast<std::int64_t>(row)), key.name, format_number(value)));
}

void join_member(const Table& table, const Member& member, Counties& counties) {
  const Column& key = need_column(table, member.key);
  refuse_text(table, key);
  std::set<std::int64_t> seen;
  for (std::size_t row = 0; row < key.values.size(); ++row) {
    if (std::isnan(key.values[row])) continue;
    const std::int64_t code = code_of(table, key, row);
    County& county = counties[code];
    const bool again = !seen.insert(code).second;
    for (const Taken& taken : member.columns) {
      const double value = need_column(table, taken.from).values[row];
      double& place = county.values[place_of(taken.as)];
      const bool same = place == value || (std::isnan(place) && std::isnan(value));
      if (again && !same) {
        county.doubled = fmt::format(
            "{}, line {}: {} {} stands there a second time, with another "
            "value of {}",
            table.source(), table.line_of(static_cast<std::int64_t>(row)), member.key, code,
            taken.from);
      }
      if (!again) place = value;
    }
  }
}

bool complete(const County& county) {
  for (const double value : county.values) {
    if (std::isnan(value)) return false;
  }
  return true;
}

// The contiguous states: Alaska and Hawaii are out.
bool inside(const County& county) {
  const double longitude = county.values[0], latitude = county.values[1];
  return longitude > -130 && longitude < -50 && latitude > 22 && latitude < 50;
}

}  // namespace

Table read_election_sources(SourcePaths files) {
  Counties counties;
  for (std::size_t i = 0; i < members().size(); ++i) {
    const Member& member = members()[i];
    const Table table = read_member(files[i], member);
    for (const Taken& taken : member.columns) refuse_text(table, need_column(table, taken.from));
    join_member(table, member, counties);
  }
  std::vector<double> codes;
  std::array<std::vector<double>, kCount> columns;
  for (const auto& [code, county] : counties) {
    if (!complete(county) || !inside(county)) continue;
    if (!county.doubled.empty()) throw Error(ErrorKind::data, county.doubled);
    codes.push_back(static_cast<double>(code));
    for (std::size_t c = 0; c < kCount; ++c) columns[c].push_back(county.values[c]);
  }
  Table table(files[0].parent_path().string());
  table.add("fips", std::move(codes));
  for (std::size_t c = 0; c < kCount; ++c) {
    table.add(std::string(kColumns[c]), std::move(columns[c]));
  }
  return table;
}

}  // namespace pegnn
