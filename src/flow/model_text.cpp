#include "flow/model_text.h"

#include <cmath>

#include <fmt/core.h>

#include "base/json_writer.h"
#include "base/options.h"
#include "base/text.h"
#include "pegnn/evaluate.h"
#include "table/roles.h"

namespace pegnn {
namespace {

// Names come out of the file, which may be anybody's.
std::string shown(const std::string& text) {
  constexpr std::size_t kMost = 10'000;
  return legible(text, kMost);
}

// Of a model made of others all their names.
std::string shown_name(const ModelInfo& i) {
  if (i.parts.empty()) return model_name(i.options);
  std::vector<std::string> names;
  for (const ModelInfo& part : i.parts) names.push_back(model_name(part.options));
  return join(names, " + ");
}

}  // namespace

std::string model_text(const ModelInfo& i) {
  std::string page = fmt::format(
      "{} for '{}'\n\n"
      "  table            {} ({} rows, hash {})\n"
      "  coordinates      {}, {} distances\n"
      "  features         {}\n"
      "{}"
      "  training points  {}\n"
      "  parameters       {}\n"
      "  steps            {} (weights of step {})\n",
      shown_name(i), shown(i.roles.target), shown(i.table), format_count(i.rows), i.table_hash,
      shown(describe_coordinates(i.roles)), name_of(i.space),
      i.roles.features.empty() ? "none" : shown(join(i.roles.features, ", ")),
      i.roles.weight.empty() ? std::string()
                             : fmt::format("  weights          {}\n", shown(i.roles.weight)),
      format_count(i.training_points), format_count(i.parameters), format_count(i.steps),
      format_count(i.best_step));
  if (!i.learned.empty()) page += fmt::format("  learned          {}\n", i.learned);
  for (std::size_t p = 0; p < i.parts.size(); ++p) {
    const ModelInfo& part = i.parts[p];
    page +=
        fmt::format("  part {:<12}{}, {} parameters{}{}\n", p, model_name(part.options),
                    format_count(part.parameters), part.learned.empty() ? "" : ": ", part.learned);
  }
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

std::string model_json(const ModelInfo& i) {
  JsonWriter json(2);
  json.object([&] {
    json.field("model", shown_name(i));
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
    if (!i.parts.empty()) {
      json.list("parts", [&] {
        for (const ModelInfo& part : i.parts) {
          json.object([&] {
            json.field("model", model_name(part.options));
            json.list("features", part.roles.features);
            json.field("parameters", part.parameters);
            json.field("learned", part.learned);
          });
        }
      });
    }
    json.object("options", [&] {
      for (const OptionText& option : option_texts(i.options)) json.option(option.name, option);
    });
  });
  return json.text() + "\n";
}

}  // namespace pegnn
