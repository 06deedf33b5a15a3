#include "table/dataset.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include <fmt/core.h>

#include "base/array.h"
#include "base/assert.h"
#include "base/text.h"
#include "pegnn/error.h"
#include "pegnn/log.h"
#include "table/row_weights.h"
#include "table/usable_rows.h"

namespace pegnn {
namespace {

std::uint64_t hash(Point point) {
  // The finaliser of SplitMix64 over both coordinates; + 0.0 makes one zero of the two.
  std::uint64_t h = std::bit_cast<std::uint64_t>(point.x + 0.0) * 0x9E3779B97F4A7C15U;
  h ^= std::bit_cast<std::uint64_t>(point.y + 0.0) + (h >> 32);
  h = (h ^ (h >> 30)) * 0xBF58476D1CE4E5B9U;
  h = (h ^ (h >> 27)) * 0x94D049BB133111EBU;
  return h ^ (h >> 31);
}

// How many different places there are. A table of open addresses rather than a sort: it runs at
// each start, and on 10 million rows a sort would take longer than reading them.
std::int64_t count_places(Span<const Point> points) {
  const std::size_t size = std::bit_ceil(as_size(points.size()) * 2);
  Array<std::int32_t> slots(size, -1);
  std::int64_t places = 0;
  for (std::int64_t i = 0; i < std::ssize(points); ++i) {
    std::size_t slot = hash(points[i]) & (size - 1);
    while (slots[slot] >= 0 && points[slots[slot]] != points[i]) {
      slot = (slot + 1) & (size - 1);
    }
    if (slots[slot] >= 0) continue;
    slots[slot] = static_cast<std::int32_t>(i);
    ++places;
  }
  return places;
}

// Points, features, target and weights of the rows in `data.table_rows`.
void fill_values(const Table& table, const Roles& roles, Dataset& data) {
  const std::int64_t rows = data.table_rows.size(), features = std::ssize(roles.features);
  const auto values_of = [&](const std::string& name) {
    return column_of(table, name).values.data();
  };
  data.feature_names = roles.features;
  data.points.resize(rows);
  data.x.resize(rows * features);
  const double* const x = values_of(roles.x);
  const double* const y = values_of(roles.y);
  for (std::int64_t i = 0; i < rows; ++i) {
    const std::int64_t row = data.table_rows[i];
    data.points[i] = {x[row], y[row]};
  }
  Array<const double*> columns;
  for (const std::string& name : roles.features) columns.push_back(values_of(name));
  // A few rows at a time, so that their features stay in the cache until all columns are in.
  constexpr std::int64_t kRows = 64;
  for (std::int64_t begin = 0; begin < rows; begin += kRows) {
    const std::int64_t end = std::min(rows, begin + kRows);
    for (std::int64_t f = 0; f < features; ++f) {
      for (std::int64_t i = begin; i < end; ++i) {
        data.x[i * features + f] = columns[f][data.table_rows[i]];
      }
    }
  }
  const auto take = [&](const std::string& name, Array<double>& values) {
    if (name.empty()) return;
    values.resize(rows);
    const double* const column = values_of(name);
    for (std::int64_t i = 0; i < rows; ++i) values[i] = column[data.table_rows[i]];
  };
  take(roles.target, data.y);
  take(roles.weight, data.weight);
}

}  // namespace

Dataset make_dataset(const Table& table, const Roles& roles, Space space, MissingRows missing,
                     Log& log) {
  if (table.rows() > std::numeric_limits<std::int32_t>::max()) {
    throw Error(ErrorKind::data, table.source() + ": more than 2,147,483,647 rows");
  }
  DatasetPieces pieces(roles, space, missing, log);
  Dataset data = pieces.take(table);
  pieces.finish(table.source());
  bring_to_mean_one(data.weight);
  if (!log.wants_detail()) return data;
  const std::int64_t places = count_places(data.points);
  log.detail(fmt::format("{} rows at {} places; {} rows repeat an earlier place",
                         format_count(data.rows()), format_count(places),
                         format_count(data.rows() - places)));
  return data;
}

DatasetPieces::DatasetPieces(Roles roles, Space space, MissingRows missing, Log& log)
    : roles_(std::move(roles)), space_(space), missing_(missing), log_(log) {}

Dataset DatasetPieces::take(const Table& piece) {
  if (!begun_) check_roles(piece.source(), roles_, space_, log_);
  begun_ = true;
  Dataset data;
  data.space = space_;
  data.feature_names = roles_.features;
  data.table_rows = usable_rows(piece, roles_, met_);
  if (refused()) {
    data.table_rows.clear();
    return data;
  }
  check_coordinates(piece, roles_, data.table_rows);
  fill_values(piece, roles_, data);
  if (roles_.geographic) wrap_longitudes(data.points, met_);
  return data;
}

void DatasetPieces::finish(const std::string& source) const {
  judge_weightless(met_, roles_, source, log_);
  judge_missing(met_, source, missing_, log_);
  note_wrapped(met_, log_);
}

Array<double> weights_of(const Dataset& data, Span<const std::int64_t> rows) {
  if (data.weight.empty()) return {};
  Array<double> weights = gather(data.weight, rows);
  bring_to_mean_one(weights);
  return weights;
}

Dataset subset(const Dataset& data, Span<const std::int64_t> rows) {
  Dataset part;
  part.space = data.space;
  part.feature_names = data.feature_names;
  part.x.reserve(rows.size() * data.features());
  for (const std::int64_t row : rows) {
    PEGNN_ASSERT(row >= 0 && row < data.rows(), "a subset takes rows of its data set");
    const double* const features = data.x.data() + row * data.features();
    part.x.insert(part.x.end(), features, features + data.features());
  }
  part.points = gather(data.points, rows);
  part.table_rows = gather(data.table_rows, rows);
  if (!data.y.empty()) part.y = gather(data.y, rows);
  part.weight = weights_of(data, rows);
  return part;
}

}  // namespace pegnn
