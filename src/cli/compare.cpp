// pegnn compare: a league of models on the same folds.

#include <memory>

#include <unistd.h>

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

class Compare final : public Command {
 public:
  std::string_view summary() const override {
    return "League table: every baseline and network on the same folds.";
  }
  std::string_view examples() const override {
    return "  pegnn compare houses.csv --target price\n"
           "  pegnn compare houses.csv --target price --models default,kriging,boosting --html "
           "league.html\n"
           "  pegnn compare houses.csv --target price --scheme block --repeats 3 --json\n";
  }
  bool takes_model_options() const override { return true; }
  std::vector<ArgumentGroup> arguments() override {
    return {{"Input and output",
             {input_.argument(),
              {"--models", "A,B,...",
               "Models to compare: the words of --model, and default, paper and reference for "
               "presets with their own network; all for every one there is. [all baselines, gcn, "
               "the graph networks with encoder, default]",
               &models_},
              json_.argument("Result as JSON, to FILE.json or standard output."),
              {"--html", "FILE", "A page with bars, residual maps and the table.", &html_},
              {"--overwrite", "", "Replace files that are already there.", &overwrite_}}},
            scheme_.group(),
            columns_.with_target(),
            input_.group()};
  }

  void run(Session& session) override {
    scheme_.check(session);
    prepare_for_scheme(scheme_.request, input_.request, columns_.choice);
    if (session.was_given("--model")) {
      throw Error(ErrorKind::usage, "--model: compare takes several of them, by --models A,B,...");
    }
    const LeagueEntries chosen = league_entries(models_, session.request(), session.log());
    json_.open(overwrite_);
    if (!html_.empty()) page_ = std::make_unique<Output>(html_, overwrite_, print);
    const Table table = read_input(input_.request, columns_.choice, session.log());
    const Roles roles = resolve_roles(table, columns_.choice, session.log());
    RunSettings run = session.run_settings();
    // A line for every fold says enough where lines do not move.
    if (!session.verbose && ::isatty(STDERR_FILENO) == 0) run.progress = {};
    Comparison result = compare(
        table, roles, chosen.entries,
        evaluate_settings(scheme_.request, table, roles, columns_.drop_missing, session.log()),
        run);
    result.rows.insert(result.rows.end(), chosen.refused.begin(), chosen.refused.end());
    if (page_) {
      page_->write(comparison_page(result, table.source(), roles, session.command_line));
      page_->settle();
    }
    const std::string said = comparison_table(result);
    json_.settle(comparison_json(result, session.command_line));
    if (page_) page_->commit();
    json_.commit(said);
    if (result.interrupted) {
      throw Error(ErrorKind::interrupted, "interrupted; the table holds the models that were done");
    }
  }

 private:
  std::string html_;
  TableArguments input_;
  std::vector<std::string> models_;
  bool overwrite_ = false;
  JsonOutput json_;
  std::unique_ptr<Output> page_;
  SchemeArguments scheme_;
  ColumnArguments columns_;
};

}  // namespace

extern constinit const CommandEntry compare_command{
    "compare", []() -> std::unique_ptr<Command> { return std::make_unique<Compare>(); }};

}  // namespace pegnn
