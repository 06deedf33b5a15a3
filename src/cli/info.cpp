// pegnn info: what a model file holds.

#include <cmath>
#include <memory>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "base/json.h"
#include "base/options.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/input.h"
#include "cli/output.h"
#include "pegnn/evaluate.h"
#include "pegnn/model.h"
#include "table/roles.h"

namespace pegnn {
namespace {

class Info final : public Command {
 public:
  std::string_view summary() const override { return "Show what a model file holds."; }
  std::string_view examples() const override {
    return "  pegnn info model\n  pegnn info model/model.safetensors --json\n";
  }
  std::vector<ArgumentGroup> arguments() override {
    return {{"Input and output",
             {{.flags = "MODEL",
               .value = "",
               .sentence = "Folder made by `pegnn train`, or a model file.",
               .target = &model_,
               .required = true},
              json_.argument("As JSON, to FILE.json or standard output."),
              {"--overwrite", "", "Replace a JSON file that is already there.", &overwrite_}}}};
  }

  void run(Session&) override {
    json_.open(overwrite_);
    const ModelInfo info = Model::load(model_file(model_)).info();
    json_.emit(text(info), as_json(info));
  }

 private:
  // Names come out of the file, which may be anybody's.
  static std::string shown(const std::string& text) {
    constexpr std::size_t kMost = 10'000;
    return legible(text, kMost);
  }

  static std::string text(const ModelInfo& i) {
    std::string page = fmt::format(
        "{} for '{}'\n\n"
        "  table            {} ({} rows, hash {})\n"
        "  coordinates      {}, {} distances\n"
        "  features         {}\n"
        "{}"
        "  training points  {}\n"
        "  parameters       {}\n"
        "  steps            {} (weights of step {})\n",
        model_name(i.options), shown(i.roles.target), shown(i.table), format_count(i.rows),
        i.table_hash, shown(describe_coordinates(i.roles)), name_of(i.space),
        i.roles.features.empty() ? "none" : shown(join(i.roles.features, ", ")),
        i.roles.weight.empty() ? std::string()
                               : fmt::format("  weights          {}\n", shown(i.roles.weight)),
        format_count(i.training_points), format_count(i.parameters), format_count(i.steps),
        format_count(i.best_step));
    if (!i.learned.empty()) page += fmt::format("  learned          {}\n", i.learned);
    if (!std::isnan(i.best_validation)) {
      page += fmt::format("  validation       {} ({}, scaled units)\n",
                          format_short(i.best_validation), i.options.loss);
    }
    page += fmt::format("  target range     {} to {}\n\nOptions\n", format_short(i.target_lo),
                        format_short(i.target_hi));
    for (const OptionText& option : option_texts(i.options)) {
      page += fmt::format("  {:<20} {}\n", option.name, option.value);
    }
    return page;
  }

  static std::string as_json(const ModelInfo& i) {
    nlohmann::ordered_json options;
    for (const OptionText& option : option_texts(i.options)) options[option.name] = typed(option);
    nlohmann::ordered_json validation;
    if (!std::isnan(i.best_validation)) validation = i.best_validation;
    const nlohmann::ordered_json result{
        {"model", model_name(i.options)},
        {"target", i.roles.target},
        {"table", i.table},
        {"table_hash", i.table_hash},
        {"rows", i.rows},
        {"coordinates", {i.roles.x, i.roles.y}},
        {"crs",
         i.roles.crs.known() ? nlohmann::ordered_json(i.roles.crs.name) : nlohmann::ordered_json()},
        {"distance", name_of(i.space)},
        {"features", i.roles.features},
        {"weight", i.roles.weight.empty() ? nlohmann::ordered_json()
                                          : nlohmann::ordered_json(i.roles.weight)},
        {"training_points", i.training_points},
        {"parameters", i.parameters},
        {"steps", i.steps},
        {"best_step", i.best_step},
        {"best_validation", validation},
        {"target_range", {i.target_lo, i.target_hi}},
        {"learned", i.learned},
        {"options", options}};
    return result.dump(2) + "\n";
  }

  std::string model_;
  bool overwrite_ = false;
  JsonOutput json_;
};

}  // namespace

extern constinit const CommandEntry info_command{
    "info", []() -> std::unique_ptr<Command> { return std::make_unique<Info>(); }};

}  // namespace pegnn
