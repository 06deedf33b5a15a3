// pegnn evaluate: train on some rows, score on the others.

#include <memory>
#include <utility>

#include <fmt/core.h>

#include "base/thread_pool.h"
#include "cli/columns.h"
#include "cli/output.h"
#include "cli/scheme.h"
#include "cli/session.h"
#include "cli/table_arguments.h"
#include "flow/results.h"
#include "pegnn/error.h"
#include "pegnn/evaluate.h"

namespace pegnn {
namespace {

class Evaluate final : public Command {
 public:
  std::string_view summary() const override {
    return "Measure how well a model predicts rows it has not seen.";
  }
  std::string_view examples() const override {
    return "  pegnn evaluate houses.csv --target price\n"
           "  pegnn evaluate houses.csv --target price --scheme block --block-km 50\n"
           "  pegnn evaluate houses.csv --target price --test-share 0.2 --repeats 5\n"
           "  pegnn evaluate houses.csv --target price --fold-column year\n"
           "  pegnn evaluate houses.csv --target price --scheme knndm --places grid.csv\n"
           "  pegnn evaluate houses.csv --target price --predictions held_out.gpkg\n"
           "  pegnn evaluate houses.csv --target price --test-rows rows.txt --json\n";
  }
  bool takes_model_options() const override { return true; }
  std::vector<ArgumentGroup> arguments() override {
    ArgumentGroup files{
        "Input and output",
        {input_.argument(),
         json_.argument("Result as JSON, to FILE.json or standard output."),
         {"--predictions", "FILE",
          "The table's rows with what was predicted while they were held out: fold, pred, "
          "residual; "
          "CSV, or by the ending of the name .gpkg, .geojson, ...",
          &predictions_},
         {"--overwrite", "", "Replace files that are already there.", &overwrite_}}};
    for (Argument& argument : format_.arguments()) files.arguments.push_back(std::move(argument));
    return {files, scheme_.group(), columns_.with_target(), input_.group()};
  }

  void run(Session& session) override {
    scheme_.check(session);
    prepare_for_scheme(scheme_.request, input_.request, columns_.choice);
    const Options options = session.options();
    json_.open(overwrite_);
    if (predictions_ == "-" && json_.wanted()) {
      throw Error(ErrorKind::usage, "--predictions - and --json do not go together; name a file");
    }
    RowOutput out(predictions_, format_.chosen, overwrite_, print);
    TableInput input(input_.request, out.needs_text(input_.request.table));
    input.settle(columns_.choice, session.log());
    const Table table = input.next(kAllRows);
    input.warn_of_places(session.log());
    if (out.wanted()) {
      refuse_clash(table);
      out.begin(input, held_out_columns(), session.log());
    }
    const Roles roles = resolve_roles(table, columns_.choice, session.log());
    const Evaluation result = evaluate(
        table, roles, options,
        evaluate_settings(scheme_.request, table, roles, columns_.drop_missing, session.log()),
        session.run_settings());
    const bool says = !out.to_stream();  // a table and a text would not mix
    const std::string said = says ? evaluation_table({result}) : std::string();
    // All is on the disk before anything appears under its name.
    if (says) json_.settle(evaluation_json({result}));
    if (out.wanted()) {
      const ThreadPool pool(static_cast<int>(session.threads));
      out.append(table, held_out_columns(result, table, roles.target), pool);
      out.commit(session.log());
    }
    if (says) json_.commit(said);
  }

 private:
  static void refuse_clash(const Table& table) {
    for (const AddedColumn& column : held_out_columns()) {
      if (table.find(column.name) == nullptr) continue;
      throw Error(ErrorKind::usage,
                  fmt::format("{} has a column '{}' already, which --predictions would add; rename "
                              "it",
                              table.source(), column.name));
    }
  }

  std::string predictions_;
  FormatArguments format_;
  TableArguments input_;
  bool overwrite_ = false;
  JsonOutput json_;
  SchemeArguments scheme_;
  ColumnArguments columns_;
};

}  // namespace

extern constinit const CommandEntry evaluate_command{
    "evaluate", []() -> std::unique_ptr<Command> { return std::make_unique<Evaluate>(); }};

}  // namespace pegnn
