#include "paper/experiments.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "base/text.h"

namespace pegnn {
namespace {

constexpr std::string_view kCalifornia = "california-housing", kRoad = "3d-road",
                           kAir = "air-temperature";
constexpr std::string_view kExperiments[] = {"table1",  "table2",  "figure2", "figure3",
                                             "figure4", "figure5", "speed"};

// Backbones that Figures 2 and 3 show.
constexpr std::string_view kShown[] = {"gcn", "gat", "sage"};

struct Context {
  const PaperSets& sets;
  const Effort& effort;
  const FindRun& find;

  const PaperRows* set(std::string_view name) const {
    const auto found = sets.find(name);
    return found == sets.end() ? nullptr : &found->second;
  }
};

ModelRow model_row(const PublishedRow& row) {
  return {std::string(row.name), std::string(row.model), row.lambda, true};
}

// "5,000 of 434,874 rows"; nothing for the whole.
std::string part_note(const PaperData& data) {
  if (data.whole) return {};
  return fmt::format("{} of {} rows", format_count(data.table.rows()),
                     format_count(data.entry->rows));
}

// Of several runs. Equal values have exactly no deviation, as in models that know no seed.
struct Mean {
  std::vector<double> values;

  void add(double value) { values.push_back(value); }
  double count() const { return static_cast<double>(values.size()); }
  double mean() const {
    double mean = values.empty() ? kNotThere : values.front();
    for (const double value : values) mean += (value - values.front()) / count();
    return mean;
  }
  double deviation() const {
    if (values.size() < 2) return kNotThere;
    double squares = 0;
    for (const double value : values) squares += (value - mean()) * (value - mean());
    return std::sqrt(squares / (count() - 1));
  }
};

// Why a model is not even tried; empty: it is. The matrix of an exact process has a row and a
// column for each training row, and is not made smaller by fewer steps.
std::string reason_against(const Effort& effort, const ModelRow& model, const PaperRows& rows) {
  if (model.model != "gp") return {};
  const auto n = static_cast<double>(rows.training_rows());
  if (n > 60'000) {
    return fmt::format("its matrix would take {} GB", format_short(8e-9 * n * n, 2));
  }
  if (effort.quick && n > 5000) return "takes a minute, which is too long for a quick run";
  return {};
}

TableCell cell_of(const Context& c, const ModelRow& model, const PaperRows& rows, Task task) {
  TableCell cell;
  cell.comparable = rows.data.whole;
  cell.reason = reason_against(c.effort, model, rows);
  if (!cell.reason.empty()) return cell;
  Mean mse, mae, seconds;
  for (std::int64_t seed = 0; seed < c.effort.seeds; ++seed) {
    const RunResult* run = c.find(table_run(model, rows, task, seed, c.effort));
    if (run == nullptr) continue;
    if (!run->reason.empty()) {
      cell.reason = run->reason;
      continue;
    }
    mse.add(run->errors.mse);
    mae.add(run->errors.mae);
    seconds.add(run->seconds);
  }
  cell.seeds = static_cast<std::int64_t>(mse.values.size());
  cell.ours = {mse.mean(), mae.mean()};
  cell.spread = {mse.deviation(), mae.deviation()};
  cell.seconds = seconds.mean();
  if (cell.seeds > 0) {
    cell.reason.clear();
  } else if (cell.reason.empty()) {
    cell.reason = "not trained yet";
  }
  return cell;
}

PaperTable table_of(const Context& c, Task task) {
  PaperTable table;
  table.title = task == Task::interpolation ? "Table 1: spatial interpolation"
                                            : "Table 2: spatial regression";
  const std::span<const std::string_view> names = paper_datasets(task);
  for (const std::string_view name : names) {
    const PaperRows* rows = c.set(name);
    if (rows == nullptr) continue;
    table.columns.emplace_back(rows->data.entry->title);
    table.notes.push_back(part_note(rows->data));
  }
  for (const PublishedRow& published : published_rows(task)) {
    const ModelRow model = model_row(published);
    TableRow row{model.name, model.model, published.line_above, true, {}};
    for (std::size_t d = 0; d < names.size(); ++d) {
      const PaperRows* rows = c.set(names[d]);
      if (rows == nullptr) continue;
      TableCell& cell = row.cells.emplace_back(cell_of(c, model, *rows, task));
      cell.published = published.errors[d];
      cell.independent = independent_errors(names[d], task, model.model, model.lambda);
    }
    table.rows.push_back(std::move(row));
  }
  bool first = true;
  for (const ModelRow& model : further_rows()) {
    TableRow row{model.name, model.model, first, false, {}};
    first = false;
    for (const std::string_view name : names) {
      if (const PaperRows* rows = c.set(name)) row.cells.push_back(cell_of(c, model, *rows, task));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

// The rows of a table whose backbone is that one: plain, then with encoder.
std::vector<PublishedRow> rows_of_backbone(Task task, std::string_view backbone) {
  std::vector<PublishedRow> rows;
  for (const PublishedRow& row : published_rows(task)) {
    if (row.model == backbone || row.model == fmt::format("pe-{}", backbone)) rows.push_back(row);
  }
  return rows;
}

CurvePanel curves_of(const Context& c, const PaperRows& rows, Task task,
                     std::string_view backbone) {
  const std::vector<PublishedRow> models = rows_of_backbone(task, backbone);
  CurvePanel panel{fmt::format("{}, {}", models.front().name, name_of(task)), {}};
  for (const PublishedRow& published : models) {
    const RunResult* run = c.find(table_run(model_row(published), rows, task, 0, c.effort));
    if (run == nullptr) continue;
    // A run that failed is named without a line.
    Curve& curve = panel.curves.emplace_back(Curve{std::string(published.name), {}, {}});
    for (const TrainProgress& p : run->curve) {
      curve.x.push_back(static_cast<double>(p.step));
      curve.y.push_back(p.watched);
    }
  }
  return panel;
}

// With features: without them the plain network has nothing to tell two places apart.
void add_maps(const Context& c, const PaperRows& rows, Figure2& figure) {
  const Table& table = rows.data.table;
  const Roles& roles = rows.data.roles;
  NamedValues truth{"truth", {}};
  for (const std::int64_t row : rows.test_rows) {
    const auto at = static_cast<std::size_t>(row);
    figure.points.push_back({table.find(roles.x)->values[at], table.find(roles.y)->values[at]});
    truth.values.push_back(table.find(roles.target)->values[at]);
  }
  figure.value_name = roles.target;
  figure.maps.push_back(std::move(truth));
  for (const PublishedRow& published : rows_of_backbone(Task::regression, "sage")) {
    if (!std::isnan(published.lambda) && published.lambda != 0.25) continue;
    const RunResult* run =
        c.find(table_run(model_row(published), rows, Task::regression, 0, c.effort));
    if (run == nullptr || run->predicted.empty()) continue;
    figure.maps.push_back({std::string(published.name), run->predicted});
  }
}

std::optional<Figure2> figure2_of(const Context& c) {
  const PaperRows* rows = c.set(kCalifornia);
  if (rows == nullptr) return std::nullopt;
  Figure2 figure;
  add_maps(c, *rows, figure);
  for (const Task task : {Task::interpolation, Task::regression}) {
    for (const std::string_view backbone : kShown) {
      CurvePanel panel = curves_of(c, *rows, task, backbone);
      if (!panel.curves.empty()) figure.curves.push_back(std::move(panel));
    }
  }
  return figure;
}

BarPanel bars_of(const Context& c, const PaperRows& rows, std::size_t column) {
  BarPanel panel{std::string(rows.data.entry->title), part_note(rows.data), {}};
  for (const std::string_view backbone : kShown) {
    const std::vector<PublishedRow> models = rows_of_backbone(Task::interpolation, backbone);
    for (const PublishedRow& published : models) {
      Mean mse;
      bool tried = false;
      for (std::int64_t seed = 0; seed < bar_runs(c.effort); ++seed) {
        const RunResult* run =
            c.find(table_run(model_row(published), rows, Task::interpolation, seed, c.effort));
        tried = tried || run != nullptr;
        if (run != nullptr && run->reason.empty()) mse.add(run->errors.mse);
      }
      if (!tried) continue;
      panel.bars.push_back({std::string(published.name), std::string(models.front().name),
                            mse.mean(), mse.deviation(), published.errors[column].mse,
                            static_cast<std::int64_t>(mse.values.size())});
    }
  }
  return panel;
}

std::optional<Figure3> figure3_of(const Context& c) {
  Figure3 figure;
  const std::span<const std::string_view> names = paper_datasets(Task::interpolation);
  for (std::size_t d = 0; d < names.size(); ++d) {
    const PaperRows* rows = c.set(names[d]);
    if (rows == nullptr || (names[d] != kCalifornia && names[d] != kRoad)) continue;
    BarPanel panel = bars_of(c, *rows, d);
    if (!panel.bars.empty()) figure.panels.push_back(std::move(panel));
  }
  if (figure.panels.empty()) return std::nullopt;
  return figure;
}

std::optional<Figure4> figure4_of(const Context& c) {
  const PaperRows* rows = c.set(kCalifornia);
  if (rows == nullptr) return std::nullopt;
  Figure4 figure;
  // With the auxiliary task, at the least of the paper's weights.
  for (const ModelRow& model :
       {ModelRow{"PE-GCN λ=0.25", "pe-gcn", 0.25}, ModelRow{"PE-GAT λ=0.25", "pe-gat", 0.25}}) {
    SensitivityPanel panel{model.name, sensitivity_neighbours(), sensitivity_batches(c.effort), {}};
    bool any = false;
    for (const std::int64_t k : panel.k) {
      std::vector<double>& line = panel.mse.emplace_back();
      for (const std::int64_t batch : panel.batch) {
        const RunResult* run = c.find(sensitivity_run(model, *rows, k, batch, c.effort));
        any = any || run != nullptr;
        line.push_back(run != nullptr ? run->errors.mse : kNotThere);
      }
    }
    if (any) figure.panels.push_back(std::move(panel));
  }
  if (figure.panels.empty()) return std::nullopt;
  return figure;
}

std::optional<Figure5> figure5_of(const Context& c) {
  const PaperRows* rows = c.set(kAir);
  if (rows == nullptr) return std::nullopt;
  const RunResult* run = c.find(uncertainty_run(*rows, c.effort));
  if (run == nullptr || run->curve.empty()) return std::nullopt;
  Figure5 figure;
  for (const TrainProgress& p : run->curve) {
    figure.step.push_back(static_cast<double>(p.step));
    figure.main_loss.push_back(p.main);
    figure.auxiliary_loss.push_back(p.auxiliary);
    figure.sigma_main.push_back(p.sigma_main);
    figure.sigma_auxiliary.push_back(p.sigma_auxiliary);
  }
  figure.test_mse = run->errors.mse;
  return figure;
}

std::vector<StepTime> step_times_of(const Context& c) {
  std::vector<StepTime> times;
  const PaperRows* rows = c.set(kCalifornia);
  if (rows == nullptr) return times;
  for (const PublishedStep& step : published_steps()) {
    const RunSpec one = timed_run(step, *rows, 1, c.effort);
    StepTime time{std::string(step.name), step.seconds, kNotThere, kNotThere, {}};
    if (const RunResult* run = c.find(one)) time.one_thread = run->step_seconds();
    if (const RunResult* run = c.find(timed_run(step, *rows, c.effort.threads, c.effort))) {
      time.all_threads = run->step_seconds();
    }
    if (step.model == "gp") {
      time.note = fmt::format(
          "ours: one likelihood and its gradient on {} rows, by Cholesky factors in double; the "
          "paper's: GPyTorch, which solves for all rows by iteration",
          format_count(std::min(one.options.gp_rows, rows->training_rows())));
    }
    times.push_back(std::move(time));
  }
  return times;
}

// What a reader must know of the rows.
std::vector<std::string> remarks_on(const PaperSets& sets) {
  std::vector<std::string> sentences;
  for (const auto& [name, rows] : sets) {
    const PaperData& data = rows.data;
    if (!data.verified) {
      sentences.push_back(
          fmt::format("The values of {} in {} are not those of the edition that is known: its "
                      "errors may differ for that.",
                      data.entry->title, data.file));
    }
    if (data.whole) continue;
    sentences.push_back(
        fmt::format("Of {} there were {}: its errors are not comparable with the published ones.",
                    data.entry->title, part_note(data)));
  }
  return sentences;
}

}  // namespace

std::span<const std::string_view> experiment_names() { return kExperiments; }

std::vector<std::string_view> datasets_of(std::string_view experiment) {
  if (experiment == "table1" || experiment == "table2") {
    const auto names =
        paper_datasets(experiment == "table1" ? Task::interpolation : Task::regression);
    return {names.begin(), names.end()};
  }
  if (experiment == "figure3") return {kCalifornia, kRoad};
  if (experiment == "figure5") return {kAir};
  return {kCalifornia};
}

Reproduction assemble(std::span<const std::string> experiments, const PaperSets& sets,
                      const Effort& effort, const FindRun& find) {
  const Context c{sets, effort, find};
  const auto asked = [&](std::string_view name) {
    return std::find(experiments.begin(), experiments.end(), name) != experiments.end();
  };
  Reproduction found;
  if (asked("table1")) found.table1 = table_of(c, Task::interpolation);
  if (asked("table2")) found.table2 = table_of(c, Task::regression);
  if (asked("figure2")) found.figure2 = figure2_of(c);
  if (asked("figure3")) found.figure3 = figure3_of(c);
  if (asked("figure4")) found.figure4 = figure4_of(c);
  if (asked("figure5")) found.figure5 = figure5_of(c);
  if (asked("speed")) found.step_times = step_times_of(c);
  for (const auto& [name, rows] : sets) {
    found.data.push_back({std::string(rows.data.entry->title), rows.data.file,
                          rows.data.table.rows(), rows.data.entry->rows, rows.data.verified,
                          rows.hash});
  }
  found.remarks = remarks_on(sets);
  found.threads = effort.threads;
  found.preset = effort.preset;
  found.quick = effort.quick;
  found.seeds = effort.seeds;
  return found;
}

}  // namespace pegnn
