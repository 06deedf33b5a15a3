// pegnn moran: global and local Moran's I with permutation p-values.

#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include <fmt/core.h>

#include "base/json.h"
#include "base/text.h"
#include "base/thread_pool.h"
#include "cli/columns.h"
#include "cli/output.h"
#include "cli/row_output.h"
#include "cli/session.h"
#include "cli/table_input.h"
#include "pegnn/error.h"
#include "pegnn/stats.h"
#include "table/dataset.h"

namespace pegnn {
namespace {

// What `-o` adds to the table, by the names of PySAL's esda.
constexpr const char* kLocalColumns[] = {"Is", "lag", "p_sim", "q"};

class MoranCommand final : public Command {
 public:
  std::string_view summary() const override {
    return "Global and local Moran's I of a column, with permutation p-values.";
  }
  std::string_view examples() const override {
    return "  pegnn moran houses.csv --value price\n"
           "  pegnn moran houses.csv --value price --k 8 -o local.csv   per row\n"
           "  pegnn moran houses.csv --value price --json\n";
  }
  std::vector<ArgumentGroup> arguments() override {
    ArgumentGroup columns = columns_.coordinates();
    columns.arguments.insert(columns.arguments.begin(), {"--value", "COL", "The quantity to test.",
                                                         &columns_.choice.target, true});
    ArgumentGroup files{
        "Input and output",
        {input_.argument(),
         {"-o,--out", "FILE",
          "The table's rows with the local statistics: Is, lag, p_sim, q (1 HH, 2 LH, 3 LL, 4 "
          "HL): CSV, or by the ending of the name .gpkg, .geojson, .shp, ...; - is standard "
          "output.",
          &out_},
         {"--overwrite", "", "Replace an output file that is already there.", &overwrite_},
         json_.argument("Result as JSON, to FILE.json or standard output.")}};
    for (Argument& argument : format_.arguments()) files.arguments.push_back(std::move(argument));
    return {files,
            columns,
            input_.group(),
            {"Statistic",
             {{"--k", "N", "Neighbours per point. [5]", &k_, false, false, {.lo = 1, .hi = 1024}},
              {"--weights",
               "WORD",
               "row: each neighbour 1/k; binary: each 1. [row]",
               &weights_,
               false,
               false,
               {.words = "row|binary"}},
              {"--permutations",
               "N",
               "Permutations of the test; 0 for none. [999]",
               &permutations_,
               false,
               false,
               {.lo = 0, .hi = 1e6}},
              {"--seed", "N", "Seed of the permutations. [0]", &seed_, false, false, {.lo = 0}}}}};
  }

  void run(Session& session) override {
    RowOutput out(out_, format_, overwrite_);
    json_.open(overwrite_);
    TableInput input(input_, out.needs_text(input_.table));
    input.settle(columns_.choice, session.log());
    const Table table = input.next(kAllRows);
    input.tell_lost(session.log());
    if (out.wanted()) {
      refuse_clash(table);
      out.begin(input, local_columns(), session.log());
    }
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
    if (out.wanted()) {
      const ThreadPool pool(static_cast<int>(session.threads));
      out.append(table, local_columns(table.rows(), data.table_rows, result), pool);
      out.commit(session.log());
    }
    if (out.to_stdout()) return;  // a table and a text would not mix
    json_.emit(text(roles, data, result), as_json(roles, data, result));
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

  // How many rows lie in each quadrant with a local p-value of at most 0.05.
  static std::vector<int> significant(const Moran& m) {
    std::vector<int> count(5, 0);
    for (std::size_t i = 0; i < m.q.size(); ++i) {
      if (m.p[i] <= 0.05) ++count[static_cast<std::size_t>(m.q[i])];
    }
    return count;
  }

  std::string text(const Roles& roles, const Dataset& data, const Moran& m) const {
    std::string page = fmt::format("Moran's I of '{}', {} rows, {} neighbours, {} weights\n\n",
                                   roles.target, format_count(data.rows()), k_, weights_);
    page += fmt::format("  I      {}\n  EI     {}\n", format_short(m.I, 6), format_short(m.EI, 3));
    if (permutations_ > 0) {
      page += fmt::format("  z_sim  {}\n  p_sim  {}  ({} permutations, seed {})\n",
                          format_short(m.z_sim), format_short(m.p_sim, 3), permutations_, seed_);
      const std::vector<int> q = significant(m);
      page += fmt::format(
          "\nLocal Moran's I, rows with p_sim <= 0.05\n"
          "  1 HH   {:>8}  high among high\n  2 LH   {:>8}  low among high\n"
          "  3 LL   {:>8}  low among low\n  4 HL   {:>8}  high among low\n",
          q[1], q[2], q[3], q[4]);
    }
    return page;
  }

  std::string as_json(const Roles& roles, const Dataset& data, const Moran& m) const {
    using nlohmann::ordered_json;
    ordered_json result{{"value", roles.target},
                        {"rows", data.rows()},
                        {"k", k_},
                        {"weights", weights_},
                        {"I", number_or_null(m.I)},
                        {"EI", number_or_null(m.EI)},
                        {"z_sim", number_or_null(m.z_sim)},
                        {"p_sim", number_or_null(m.p_sim)},
                        {"permutations", permutations_},
                        {"seed", seed_}};
    if (permutations_ > 0) {
      const std::vector<int> q = significant(m);
      result["significant"] = {{"HH", q[1]}, {"LH", q[2]}, {"LL", q[3]}, {"HL", q[4]}};
    }
    return result.dump(2) + "\n";
  }

  static std::vector<AddedColumn> local_columns() {
    return {{.name = kLocalColumns[0]},
            {.name = kLocalColumns[1]},
            {.name = kLocalColumns[2], .digits = 6},
            {.name = kLocalColumns[3], .kind = AddedColumn::Kind::integer}};
  }

  // Rows that were left out get nothing.
  static std::vector<AddedColumn> local_columns(std::int64_t rows,
                                                const std::vector<std::int64_t>& used,
                                                const Moran& m) {
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
    fill(columns[3], m.q);
    return columns;
  }

  std::string out_, weights_ = "row";
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
