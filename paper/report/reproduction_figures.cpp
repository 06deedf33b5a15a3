#include "paper/report/reproduction_figures.h"

#include <algorithm>
#include <vector>

#include <fmt/core.h>

#include "base/text.h"
#include "paper/report/agreement.h"
#include "paper/report/figure_parts.h"
#include "report/bar_chart.h"
#include "report/page.h"
#include "report/plots.h"

namespace pegnn {
namespace {

std::string bar_panel(const BarPanel& panel, std::size_t index, std::vector<std::string>& missing) {
  BarChart chart;
  chart.text = {fmt::format("figure-3-{}", index), "Error over training runs: " + panel.title,
                "Mean squared error of every model, mean and two standard deviations over its "
                "training runs."};
  chart.x_title = "test MSE";
  std::string group;
  for (const Bar& bar : panel.bars) {
    if (!plottable(bar.mean)) {
      missing.push_back(bar.name + " on " + panel.title);
      continue;
    }
    const bool spread = plottable(bar.deviation) && bar.runs > 1;
    chart.bars.push_back(
        {bar.name, bar.mean, spread ? 2 * bar.deviation : kNotThere,
         bar.name.starts_with("PE-") ? "c1" : "c2",
         spread ? fmt::format("{} ± {}", error_text(bar.mean), spread_text(2 * bar.deviation))
                : error_text(bar.mean),
         bar.published, !chart.bars.empty() && bar.group != group});
    group = bar.group;
  }
  if (chart.bars.empty()) return {};
  return bar_chart(chart).svg;
}

std::string runs_text(const Figure3& figure) {
  std::int64_t least = -1, most = 0;
  for (const BarPanel& panel : figure.panels) {
    for (const Bar& bar : panel.bars) {
      if (!plottable(bar.mean)) continue;
      least = least < 0 ? bar.runs : std::min(least, bar.runs);
      most = std::max(most, bar.runs);
    }
  }
  if (most <= 1) return "one training run each";
  return least == most ? fmt::format("{} training runs each", most)
                       : fmt::format("{} to {} training runs each", least, most);
}

// Numbers behind the lines: one row per k, one column per batch size.
std::string sensitivity_table(const SensitivityPanel& panel) {
  TextTable table;
  table.heading = {"k"};
  table.numeric = {false};
  for (const std::int64_t batch : panel.batch) {
    table.heading.push_back("batch " + format_count(batch));
    table.numeric.push_back(true);
  }
  for (std::size_t i = 0; i < panel.k.size() && i < panel.mse.size(); ++i) {
    std::vector<std::string> row = {fmt::format("{}", panel.k[i])};
    for (std::size_t j = 0; j < panel.batch.size(); ++j) {
      row.push_back(j < panel.mse[i].size() ? error_text(panel.mse[i][j]) : "–");
    }
    table.rows.push_back(std::move(row));
  }
  return "<div class=\"wide numbers\">\n" + table_html(table) + "</div>\n";
}

LineChart sensitivity_chart(const SensitivityPanel& panel) {
  LineChart chart;
  chart.x_title = "neighbours k";
  chart.y_title = "test MSE";
  chart.height = kSmallHeight;
  std::vector<double> k;
  for (const std::int64_t one : panel.k) k.push_back(static_cast<double>(one));
  if (const auto range = range_of(k)) chart.log_x = range->lo > 0 && range->hi >= 10 * range->lo;
  if (chart.log_x) chart.x_title += " (logarithmic axis)";
  for (std::size_t j = 0; j < panel.batch.size(); ++j) {
    std::vector<double> mse;
    for (const std::vector<double>& row : panel.mse) {
      mse.push_back(j < row.size() ? row[j] : kNotThere);
    }
    Series series =
        series_of("batch " + format_count(panel.batch[j]), static_cast<int>(j % 5) + 1, k, mse);
    if (any_plottable(series.y)) chart.series.push_back(std::move(series));
  }
  return chart;
}

}  // namespace

std::string figure3_html(const Figure3& figure) {
  std::vector<SmallFigure> figures;
  std::vector<std::string> missing;
  for (std::size_t p = 0; p < figure.panels.size(); ++p) {
    std::string body = bar_panel(figure.panels[p], p, missing);
    const std::string& note = figure.panels[p].note;
    if (body.empty()) continue;
    figures.push_back(
        {figure.panels[p].title + (note.empty() ? "" : ": " + note), std::move(body)});
  }
  if (figures.empty()) return {};
  const std::string caption = fmt::format(
      "Mean squared error on the test rows, {}; whiskers: two standard deviations to "
      "either side. Hollow circle: the number published in Table 1. Orange: without the "
      "positional encoder, blue: with it.{}",
      runs_text(figure), not_run(missing));
  return section_html("figure-3", "Figure 3: how far training runs differ",
                      small_figures_html(figures) + caption_html(caption));
}

std::string figure4_html(const Figure4& figure) {
  std::vector<SmallFigure> figures;
  for (std::size_t p = 0; p < figure.panels.size(); ++p) {
    const SensitivityPanel& panel = figure.panels[p];
    LineChart chart = sensitivity_chart(panel);
    if (chart.series.empty()) continue;
    chart.text = {fmt::format("figure-4-{}", p), "Sensitivity of " + panel.model,
                  "Mean squared error on the test rows by number of neighbours, one line per batch "
                  "size."};
    figures.push_back({panel.model, line_chart(chart).svg + sensitivity_table(panel)});
  }
  if (figures.empty()) return {};
  return section_html(
      "figure-4", "Figure 4: sensitivity to k and batch size on California Housing",
      small_figures_html(figures) +
          caption_html(
              "Mean squared error on the test rows by the number of neighbours k behind the "
              "graph and the number of rows in a training batch; – where it was not run."));
}

std::string figure5_html(const Figure5& figure) {
  std::vector<SmallFigure> figures;
  std::string note;
  const auto add = [&](LineChart chart, const char* heading) {
    std::erase_if(chart.series, [](const Series& series) { return !any_plottable(series.y); });
    if (chart.series.empty()) return;
    chart.x_title = "training step";
    chart.height = kSmallHeight;
    const Plot plot = line_chart(chart);
    if (!plot.note.empty()) note = plot.note;
    figures.push_back({heading, plot.svg});
  };
  LineChart losses;
  losses.text = {"figure-5-losses", "Training losses", "Main and auxiliary loss by training step."};
  losses.y_title = "training loss (logarithmic axis)";
  losses.log_y = true;
  losses.series = {series_of("main task", 1, figure.step, figure.main_loss),
                   series_of("auxiliary task", 2, figure.step, figure.auxiliary_loss)};
  add(std::move(losses), "Training losses");
  LineChart weights;
  weights.text = {"figure-5-weights", "Task weights", "The two task weights by training step."};
  weights.y_title = "task weight σ";
  weights.series = {series_of("σ main", 1, figure.step, figure.sigma_main),
                    series_of("σ auxiliary", 2, figure.step, figure.sigma_auxiliary)};
  add(std::move(weights), "Task weights");
  if (figures.empty()) return {};
  std::string caption =
      "Loss weights learned from task uncertainty by PE-GCN on Air Temperature. Left: the two "
      "training losses; right: the two "
      "weights. The larger σ, the less its task counts.";
  if (plottable(figure.test_mse)) {
    caption += fmt::format(" The mean squared error on the test rows came to {}.",
                           error_text(figure.test_mse));
  }
  return section_html("figure-5", "Figure 5: loss weights learned from uncertainty",
                      small_figures_html(figures) + caption_html(sentences(caption, note)));
}

}  // namespace pegnn
