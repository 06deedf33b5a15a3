// pegnn moran: global and local Moran's I with permutation p-values.

#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include <fmt/core.h>

#include "base/json_writer.h"
#include "base/text.h"
#include "base/thread_pool.h"
#include "cli/columns.h"
#include "cli/output.h"
#include "cli/session.h"
#include "cli/table_arguments.h"
#include "pegnn/error.h"
#include "pegnn/stats.h"
#include "pegnn/version.h"
#include "report/moran_page.h"
#include "report/qml.h"
#include "stats/variogram.h"
#include "table/dataset.h"
#include "table/roles.h"

namespace pegnn {
namespace {

// What `-o` adds to the table, by the names of PySAL's esda where it has one.
constexpr const char* kLocalColumns[] = {"Is", "lag", "p_sim", "p_fdr", "q", "cluster"};

constexpr double kMostPermutations = 1e6;

class MoranCommand final : public Command {
 public:
  std::string_view summary() const override {
    return "Global and local Moran's I of a column, with permutation p-values.";
  }
  std::string_view examples() const override {
    return "  pegnn moran houses.csv --value price\n"
           "  pegnn moran houses.csv --value price --k 8 -o local.csv   per row\n"
           "  pegnn moran houses.gpkg --value price -o clusters.gpkg    a map for QGIS\n"
           "  pegnn moran houses.csv --value price --permutations 9999 --html moran.html\n"
           "  pegnn moran houses.csv --value price --json\n";
  }
  std::vector<ArgumentGroup> arguments() override {
    ArgumentGroup columns = columns_.coordinates();
    columns.arguments.insert(columns.arguments.begin(), {.flags = "--value",
                                                         .value = "COL",
                                                         .sentence = "The quantity to test.",
                                                         .target = &columns_.choice.target,
                                                         .required = true});
    ArgumentGroup files{
        "Input and output",
        {input_.argument(),
         {"-o,--out", "FILE",
          "The table's rows with the local statistics: Is, lag, p_sim, p_fdr, q (1 HH, 2 LH, 3 LL, "
          "4 HL), cluster (HH, LH, LL, HL, ns): CSV, or by the ending of the name .gpkg, .geojson, "
          ".shp, ..., with a style for QGIS beside it; - is standard output.",
          &out_},
         {"--html", "FILE", "A page: map of the clusters, Moran scatter, variogram.", &page_},
         {"--overwrite", "", "Replace an output file that is already there.", &overwrite_},
         json_.argument("Result as JSON, to FILE.json or standard output.")}};
    for (Argument& argument : format_.arguments()) files.arguments.push_back(std::move(argument));
    return {
        files,
        columns,
        input_.group(),
        {"Statistic",
         {{.flags = "--k",
           .value = "N",
           .sentence = "Neighbours per point. [5]",
           .target = &k_,
           .limits = {.lo = 1, .hi = 1024}},
          {.flags = "--weights",
           .value = "WORD",
           .sentence = "row: each neighbour 1/k; binary: each 1. [row]",
           .target = &weights_,
           .limits = {.words = "row|binary"}},
          {.flags = "--permutations",
           .value = "N",
           .sentence = "Permutations of the test; 0 for none. [999]",
           .target = &permutations_,
           .limits = {.lo = 0, .hi = kMostPermutations}},
          {.flags = "--alpha",
           .value = "NUMBER",
           .sentence = "Level of the local tests: up to it a row is in a cluster. [0.05]",
           .target = &alpha_,
           .limits = {.lo = 0, .hi = 1}},
          {.flags = "--fdr",
           .value = "WORD",
           .sentence = "False discoveries among the local tests: bh controls them by Benjamini and "
                       "Hochberg, so that cluster goes by p_fdr; none: by p_sim. [bh]",
           .target = &fdr_,
           .limits = {.words = "bh|none"}},
          {.flags = "--seed",
           .value = "N",
           .sentence = "Seed of the permutations. [0]",
           .target = &seed_,
           .limits = {.lo = 0}}}}};
  }

  void run(Session& session) override {
    RowOutput out(out_, format_.chosen, overwrite_, print);
    std::unique_ptr<Output> page;
    if (!page_.empty()) page = std::make_unique<Output>(page_, overwrite_, print);
    json_.open(overwrite_);
    TableInput input(input_.request, out.needs_text(input_.request.table));
    input.settle(columns_.choice, session.log());
    const Table table = input.next(kAllRows);
    input.warn_of_places(session.log());
    if (out.wanted()) refuse_clash(table);
    ColumnChoice choice = columns_.choice;
    choice.target_option = "--value";
    choice.no_features = true;
    const Roles roles = resolve_roles(table, choice, session.log());
    const Dataset data = make_dataset(
        table, roles, roles.geographic ? Space::sphere : Space::plane,
        columns_.drop_missing ? MissingRows::drop : MissingRows::refuse, session.log());
    if (data.rows() < 3) {
      throw Error(ErrorKind::data,
                  fmt::format("{}: Moran's I needs at least 3 rows, {} can be used", table.source(),
                              data.rows()));
    }
    if (k_ >= data.rows()) {
      session.log().warn(fmt::format("--k {} needs more than {} points; using {}", k_, data.rows(),
                                     data.rows() - 1));
      k_ = data.rows() - 1;
    }
    const Moran result =
        moran(data.points, data.space, data.y, k_,
              {.weights = weights_ == "row" ? MoranWeights::row_standardised : MoranWeights::binary,
               .permutations = static_cast<int>(permutations_),
               .seed = static_cast<std::uint64_t>(seed_)},
              static_cast<int>(session.threads));
    if (std::isnan(result.I)) {
      session.log().warn(fmt::format("'{}' is constant: Moran's I is undefined", roles.target));
    }
    const Lisa lisa = classify(result, permutations_, rule());
    // A table or a page and a text would not mix.
    const bool says = !out.to_stream() && !(page && page->to_stream());
    const std::string said = says ? text(roles, data, result, lisa) : std::string();
    // All is on the disk before anything appears under its name.
    if (out.wanted()) {
      out.begin(input, local_columns(), session.log());
      const ThreadPool pool(static_cast<int>(session.threads));
      out.append(table, local_columns(table.rows(), data.table_rows, result, lisa), pool);
      out.add_style(lisa_qml(kLocalColumns[5]), session.log());
    }
    if (page) {
      page->write(page_of(table, roles, data, result, lisa, session));
      page->settle();
    }
    if (says) json_.settle(as_json(roles, data, result, lisa));
    if (out.wanted()) out.commit(session.log());
    if (page) page->commit();
    if (says) json_.commit(said);
  }

 private:
  void refuse_clash(const Table& table) const {
    for (const char* name : kLocalColumns) {
      if (table.find(name) == nullptr) continue;
      throw Error(ErrorKind::usage,
                  fmt::format("{} has a column '{}' already, which -o would add; rename it",
                              table.source(), name));
    }
  }

  LisaRule rule() const { return {.alpha = alpha_, .control = fdr_ == "bh"}; }

  std::string text(const Roles& roles, const Dataset& data, const Moran& m,
                   const Lisa& lisa) const {
    std::string page = fmt::format("Moran's I of '{}', {} rows, {} neighbours, {} weights\n\n",
                                   roles.target, format_count(data.rows()), k_, weights_);
    page += fmt::format("  I      {}\n  EI     {}\n", format_short(m.I, 6), format_short(m.EI, 3));
    if (permutations_ == 0) return page;
    page += fmt::format("  z_sim  {}\n  p_sim  {}  ({} permutations, seed {})\n",
                        format_short(m.z_sim), format_short(m.p_sim, 3), permutations_, seed_);
    return page + local_text(lisa);
  }

  // Rows by kind, before and after control.
  std::string local_text(const Lisa& lisa) const {
    constexpr const char* kMeaning[] = {"not significant", "high among high", "low among high",
                                        "low among low", "high among low"};
    std::string page =
        fmt::format("\nLocal Moran's I, rows with a p-value of at most {}\n{:9}{:>8}{}\n",
                    format_short(alpha_), "", "p_sim", rule().control ? "     p_fdr" : "");
    for (const int kind : {1, 2, 3, 4, 0}) {
      const auto at = static_cast<std::size_t>(kind);
      const std::string number = kind == 0 ? "" : std::to_string(kind) + " ";
      page += fmt::format("  {:7}{:>8}", number + std::string(cluster_name(kind)), lisa.plain[at]);
      if (rule().control) page += fmt::format("  {:>8}", lisa.kinds[at]);
      page += fmt::format("  {}\n", kMeaning[at]);
    }
    for (const std::string& line : nothing_left(lisa, rule(), permutations_)) page += "\n" + line;
    if (lisa.permutations_needed > 0 &&
        static_cast<double>(lisa.permutations_needed) <= kMostPermutations) {
      page += fmt::format(" (--permutations {})", lisa.permutations_needed);
    }
    return page.ends_with('\n') ? page : page + "\n";
  }

  std::string as_json(const Roles& roles, const Dataset& data, const Moran& m,
                      const Lisa& lisa) const {
    JsonWriter json(2);
    const auto write_counts = [&](const char* name, const LisaCounts& c) {
      json.object(name, [&] {
        for (const int kind : {1, 2, 3, 4, 0}) {
          json.field(cluster_name(kind), c[static_cast<std::size_t>(kind)]);
        }
      });
    };
    json.object([&] {
      json.field("value", roles.target);
      json.field("rows", data.rows());
      json.field("k", k_);
      json.field("weights", weights_);
      json.field("I", m.I);
      json.field("EI", m.EI);
      json.field("z_sim", m.z_sim);
      json.field("p_sim", m.p_sim);
      json.field("permutations", permutations_);
      json.field("seed", seed_);
      if (permutations_ == 0) return;
      json.field("alpha", alpha_);
      json.field("fdr", fdr_);
      write_counts("significant", lisa.plain);
      write_counts("clusters", lisa.kinds);
      if (lisa.permutations_needed > 0) {
        json.field("permutations_needed", lisa.permutations_needed);
      }
    });
    return json.text() + "\n";
  }

  static std::vector<AddedColumn> local_columns() {
    return {{.name = kLocalColumns[0]},
            {.name = kLocalColumns[1]},
            {.name = kLocalColumns[2], .digits = 6},
            {.name = kLocalColumns[3], .digits = 6},
            {.name = kLocalColumns[4], .kind = AddedColumn::Kind::integer},
            {.name = kLocalColumns[5], .kind = AddedColumn::Kind::text}};
  }

  // Rows that were left out get nothing; without permutations nothing was tested.
  std::vector<AddedColumn> local_columns(std::int64_t rows, const std::vector<std::int64_t>& used,
                                         const Moran& m, const Lisa& lisa) const {
    std::vector<AddedColumn> columns = local_columns();
    const auto fill = [&](AddedColumn& column, const auto& values) {
      column.values.assign(static_cast<std::size_t>(rows),
                           std::numeric_limits<double>::quiet_NaN());
      for (std::size_t i = 0; i < used.size(); ++i) {
        column.values[static_cast<std::size_t>(used[i])] = static_cast<double>(values[i]);
      }
    };
    fill(columns[0], m.Is);
    fill(columns[1], m.lag);
    fill(columns[2], m.p);
    fill(columns[3], lisa.p_fdr);
    fill(columns[4], m.q);
    columns[5].texts.resize(static_cast<std::size_t>(rows));
    for (std::size_t i = 0; i < used.size() && permutations_ > 0; ++i) {
      columns[5].texts[static_cast<std::size_t>(used[i])] = cluster_name(lisa.cluster[i]);
    }
    return columns;
  }

  std::string page_of(const Table& table, const Roles& roles, const Dataset& data, const Moran& m,
                      const Lisa& lisa, const Session& session) const {
    const ThreadPool pool(static_cast<int>(session.threads));
    const auto variogram = [&](VariogramForm form) {
      return empirical_variogram(data.points, data.space, data.y,
                                 {.form = form, .seed = static_cast<std::uint64_t>(seed_)}, pool);
    };
    return moran_page(
        {.value = roles.target,
         .source = table.source(),
         .x_name = x_name(roles),
         .y_name = y_name(roles),
         .space = data.space,
         .points = data.points,
         .moran = m,
         .lisa = lisa,
         .rule = rule(),
         .neighbours = k_,
         .permutations = permutations_,
         .usual = variogram(VariogramForm::matheron),
         .robust = variogram(VariogramForm::cressie_hawkins),
         .provenance = {
             {"table", table.source(), fmt::format("{} rows used", format_count(data.rows()))},
             {"coordinates", describe_coordinates(roles),
              fmt::format("{} distances", name_of(data.space))},
             {"neighbours", std::to_string(k_), weights_ + " weights"},
             {"permutations", format_count(permutations_), fmt::format("seed {}", seed_)},
             {"local tests",
              fdr_ == "bh" ? "controlled by Benjamini and Hochberg" : "not controlled",
              fmt::format("level {}", format_short(alpha_))},
             {"version", version(), ""},
             {"command", session.command_line, ""}}});
  }

  std::string out_, page_, weights_ = "row", fdr_ = "bh";
  double alpha_ = 0.05;
  TableArguments input_;
  FormatArguments format_;
  JsonOutput json_;
  bool overwrite_ = false;
  std::int64_t k_ = 5, permutations_ = 999, seed_ = 0;
  ColumnArguments columns_;
};

}  // namespace

extern constinit const CommandEntry moran_command{
    "moran", []() -> std::unique_ptr<Command> { return std::make_unique<MoranCommand>(); }};

}  // namespace pegnn
