// pegnn evaluate: train on some rows, score on the others.

#include <memory>

#include "cli/columns.h"
#include "cli/output.h"
#include "cli/results.h"
#include "cli/scheme.h"
#include "cli/session.h"
#include "cli/table_input.h"
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
           "  pegnn evaluate houses.csv --target price --test-rows rows.txt --json\n";
  }
  bool takes_model_options() const override { return true; }
  std::vector<ArgumentGroup> arguments() override {
    return {{"Input and output",
             {input_.argument(),
              json_.argument("Result as JSON, to FILE.json or standard output."),
              {"--overwrite", "", "Replace a JSON file that is already there.", &overwrite_}}},
            scheme_.group(),
            columns_.with_target(),
            input_.group()};
  }

  void run(Session& session) override {
    scheme_.check(session);
    const Options options = session.options();
    json_.open(overwrite_);
    const Table table = read_input(input_, columns_.choice, session.log());
    const Roles roles = resolve_roles(table, columns_.choice, session.log());
    const Evaluation result =
        evaluate(table, roles, options, scheme_.settings(table, roles, columns_.drop_missing),
                 session.run_settings());
    json_.emit(evaluation_table({result}), evaluation_json({result}));
  }

 private:
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
