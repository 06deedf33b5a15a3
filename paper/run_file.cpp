#include "paper/run_file.h"

#include <utility>

#include "base/atomic_file.h"
#include "base/json.h"

namespace pegnn {
namespace {

using nlohmann::ordered_json;

// The columns of a curve.
constexpr double TrainProgress::*kFigures[] = {
    &TrainProgress::seconds, &TrainProgress::main,       &TrainProgress::auxiliary,
    &TrainProgress::watched, &TrainProgress::sigma_main, &TrainProgress::sigma_auxiliary};

double number(const ordered_json& value) {
  return value.is_null() ? kNotThere : value.get<double>();
}

ordered_json curve_json(const std::vector<TrainProgress>& curve) {
  ordered_json rows = ordered_json::array();
  for (const TrainProgress& p : curve) {
    ordered_json row{p.step};
    for (const auto figure : kFigures) row.push_back(number_or_null(p.*figure));
    rows.push_back(row);
  }
  return rows;
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
  ordered_json options;
  for (const OptionText& option : option_texts(spec.options)) options[option.name] = typed(option);
  const ordered_json run{
      {"model", spec.name},
      {"dataset", spec.dataset},
      {"task", name_of(spec.task)},
      {"mse", number_or_null(result.errors.mse)},
      {"mae", number_or_null(result.errors.mae)},
      {"seconds", result.seconds},
      {"options", options},
      {"curve_columns",
       {"step", "seconds", "main", "auxiliary", "test", "sigma_main", "sigma_auxiliary"}},
      {"curve", curve_json(result.curve)},
      {"predicted", result.predicted}};
  write_file(file, run.dump() + "\n");
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
