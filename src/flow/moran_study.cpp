#include "flow/moran_study.h"

#include <cmath>
#include <limits>
#include <utility>

#include <fmt/core.h>

#include "base/json_writer.h"
#include "base/text.h"
#include "base/thread_pool.h"
#include "geo/length.h"
#include "pegnn/error.h"
#include "pegnn/log.h"
#include "pegnn/version.h"
#include "report/moran_page.h"
#include "report/qml.h"
#include "stats/variogram.h"
#include "table/roles.h"

namespace pegnn {
namespace {

constexpr const char* kClusterColumn = "cluster";

Roles study_roles(const Table& table, ColumnChoice choice, Log& log) {
  choice.no_features = true;
  return resolve_roles(table, choice, log);
}

}  // namespace

std::vector<AddedColumn> local_moran_columns() {
  return {{.name = "Is"},
          {.name = "lag"},
          {.name = "p_sim", .digits = 6},
          {.name = "p_fdr", .digits = 6},
          {.name = "q", .kind = AddedColumn::Kind::integer},
          {.name = kClusterColumn, .kind = AddedColumn::Kind::text}};
}

MoranStudy::MoranStudy(const Table& table, ColumnChoice choice, const MoranRequest& request,
                       int threads, Log& log)
    : table_(table),
      request_(request),
      threads_(threads),
      roles_(study_roles(table, std::move(choice), log)),
      data_(make_dataset(table, roles_, roles_.geographic ? Space::sphere : Space::plane,
                         request.drop_missing ? MissingRows::drop : MissingRows::refuse, log)) {
  if (data_.rows() < 3) {
    throw Error(ErrorKind::data, fmt::format("{}: Moran's I needs at least 3 rows, {} can be used",
                                             table.source(), data_.rows()));
  }
  if (request_.k >= data_.rows()) {
    log.warn(fmt::format("{} {} needs more than {} points; using {}", log.option("k"), request_.k,
                         data_.rows(), data_.rows() - 1));
    request_.k = data_.rows() - 1;
  }
  moran_ = moran(
      data_.points, data_.space, data_.y, request_.k,
      {.weights = request_.weights == "row" ? MoranWeights::row_standardised : MoranWeights::binary,
       .permutations = static_cast<int>(request_.permutations),
       .seed = static_cast<std::uint64_t>(request_.seed)},
      threads);
  if (std::isnan(moran_.I)) {
    log.warn(fmt::format("'{}' is constant: Moran's I is undefined", roles_.target));
  }
  lisa_ = classify(moran_, request_.permutations, rule());
}

std::string MoranStudy::text(OptionStyle style) const {
  std::string page =
      fmt::format("Moran's I of '{}', {} rows, {} neighbours, {} weights\n\n", roles_.target,
                  format_count(data_.rows()), request_.k, request_.weights);
  page += fmt::format("  I      {}\n  EI     {}\n", format_short(moran_.I, 6),
                      format_short(moran_.EI, 3));
  if (request_.permutations == 0) return page;
  page += fmt::format("  z_sim  {}\n  p_sim  {}  ({} permutations, seed {})\n",
                      format_short(moran_.z_sim), format_short(moran_.p_sim, 3),
                      request_.permutations, request_.seed);
  return page + local_text(style);
}

// Rows by kind, before and after control.
std::string MoranStudy::local_text(OptionStyle style) const {
  constexpr const char* kMeaning[] = {"not significant", "high among high", "low among high",
                                      "low among low", "high among low"};
  std::string page =
      fmt::format("\nLocal Moran's I, rows with a p-value of at most {}\n{:9}{:>8}{}\n",
                  format_short(request_.alpha), "", "p_sim", rule().control ? "     p_fdr" : "");
  for (const int kind : {1, 2, 3, 4, 0}) {
    const auto at = static_cast<std::size_t>(kind);
    const std::string number = kind == 0 ? "" : std::to_string(kind) + " ";
    page += fmt::format("  {:7}{:>8}", number + std::string(cluster_name(kind)), lisa_.plain[at]);
    if (rule().control) page += fmt::format("  {:>8}", lisa_.kinds[at]);
    page += fmt::format("  {}\n", kMeaning[at]);
  }
  for (const std::string& line : nothing_left(lisa_, rule(), request_.permutations)) {
    page += "\n" + line;
  }
  if (lisa_.permutations_needed > 0 &&
      static_cast<double>(lisa_.permutations_needed) <= kMostPermutations) {
    page += fmt::format(" ({} {})", option_name("permutations", style), lisa_.permutations_needed);
  }
  return page.ends_with('\n') ? page : page + "\n";
}

std::string MoranStudy::json() const {
  JsonWriter json(2);
  const auto write_counts = [&](const char* name, const LisaCounts& c) {
    json.object(name, [&] {
      for (const int kind : {1, 2, 3, 4, 0}) {
        json.field(cluster_name(kind), c[static_cast<std::size_t>(kind)]);
      }
    });
  };
  json.object([&] {
    json.field("value", roles_.target);
    json.field("rows", data_.rows());
    json.field("k", request_.k);
    json.field("weights", request_.weights);
    json.field("I", moran_.I);
    json.field("EI", moran_.EI);
    json.field("z_sim", moran_.z_sim);
    json.field("p_sim", moran_.p_sim);
    json.field("permutations", request_.permutations);
    json.field("seed", request_.seed);
    if (request_.permutations == 0) return;
    json.field("alpha", request_.alpha);
    json.field("fdr", request_.fdr);
    write_counts("significant", lisa_.plain);
    write_counts("clusters", lisa_.kinds);
    if (lisa_.permutations_needed > 0) {
      json.field("permutations_needed", lisa_.permutations_needed);
    }
  });
  return json.text() + "\n";
}

std::vector<AddedColumn> MoranStudy::columns() const {
  std::vector<AddedColumn> columns = local_moran_columns();
  const auto rows = static_cast<std::size_t>(table_.rows());
  const auto row_of = [&](std::size_t i) { return static_cast<std::size_t>(data_.table_rows[i]); };
  const auto fill = [&](AddedColumn& column, const auto& values) {
    column.values.assign(rows, std::numeric_limits<double>::quiet_NaN());
    for (std::size_t i = 0; i < values.size(); ++i) {
      column.values[row_of(i)] = static_cast<double>(values[i]);
    }
  };
  fill(columns[0], moran_.Is);
  fill(columns[1], moran_.lag);
  fill(columns[2], moran_.p);
  fill(columns[3], lisa_.p_fdr);
  fill(columns[4], moran_.q);
  columns[5].texts.resize(rows);
  if (request_.permutations == 0) return columns;
  for (std::size_t i = 0; i < lisa_.cluster.size(); ++i) {
    columns[5].texts[row_of(i)] = cluster_name(lisa_.cluster[i]);
  }
  return columns;
}

std::string MoranStudy::style() const { return lisa_qml(kClusterColumn); }

std::string MoranStudy::page(const std::string& command) const {
  const ThreadPool pool(threads_);
  const auto variogram = [&](VariogramForm form) {
    return empirical_variogram(data_.points, data_.space, data_.y,
                               {.form = form, .seed = static_cast<std::uint64_t>(request_.seed)},
                               pool);
  };
  return moran_page(
      {.value = roles_.target,
       .source = table_.source(),
       .x_name = x_name(roles_),
       .y_name = y_name(roles_),
       .space = data_.space,
       .metres_per_unit = metres_per_unit(data_.space, roles_.crs),
       .points = data_.points,
       .moran = moran_,
       .lisa = lisa_,
       .rule = rule(),
       .neighbours = request_.k,
       .permutations = request_.permutations,
       .usual = variogram(VariogramForm::matheron),
       .robust = variogram(VariogramForm::cressie_hawkins),
       .provenance = {
           {"table", table_.source(), fmt::format("{} rows used", format_count(data_.rows()))},
           {"coordinates", describe_coordinates(roles_),
            fmt::format("{} distances", name_of(data_.space))},
           {"neighbours", std::to_string(request_.k), request_.weights + " weights"},
           {"permutations", format_count(request_.permutations),
            fmt::format("seed {}", request_.seed)},
           {"local tests",
            request_.fdr == "bh" ? "controlled by Benjamini and Hochberg" : "not controlled",
            fmt::format("level {}", format_short(request_.alpha))},
           {"version", version(), ""},
           {"command", command, ""}}});
}

}  // namespace pegnn
