// pegnn evaluate: train on some rows, score on the others.

#include <memory>

#include <fmt/core.h>

#include "cli/columns.h"
#include "cli/input.h"
#include "cli/output.h"
#include "cli/results.h"
#include "cli/session.h"
#include "pegnn/error.h"
#include "pegnn/evaluate.h"
#include "table/split.h"

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
           "  pegnn evaluate houses.csv --target price --test-rows rows.txt --json\n";
  }
  bool takes_model_options() const override { return true; }
  std::vector<ArgumentGroup> arguments() override {
    const Limits share{.lo = 0.001, .hi = 0.999};
    return {{"Input and output",
             {{"TABLE", "", kTableSentence, &table_, true},
              json_.argument("Result as JSON, to FILE.json or standard output."),
              {"--overwrite", "", "Replace a JSON file that is already there.", &overwrite_}}},
            {"Scheme",
             {{"--scheme",
               "WORD",
               "random: any row may be held out; block: whole spatial blocks are, which tells how "
               "the model does away from its data. [random]",
               &settings_.scheme,
               false,
               false,
               {.words = "random|block"}},
              {"--folds",
               "N",
               "Parts held out in turn; 1 holds out --test-share once. [5]",
               &settings_.folds,
               false,
               false,
               {.lo = 1}},
              {"--test-share", "X", "Hold out this share once, instead of folds. [0.2]",
               &settings_.test_share, false, false, share},
              {"--block-km",
               "X",
               "Size of a block in km, for x/y in their unit. [from the extent]",
               &block_km_,
               false,
               false,
               {.lo = 1e-6, .hi = 1e12}},
              {"--test-rows", "FILE", "Hold out these rows: 0-based numbers, one per line.",
               &test_rows_}}},
            columns_.with_target()};
  }

  void run(Session& session) override {
    check_scheme(session);
    const Options options = session.options();
    json_.open(overwrite_);
    const Table table = input_table(table_);
    const Roles roles = resolve_roles(table, columns_.choice, session.log());
    settings_.drop_missing = columns_.drop_missing;
    settings_.block_size = roles.geographic ? block_km_ * 1000 : block_km_;
    if (!test_rows_.empty()) settings_.test_rows = read_row_numbers(test_rows_, table.rows());
    const Evaluation result = evaluate(table, roles, options, settings_, session.run_settings());
    json_.emit(evaluation_table({result}), evaluation_json({result}));
  }

 private:
  // Arguments that would be ignored are a misunderstanding.
  void check_scheme(const Session& session) {
    const auto refuse = [](const std::string& what) { throw Error(ErrorKind::usage, what); };
    if (!test_rows_.empty()) {
      for (const char* flag : {"--scheme", "--folds", "--test-share", "--block-km"}) {
        if (session.was_given(flag)) {
          refuse(fmt::format("--test-rows says which rows are held out; leave out {}", flag));
        }
      }
    }
    if (session.was_given("--block-km") && settings_.scheme != "block") {
      refuse("--block-km goes with --scheme block");
    }
    if (!session.was_given("--test-share")) return;
    if (session.was_given("--folds") && settings_.folds > 1) {
      refuse("--test-share holds out rows once, --folds in turn; give one of them");
    }
    settings_.folds = 1;
  }

  std::string table_, test_rows_;
  bool overwrite_ = false;
  double block_km_ = 0;
  JsonOutput json_;
  EvaluateSettings settings_;
  ColumnArguments columns_;
};

}  // namespace

extern constinit const CommandEntry evaluate_command{
    "evaluate", []() -> std::unique_ptr<Command> { return std::make_unique<Evaluate>(); }};

}  // namespace pegnn
