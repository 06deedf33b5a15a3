#include "paper/report/reproduction_tables.h"

#include <algorithm>
#include <vector>

#include <fmt/core.h>

#include "base/text.h"
#include "paper/report/agreement.h"
#include "paper/report/dumbbell_chart.h"
#include "paper/report/footnotes.h"
#include "paper/report/paper_rows.h"
#include "report/axis.h"
#include "report/page.h"

namespace pegnn {
namespace {

const char* class_of(Agreement one) {
  switch (one) {
    case Agreement::near:
      return "near";
    case Agreement::below:
      return "below";
    case Agreement::above:
      return "above";
    default:
      return "";
  }
}

// Told apart by sign and mark too, not by colour alone.
const char* mark_of(Agreement one) {
  switch (one) {
    case Agreement::near:
      return "✓\u202f";
    case Agreement::below:
      return "▼\u202f";
    case Agreement::above:
      return "▲\u202f";
    default:
      return "";
  }
}

// One of the two errors of a cell.
struct Entry {
  double ours, published, independent, spread;
};

Entry entry_of(const TableCell& cell, bool squared) {
  return squared ? Entry{cell.ours.mse, cell.published.mse, cell.independent.mse, cell.spread.mse}
                 : Entry{cell.ours.mae, cell.published.mae, cell.independent.mae, cell.spread.mae};
}

// What there is no room for in the cell.
std::string title_of(const Entry& entry, const TableCell& cell) {
  std::vector<std::string> parts;
  if (plottable(entry.ours)) parts.push_back("ours " + error_text(entry.ours));
  if (plottable(entry.spread)) parts.push_back("± " + spread_text(entry.spread));
  if (plottable(entry.published)) parts.push_back("published " + error_text(entry.published));
  if (plottable(entry.independent)) {
    parts.push_back("independent run " + error_text(entry.independent));
  }
  if (cell.seeds > 0) parts.push_back(fmt::format("seeds {}", cell.seeds));
  if (plottable(cell.seconds)) parts.push_back(format_seconds(cell.seconds) + " a run");
  return join(parts, ", ");
}

// The least error of ours in the group, as it is written: equal texts are equally good.
std::string best_text(const PaperTable& table, RowGroup group, std::size_t column, bool squared) {
  double best = kNotThere;
  int there = 0;
  for (std::size_t r = group.begin; r < group.end; ++r) {
    const double ours = entry_of(cell_of(table.rows[r], column), squared).ours;
    if (!plottable(ours)) continue;
    ++there;
    if (!plottable(best) || ours < best) best = ours;
  }
  return there > 1 ? error_text(best) : "";
}

std::string cell_html(const TableRow& row, const TableCell& cell, bool squared,
                      const std::string& best, const std::string& column, Footnotes& notes) {
  const Entry entry = entry_of(cell, squared);
  const Agreement how =
      cell.comparable ? agreement(entry.ours, entry.published) : Agreement::unknown;
  const std::string ours = error_text(entry.ours);
  std::string html = fmt::format("<td class=\"{}{}{}\"", squared ? "first" : "",
                                 squared && how != Agreement::unknown ? " " : "", class_of(how));
  const std::string title = title_of(entry, cell);
  html += title.empty() ? ">" : fmt::format(" title=\"{}\">", escape_html(title));
  html += ours == best ? fmt::format("<b>{}</b>", ours) : ours;
  if (!plottable(entry.ours)) {
    html +=
        notes.mark_html(cell.reason.empty() ? "not run" : cell.reason, row.name + " on " + column);
  } else if (squared && plottable(entry.spread) && cell.seeds > 1) {
    html += fmt::format(" <small>±{}</small>", spread_text(entry.spread));
  }
  if (!row.in_paper) return html + "</td>";
  html += fmt::format("<small class=\"under\">{}", error_text(entry.published));
  if (how != Agreement::unknown) {
    html += fmt::format("<span class=\"by\">{}{}</span>", mark_of(how),
                        difference_text(entry.ours, entry.published));
    if (squared && shared_with_independent(cell)) html += "\u202f◇";
  }
  return html + "</small></td>";
}

std::string heading_html(const PaperTable& table) {
  std::string html = "<thead>\n<tr><td rowspan=\"2\"></td>";
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    html += fmt::format("<th scope=\"colgroup\" colspan=\"2\" class=\"first\">{}",
                        escape_html(table.columns[c]));
    if (c < table.notes.size() && !table.notes[c].empty()) {
      html += fmt::format("<small>{}</small>", escape_html(table.notes[c]));
    }
    html += "</th>";
  }
  html += "</tr>\n<tr>";
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    html += "<th scope=\"col\" class=\"first\">MSE</th><th scope=\"col\">MAE</th>";
  }
  return html + "</tr>\n</thead>\n";
}

std::string body_html(const PaperTable& table, Footnotes& notes) {
  std::string html = "<tbody>\n";
  for (const RowGroup& group : groups_of(table)) {
    for (std::size_t r = group.begin; r < group.end; ++r) {
      const TableRow& row = table.rows[r];
      const bool further = !row.in_paper && (r == 0 || table.rows[r - 1].in_paper);
      html += fmt::format("<tr{}><th scope=\"row\">{}</th>",
                          r != group.begin ? ""
                          : further        ? " class=\"kind further\""
                                           : " class=\"kind\"",
                          escape_html(row.name));
      for (std::size_t c = 0; c < table.columns.size(); ++c) {
        for (const bool squared : {true, false}) {
          html += cell_html(row, cell_of(row, c), squared, best_text(table, group, c, squared),
                            table.columns[c], notes);
        }
      }
      html += "</tr>\n";
    }
  }
  return html + "</tbody>\n";
}

std::string table_caption(const PaperTable& table) {
  TableTally tally;
  tally.add(table);
  const bool spread = std::any_of(table.rows.begin(), table.rows.end(), [](const TableRow& row) {
    return std::any_of(row.cells.begin(), row.cells.end(), [](const TableCell& cell) {
      return cell.seeds > 1 && plottable(cell.spread.mse);
    });
  });
  std::string text =
      "Errors on held-out rows of the target scaled to [0, 1]. Above: ours; below it: the "
      "published "
      "number and by how much ours differs (✓ within 15\u00a0%, ▼ lower, ▲ higher). Bold: our best "
      "of "
      "each kind of model.";
  if (spread) text += " ±: one standard deviation over the training seeds.";
  if (std::any_of(table.rows.begin(), table.rows.end(),
                  [](const TableRow& row) { return !row.in_paper; })) {
    text += " Below the double line: further models of ours, which the paper does not have.";
  }
  if (tally.shared > 0) {
    text += fmt::format(
        " ◇: an independent run of the same protocol in PyTorch Geometric and GPyTorch is within "
        "15\u00a0% "
        "of ours, not of the published number ({} of {} such squared errors).",
        tally.shared, tally.mse.below + tally.mse.above);
  }
  return text;
}

const char* dot_class(const TableRow& row, const TableCell& cell) {
  if (!row.in_paper) return "q0";
  if (!cell.comparable) return "q0";
  switch (agreement(cell.ours.mse, cell.published.mse)) {
    case Agreement::near:
      return "c3";
    case Agreement::below:
      return "c1";
    case Agreement::above:
      return "c2";
    default:
      return "q0";
  }
}

std::vector<SmallFigure> charts_of(const PaperTable& table, const std::string& id) {
  std::vector<SmallFigure> figures;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    DumbbellChart chart;
    chart.text = {fmt::format("{}-chart-{}", id, c), "Published and ours: " + table.columns[c],
                  "Mean squared error of every model, published and ours, joined by a line."};
    chart.x_title = "MSE (logarithmic axis)";
    chart.found_name = "ours";
    chart.published_name = "published";
    chart.third_name = "independent run";
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
      const TableRow& row = table.rows[r];
      const TableCell& cell = cell_of(row, c);
      if (!plottable(cell.ours.mse) && !plottable(cell.published.mse)) continue;
      chart.rows.push_back({row.name, cell.ours.mse, cell.published.mse, cell.independent.mse,
                            dot_class(row, cell), begins_group(table, r)});
    }
    if (!chart.rows.empty()) figures.push_back({table.columns[c], dumbbell_chart(chart).svg});
  }
  return figures;
}

}  // namespace

std::string paper_table_html(const PaperTable& table, const std::string& id) {
  if (table.rows.empty() || table.columns.empty()) return {};
  Footnotes notes;
  const std::string body = body_html(table, notes);
  std::string html = "<div class=\"wide\">\n<table class=\"beside\">\n" + heading_html(table) +
                     body + "</table>\n</div>\n" + notes.list_html() +
                     caption_html(table_caption(table));
  const std::vector<SmallFigure> charts = charts_of(table, id);
  if (!charts.empty()) {
    html += "<h3>The squared errors at a glance</h3>\n" +
            caption_html(
                "The shorter the line, the nearer ours is to what was published. Green: "
                "within 15\u00a0%, blue: lower, orange: higher, grey: nothing to compare with.") +
            small_figures_html(charts);
  }
  return section_html(id, table.title, html, true);
}

}  // namespace pegnn
