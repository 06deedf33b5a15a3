// pegnn compare: a league of models on the same folds.

#include <algorithm>
#include <exception>
#include <memory>

#include <unistd.h>

#include <fmt/core.h>

#include "backbone/backbone.h"
#include "base/text.h"
#include "baseline/baseline.h"
#include "cli/columns.h"
#include "cli/output.h"
#include "cli/results.h"
#include "cli/scheme.h"
#include "cli/session.h"
#include "cli/table_input.h"
#include "model/preset.h"
#include "pegnn/error.h"
#include "pegnn/evaluate.h"
#include "report/league_page.h"

namespace pegnn {
namespace {

using Names = std::vector<std::string>;

bool holds(const Names& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Baselines that this build can run, in the order of their list.
Names runnable_baselines(Log& log) {
  Names names;
  for (const BaselineEntry* entry : baselines()) {
    if (entry->available == nullptr || entry->available()) {
      names.emplace_back(entry->info.name);
    } else {
      log.note(
          fmt::format("{} is left out: this build lacks the library it needs", entry->info.name));
    }
  }
  return names;
}

// Without --models: every baseline, a plain graph network, every graph network with an encoder, and
// what we recommend. `mlp` has no graph and the published presets train twice as long: they come
// with `all`.
Names usual_models(Log& log) {
  Names names = runnable_baselines(log);
  names.emplace_back("gcn");
  for (const std::string& backbone : part_names(backbones())) {
    if (backbone != "mlp") names.push_back("pe-" + backbone);
  }
  names.emplace_back("default");
  return names;
}

Names all_models(Log& log) {
  Names names = runnable_baselines(log);
  for (const std::string& backbone : part_names(backbones())) {
    names.push_back(backbone);
    names.push_back("pe-" + backbone);
  }
  for (const std::string& preset : part_names(presets())) names.push_back(preset);
  return names;
}

Names known_models() {
  Names names = part_names(baselines());
  for (const std::string& backbone : part_names(backbones())) {
    names.push_back(backbone);
    names.push_back("pe-" + backbone);
  }
  for (const std::string& preset : part_names(presets())) names.push_back(preset);
  names.emplace_back("network");
  names.emplace_back("all");
  return names;
}

// The options that `--model NAME` or, for a preset's name, `--preset NAME` would give beside what
// else the user said. What a model has no use for is not held against it here.
CompareEntry entry_of(const std::string& name, const Session& given) {
  Session session = given;
  const auto leave_out = [&](const std::string& option) {
    std::erase(session.flags, "--" + option);
    std::erase_if(session.given, [&](const auto& pair) { return pair.first == option; });
  };
  if (holds(part_names(presets()), name)) {
    session.preset = name;
  } else {
    if (name != "network") leave_out("backbone");
    if (name != "network" && !name.starts_with("pe-")) leave_out("encoder");
    session.given.emplace_back("model", name);
  }
  return {name, session.options()};
}

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
    if (session.was_given("--model")) {
      throw Error(ErrorKind::usage, "--model: compare takes several of them, by --models A,B,...");
    }
    const Chosen chosen = choose(session);
    json_.open(overwrite_);
    if (!html_.empty()) page_ = std::make_unique<Output>(html_, overwrite_);
    const Table table = read_input(input_, columns_.choice, session.log());
    const Roles roles = resolve_roles(table, columns_.choice, session.log());
    RunSettings run = session.run_settings();
    // A line for every fold says enough where lines do not move.
    if (!session.verbose && ::isatty(STDERR_FILENO) == 0) run.progress = {};
    Comparison result = compare(table, roles, chosen.entries,
                                scheme_.settings(table, roles, columns_.drop_missing), run);
    result.rows.insert(result.rows.end(), chosen.refused.begin(), chosen.refused.end());
    if (page_) {
      page_->write(league_page(result, table.source(), roles, session.command_line));
      page_->commit();
    }
    json_.emit(comparison_table(result), comparison_json(result, session.command_line));
    if (result.interrupted) {
      throw Error(ErrorKind::interrupted, "interrupted; the table holds the models that were done");
    }
  }

 private:
  struct Chosen {
    std::vector<CompareEntry> entries;
    std::vector<LeagueRow> refused;  // what the user said does not go with these
  };

  Chosen choose(Session& session) const {
    Names names = models_;
    if (names.empty()) names = usual_models(session.log());
    if (names == Names{"all"}) names = all_models(session.log());
    const Names known = known_models();
    Chosen chosen;
    Names seen;
    std::exception_ptr first_error;
    for (const std::string& name : names) {
      if (!holds(known, name) || name == "all") {
        throw Error(ErrorKind::usage, name == "all"
                                          ? "--models: 'all' stands alone"
                                          : "--models: " + unknown_word("model", name, known));
      }
      if (holds(seen, name)) {
        throw Error(ErrorKind::usage, fmt::format("--models: '{}' is named twice", name));
      }
      seen.push_back(name);
      try {
        chosen.entries.push_back(entry_of(name, session));
      } catch (const Error& e) {
        if (!first_error) first_error = std::current_exception();
        LeagueRow& row = chosen.refused.emplace_back();
        row.evaluation.model = name;
        row.reason = e.what();
      }
    }
    if (chosen.entries.empty()) std::rethrow_exception(first_error);
    session.log().note(fmt::format("models: {}", join(seen, ", ")));
    for (const LeagueRow& row : chosen.refused) {
      session.log().warn(fmt::format("{} is not trained: {}", row.evaluation.model, row.reason));
    }
    return chosen;
  }

  std::string html_;
  TableArguments input_;
  Names models_;
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
