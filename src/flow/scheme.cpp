#include "flow/scheme.h"

#include <cmath>

#include <fmt/core.h>

#include "base/text.h"
#include "flow/table_input.h"
#include "pegnn/error.h"
#include "table/split.h"

namespace pegnn {
namespace {

[[noreturn]] void refuse(const std::string& what) { throw Error(ErrorKind::usage, what); }

// Places in the CRS of the table. Those without coordinates are left out.
std::vector<Point> read_places(const std::string& file, const Roles& roles, Log& log) {
  TableInput input({.table = file}, false);
  const ColumnChoice choice = input.settle_for(roles, {}, log);
  const Table table = input.next(kAllRows);
  input.warn_of_places(log);
  const std::optional<CoordinateColumns> found = find_coordinates(table, choice);
  if (!found) refuse(fmt::format("<option:places> {}: no coordinates found", file));
  std::vector<Point> places;
  const Column &x = *table.find(found->x), &y = *table.find(found->y);
  for (const Column* column : {&x, &y}) {
    if (column->numeric()) continue;
    throw Error(ErrorKind::data,
                fmt::format("{}, {}, column '{}': '{}' is not a number", table.source(),
                            table.where(column->first_text_row), column->name, column->first_text));
  }
  for (std::size_t row = 0; row < x.values.size(); ++row) {
    const Point place{x.values[row], y.values[row]};
    if (!std::isfinite(place.x) || !std::isfinite(place.y)) continue;
    if (roles.geographic && (std::abs(place.x) > 360 || std::abs(place.y) > 90)) {
      throw Error(ErrorKind::data,
                  fmt::format("{}, {}: longitude {}, latitude {} is no place", table.source(),
                              table.where(static_cast<std::int64_t>(row)), format_number(place.x),
                              format_number(place.y)));
    }
    places.push_back(place);
  }
  if (places.empty()) {
    throw Error(ErrorKind::data, fmt::format("{} holds no places", table.source()));
  }
  return places;
}

// Options that say which scheme there is, each of which excludes the others.
void settle_kind(const SchemeRequest& request, const WasGiven& was_given) {
  const std::string& scheme = request.settings.scheme;
  const auto leave_out = [&](const char* saying, std::initializer_list<const char*> names) {
    for (const char* name : names) {
      if (!was_given(name)) continue;
      refuse(fmt::format("{} says which rows are held out; leave out {}", option(saying),
                         option(name)));
    }
  };
  if (!request.test_rows.empty()) {
    leave_out("test-rows", {"scheme", "folds", "test-share", "block-km", "block-size",
                            "fold-column", "places", "split-seed"});
  }
  if (!request.settings.fold_column.empty()) {
    leave_out("fold-column", {"scheme", "block-km", "block-size", "places"});
  }
  for (const char* name : {"block-km", "block-size"}) {
    if (was_given(name) && scheme != "block") {
      refuse(fmt::format("{} goes with <option:scheme> block", option(name)));
    }
  }
  if (was_given("places") && scheme != "knndm") {
    refuse("<option:places> goes with <option:scheme> knndm");
  }
  if (scheme == "knndm") {
    for (const char* name : {"test-share", "buffer-km", "buffer-size"}) {
      if (!was_given(name)) continue;
      refuse(
          fmt::format("<option:scheme> knndm matches how far the rows held out in all folds lie "
                      "from the others; leave out {}",
                      option(name)));
    }
  }
}

}  // namespace

void settle_scheme(SchemeRequest& request, const WasGiven& was_given) {
  settle_kind(request, was_given);
  if (!request.settings.fold_column.empty() && !was_given("folds")) {
    request.settings.folds = kFoldPerValue;
  }
  if (!was_given("test-share")) return;
  if (was_given("folds") && request.settings.folds > 1) {
    refuse("<option:test-share> holds out rows once, <option:folds> in turn; give one of them");
  }
  request.settings.folds = 1;
}

void prepare_for_scheme(const SchemeRequest& request, TableRequest& table, ColumnChoice& choice) {
  if (request.settings.fold_column.empty()) return;
  choice.fold = request.settings.fold_column;
  table.words = {request.settings.fold_column};
}

EvaluateSettings evaluate_settings(const SchemeRequest& request, const Table& table,
                                   const Roles& roles, bool drop_missing, Log& log) {
  EvaluateSettings settings = request.settings;
  settings.drop_missing = drop_missing;
  settings.block_size = length_of(request.block, roles, "block");
  settings.buffer = length_of(request.buffer, roles, "buffer");
  if (!request.test_rows.empty()) {
    settings.test_rows = read_row_numbers(request.test_rows, table.rows());
  }
  if (!request.places.empty()) settings.places = read_places(request.places, roles, log);
  return settings;
}

}  // namespace pegnn
