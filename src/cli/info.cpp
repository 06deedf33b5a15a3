// pegnn info: what a model file holds.

#include <cmath>
#include <memory>

#include <fmt/core.h>

#include "base/json_writer.h"
#include "base/options.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/output.h"
#include "flow/input.h"
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
    JsonWriter json(2);
    json.object([&] {
      json.field("model", model_name(i.options));
      json.field("target", i.roles.target);
      json.field("table", i.table);
      json.field("table_hash", i.table_hash);
      json.field("rows", i.rows);
      json.list("coordinates", {i.roles.x, i.roles.y});
      json.text_or_null("crs", i.roles.crs.known() ? i.roles.crs.name : "");
      json.field("distance", name_of(i.space));
      json.list("features", i.roles.features);
      json.text_or_null("weight", i.roles.weight);
      json.field("training_points", i.training_points);
      json.field("parameters", i.parameters);
      json.field("steps", i.steps);
      json.field("best_step", i.best_step);
      json.field("best_validation", i.best_validation);
      json.list("target_range", {i.target_lo, i.target_hi});
      json.field("learned", i.learned);
      json.object("options", [&] {
        for (const OptionText& option : option_texts(i.options)) json.option(option.name, option);
      });
    });
    return json.text() + "\n";
  }

  std::string model_;
  bool overwrite_ = false;
  JsonOutput json_;
};

}  // namespace

extern constinit const CommandEntry info_command{
    "info", []() -> std::unique_ptr<Command> { return std::make_unique<Info>(); }};

}  // namespace pegnn
