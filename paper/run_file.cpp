#include "paper/run_file.h"

#include <limits>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "base/json_writer.h"

namespace pegnn {
namespace {

using nlohmann::ordered_json;

// The columns of a curve.
constexpr double TrainProgress::*kFigures[] = {
    &TrainProgress::seconds, &TrainProgress::main,       &TrainProgress::auxiliary,
    &TrainProgress::watched, &TrainProgress::sigma_main, &TrainProgress::sigma_auxiliary};

// A whole number of 64 bits, or nothing. Asked for one, the library would take fractions too, and
// convert what is too large to anything.
std::optional<std::int64_t> whole_number(const ordered_json& value) {
  constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (!value.is_number_integer()) return std::nullopt;
  if (value.is_number_unsigned() && value.get<std::uint64_t>() > kMost) return std::nullopt;
  return value.get<std::int64_t>();
}

double number(const ordered_json& value) {
  return value.is_null() ? kNotThere : value.get<double>();
}

void write_curve(const std::vector<TrainProgress>& curve, JsonWriter& json) {
  for (const TrainProgress& p : curve) {
    json.list([&] {
      json.item(p.step);
      for (const auto figure : kFigures) json.item(p.*figure);
    });
  }
}

// Nothing when a step is no whole number.
std::optional<std::vector<TrainProgress>> curve_of(const ordered_json& rows) {
  std::vector<TrainProgress> curve;
  for (const ordered_json& row : rows) {
    const auto step = whole_number(row.at(0));
    if (!step) return std::nullopt;
    TrainProgress& p = curve.emplace_back();
    p.step = *step;
    for (std::size_t i = 0; i < std::size(kFigures); ++i) p.*kFigures[i] = number(row.at(i + 1));
  }
  return curve;
}

}  // namespace

void save_run(const RunSpec& spec, const RunResult& result, const std::filesystem::path& file) {
  JsonWriter json;
  json.object([&] {
    json.field("model", spec.name);
    json.field("dataset", spec.dataset);
    json.field("task", name_of(spec.task));
    json.field("mse", result.errors.mse);
    json.field("mae", result.errors.mae);
    json.field("seconds", result.seconds);
    json.object("options", [&] {
      for (const OptionText& option : option_texts(spec.options)) json.option(option.name, option);
    });
    json.list("curve_columns",
              {"step", "seconds", "main", "auxiliary", "test", "sigma_main", "sigma_auxiliary"});
    json.list("curve", [&] { write_curve(result.curve, json); });
    json.list("predicted", result.predicted);
  });
  write_file(file, json.text() + "\n");
}

std::optional<RunResult> parse_run(std::string_view text) {
  try {
    const ordered_json run = ordered_json::parse(text);
    auto curve = curve_of(run.at("curve"));
    if (!curve) return std::nullopt;
    return RunResult{.errors = {number(run.at("mse")), number(run.at("mae"))},
                     .seconds = run.at("seconds").get<double>(),
                     .curve = std::move(*curve),
                     .predicted = run.at("predicted").get<std::vector<double>>(),
                     .reason = {}};
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

std::optional<RunResult> load_run(const std::filesystem::path& file) {
  if (!std::filesystem::is_regular_file(file)) return std::nullopt;
  return parse_run(read_file(file));
}

}  // namespace pegnn
