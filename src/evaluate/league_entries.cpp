// Which models a league has, and the options of each.

#include <algorithm>
#include <exception>

#include <fmt/core.h>

#include "backbone/backbone.h"
#include "base/text.h"
#include "baseline/baseline.h"
#include "model/model_kind.h"
#include "model/preset.h"
#include "pegnn/error.h"
#include "pegnn/evaluate.h"
#include "pegnn/log.h"

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
CompareEntry entry_of(const std::string& name, OptionRequest request) {
  const auto leave_out = [&](const char* option) {
    std::erase_if(request.given, [&](const GivenOption& one) { return one.name == option; });
  };
  if (holds(part_names(presets()), name)) {
    request.preset = name;
  } else {
    const ModelName said = model_named(name, "<option:model>");
    const bool open = said.backbone.empty() && find_kind(said.model)->traits().of_parts;
    if (!open) leave_out("backbone");
    if (!open && !said.encoded) leave_out("encoder");
    request.given.push_back({"model", name, "<option:model>"});
  }
  return {name, options_for(request)};
}

// The names asked for, each known and once.
Names checked(const Names& asked, Log& log) {
  if (asked.empty()) return usual_models(log);
  if (asked == Names{"all"}) return all_models(log);
  const Names known = known_models();
  Names seen;
  for (const std::string& name : asked) {
    if (name == "all") throw Error(ErrorKind::usage, "<option:models>: 'all' stands alone");
    if (!holds(known, name)) {
      throw Error(ErrorKind::usage, "<option:models>: " + unknown_word("model", name, known));
    }
    if (holds(seen, name)) {
      throw Error(ErrorKind::usage, fmt::format("<option:models>: '{}' is named twice", name));
    }
    seen.push_back(name);
  }
  return seen;
}

}  // namespace

LeagueEntries league_entries(const Names& asked, const OptionRequest& request, Log& log) {
  const Names names = checked(asked, log);
  LeagueEntries chosen;
  std::exception_ptr first_error;
  for (const std::string& name : names) {
    try {
      chosen.entries.push_back(entry_of(name, request));
    } catch (const Error& e) {
      if (!first_error) first_error = std::current_exception();
      LeagueRow& row = chosen.refused.emplace_back();
      row.evaluation.model = name;
      row.reason = e.message(log.option_style());
    }
  }
  if (chosen.entries.empty()) std::rethrow_exception(first_error);
  log.note(fmt::format("models: {}", join(names, ", ")));
  for (const LeagueRow& row : chosen.refused) {
    log.warn(fmt::format("{} is not trained: {}", row.evaluation.model, row.reason));
  }
  return chosen;
}

}  // namespace pegnn
