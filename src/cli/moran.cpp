// pegnn moran: global and local Moran's I with permutation p-values.

#include <memory>
#include <utility>

#include <fmt/core.h>

#include "base/thread_pool.h"
#include "cli/columns.h"
#include "cli/output.h"
#include "cli/session.h"
#include "cli/table_arguments.h"
#include "flow/moran_study.h"
#include "pegnn/error.h"

namespace pegnn {
namespace {

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
           .target = &request_.k,
           .limits = {.lo = 1, .hi = 1024}},
          {.flags = "--weights",
           .value = "WORD",
           .sentence = "row: each neighbour 1/k; binary: each 1. [row]",
           .target = &request_.weights,
           .limits = {.words = "row|binary"}},
          {.flags = "--permutations",
           .value = "N",
           .sentence = "Permutations of the test; 0 for none. [999]",
           .target = &request_.permutations,
           .limits = {.lo = 0, .hi = kMostPermutations}},
          {.flags = "--alpha",
           .value = "NUMBER",
           .sentence = "Level of the local tests: up to it a row is in a cluster. [0.05]",
           .target = &request_.alpha,
           .limits = {.lo = 0, .hi = 1}},
          {.flags = "--fdr",
           .value = "WORD",
           .sentence = "False discoveries among the local tests: bh controls them by Benjamini and "
                       "Hochberg, so that cluster goes by p_fdr; none: by p_sim. [bh]",
           .target = &request_.fdr,
           .limits = {.words = "bh|none"}},
          {.flags = "--seed",
           .value = "N",
           .sentence = "Seed of the permutations. [0]",
           .target = &request_.seed,
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
    choice.target_option = "value";
    request_.drop_missing = columns_.drop_missing;
    const auto threads = static_cast<int>(session.threads);
    const MoranStudy study(table, choice, request_, threads, session.log());
    // A table or a page and a text would not mix.
    const bool says = !out.to_stream() && !(page && page->to_stream());
    const std::string said = says ? study.text(OptionStyle::command) : std::string();
    // All is on the disk before anything appears under its name.
    if (out.wanted()) {
      out.begin(input, local_moran_columns(), session.log());
      out.append(table, study.columns(), ThreadPool(threads));
      out.add_style(study.style(), session.log());
    }
    if (page) {
      page->write(study.page(session.command_line));
      page->settle();
    }
    if (says) json_.settle(study.json());
    if (out.wanted()) out.commit(session.log());
    if (page) page->commit();
    if (says) json_.commit(said);
  }

 private:
  static void refuse_clash(const Table& table) {
    for (const AddedColumn& column : local_moran_columns()) {
      if (table.find(column.name) == nullptr) continue;
      throw Error(ErrorKind::usage,
                  fmt::format("{} has a column '{}' already, which -o would add; rename it",
                              table.source(), column.name));
    }
  }

  std::string out_, page_;
  TableArguments input_;
  FormatArguments format_;
  JsonOutput json_;
  bool overwrite_ = false;
  MoranRequest request_;
  ColumnArguments columns_;
};

}  // namespace

extern constinit const CommandEntry moran_command{
    "moran", []() -> std::unique_ptr<Command> { return std::make_unique<MoranCommand>(); }};

}  // namespace pegnn
