#include "paper/report/reproduction_json.h"

#include "base/json.h"
#include "pegnn/version.h"

namespace pegnn {
namespace {

using nlohmann::ordered_json;

ordered_json errors_json(const Errors& errors) {
  return {{"mse", number_or_null(errors.mse)}, {"mae", number_or_null(errors.mae)}};
}

ordered_json numbers(const std::vector<double>& values) {
  ordered_json list = ordered_json::array();
  for (const double value : values) list.push_back(number_or_null(value));
  return list;
}

ordered_json table_json(const PaperTable& table) {
  ordered_json rows = ordered_json::array();
  for (const TableRow& row : table.rows) {
    for (std::size_t d = 0; d < row.cells.size(); ++d) {
      const TableCell& cell = row.cells[d];
      ordered_json one{{"name", row.name},
                       {"model", row.model},
                       {"in_paper", row.in_paper},
                       {"dataset", table.columns[d]},
                       {"ours", errors_json(cell.ours)},
                       {"seeds", cell.seeds},
                       {"spread", errors_json(cell.spread)},
                       {"published", errors_json(cell.published)},
                       {"difference", number_or_null(cell.ours.mse / cell.published.mse - 1)},
                       {"comparable", cell.comparable},
                       {"independent", errors_json(cell.independent)},
                       {"seconds", number_or_null(cell.seconds)}};
      if (!table.notes[d].empty()) one["rows"] = table.notes[d];
      if (!cell.reason.empty()) one["reason"] = cell.reason;
      rows.push_back(one);
    }
  }
  return {{"title", table.title}, {"rows", rows}};
}

ordered_json figure_json(const Figure2& figure) {
  ordered_json points = ordered_json::array(), maps = ordered_json::array(),
               panels = ordered_json::array();
  for (const Point& p : figure.points) points.push_back({p.x, p.y});
  for (const NamedValues& map : figure.maps) {
    maps.push_back({{"name", map.name}, {"values", numbers(map.values)}});
  }
  for (const CurvePanel& panel : figure.curves) {
    ordered_json curves = ordered_json::array();
    for (const Curve& curve : panel.curves) {
      curves.push_back(
          {{"name", curve.name}, {"step", numbers(curve.x)}, {"test_mse", numbers(curve.y)}});
    }
    panels.push_back({{"title", panel.title}, {"curves", curves}});
  }
  return {{"value", figure.value_name}, {"points", points}, {"maps", maps}, {"curves", panels}};
}

ordered_json figure_json(const Figure3& figure) {
  ordered_json panels = ordered_json::array();
  for (const BarPanel& panel : figure.panels) {
    ordered_json bars = ordered_json::array();
    for (const Bar& bar : panel.bars) {
      bars.push_back({{"name", bar.name},
                      {"mean", number_or_null(bar.mean)},
                      {"deviation", number_or_null(bar.deviation)},
                      {"runs", bar.runs},
                      {"published", number_or_null(bar.published)}});
    }
    ordered_json one{{"dataset", panel.title}, {"bars", bars}};
    if (!panel.note.empty()) one["rows"] = panel.note;
    panels.push_back(one);
  }
  return panels;
}

ordered_json figure_json(const Figure4& figure) {
  ordered_json panels = ordered_json::array();
  for (const SensitivityPanel& panel : figure.panels) {
    ordered_json mse = ordered_json::array();
    for (const std::vector<double>& line : panel.mse) mse.push_back(numbers(line));
    panels.push_back(
        {{"model", panel.model}, {"k", panel.k}, {"batch", panel.batch}, {"mse", mse}});
  }
  return panels;
}

ordered_json figure_json(const Figure5& figure) {
  return {{"step", numbers(figure.step)},
          {"main_loss", numbers(figure.main_loss)},
          {"auxiliary_loss", numbers(figure.auxiliary_loss)},
          {"sigma_main", numbers(figure.sigma_main)},
          {"sigma_auxiliary", numbers(figure.sigma_auxiliary)},
          {"test_mse", number_or_null(figure.test_mse)}};
}

}  // namespace

std::string reproduction_json(const Reproduction& found, const std::string& command_line) {
  ordered_json all{{"version", version()},
                   {"command", command_line},
                   {"preset", found.preset},
                   {"quick", found.quick},
                   {"seeds", found.seeds},
                   {"training_runs", found.runs},
                   {"seconds", found.compute_seconds},
                   {"remarks", found.remarks}};
  for (const DataNote& data : found.data) {
    all["data"].push_back({{"name", data.name},
                           {"file", data.file},
                           {"rows", data.rows},
                           {"whole_rows", data.whole_rows},
                           {"verified", data.verified},
                           {"hash", data.hash}});
  }
  if (found.table1) all["table1"] = table_json(*found.table1);
  if (found.table2) all["table2"] = table_json(*found.table2);
  if (found.figure2) all["figure2"] = figure_json(*found.figure2);
  if (found.figure3) all["figure3"] = figure_json(*found.figure3);
  if (found.figure4) all["figure4"] = figure_json(*found.figure4);
  if (found.figure5) all["figure5"] = figure_json(*found.figure5);
  if (!found.step_times.empty()) {
    ordered_json steps = ordered_json::array();
    for (const StepTime& time : found.step_times) {
      ordered_json one{{"name", time.name},
                       {"published", number_or_null(time.published)},
                       {"one_thread", number_or_null(time.one_thread)},
                       {"all_threads", number_or_null(time.all_threads)},
                       {"threads", found.threads}};
      if (!time.note.empty()) one["note"] = time.note;
      steps.push_back(one);
    }
    all["step_seconds"] = steps;
  }
  return all.dump(1) + "\n";
}

}  // namespace pegnn
