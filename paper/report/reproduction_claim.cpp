#include "paper/report/reproduction_claim.h"

#include <algorithm>
#include <vector>

#include <fmt/core.h>

#include "base/text.h"
#include "paper/report/paper_rows.h"
#include "report/axis.h"
#include "report/page.h"

namespace pegnn {
namespace {

// The error without the encoder over the least error with it.
struct Gain {
  double ours = kNotThere, published = kNotThere;
  bool comparable = true;
};

double least(double a, double b) { return !plottable(a) || b < a ? b : a; }

double ratio(double plain, double best) {
  return plottable(plain) && plain > 0 && plottable(best) && best > 0 ? plain / best : kNotThere;
}

Gain gain_of(const PaperTable& table, RowGroup group, std::size_t column) {
  Gain plain, best;
  for (std::size_t r = group.begin; r < group.end; ++r) {
    const TableCell& cell = cell_of(table.rows[r], column);
    Gain& kind = with_encoder(table.rows[r]) ? best : plain;
    kind.ours = least(kind.ours, cell.ours.mse);
    kind.published = least(kind.published, cell.published.mse);
    plain.comparable = plain.comparable && cell.comparable;
  }
  return {ratio(plain.ours, best.ours), ratio(plain.published, best.published), plain.comparable};
}

// The kinds of model that stand in the paper with and without the encoder.
std::vector<RowGroup> backbones_of(const PaperTable& table) {
  std::vector<RowGroup> backbones;
  for (const RowGroup& group : groups_of(table)) {
    const auto from = table.rows.begin() + static_cast<std::ptrdiff_t>(group.begin);
    const auto to = table.rows.begin() + static_cast<std::ptrdiff_t>(group.end);
    if (from->in_paper && !with_encoder(*from) && std::any_of(from, to, with_encoder)) {
      backbones.push_back(group);
    }
  }
  return backbones;
}

std::string times_text(double gain) {
  if (!plottable(gain)) return "–";
  return (gain < 2     ? fmt::format("{:.2f}", gain)
          : gain < 100 ? fmt::format("{:.1f}", gain)
                       : display_number(gain, 3)) +
         " ×";
}

// How often the encoder lowers the error.
struct Count {
  std::int64_t lower = 0, all = 0;
  void add(double gain) {
    if (!plottable(gain)) return;
    ++all;
    lower += gain > 1 ? 1 : 0;
  }
};

std::string gain_html(const Gain& gain) {
  const char* how = !plottable(gain.ours) ? "" : gain.ours > 1 ? " near" : " above";
  const char* mark = !plottable(gain.ours) ? "" : gain.ours > 1 ? "✓ " : "▲ ";
  return fmt::format("<td class=\"first{}\">{}{}<small class=\"under\">{}</small></td>", how, mark,
                     times_text(gain.ours), times_text(gain.published));
}

}  // namespace

std::string claim_html(const PaperTable& table) {
  const std::vector<RowGroup> backbones = backbones_of(table);
  if (backbones.empty() || table.columns.empty()) return {};
  std::string html = "<div class=\"wide\">\n<table class=\"beside claim\">\n<thead>\n<tr><td></td>";
  for (const std::string& column : table.columns) {
    html += fmt::format("<th scope=\"col\" class=\"first\">{}</th>", escape_html(column));
  }
  html += "</tr>\n</thead>\n<tbody>\n";
  Count ours, published;
  bool part = false;
  for (const RowGroup& group : backbones) {
    html += fmt::format("<tr><th scope=\"row\">{}</th>", escape_html(table.rows[group.begin].name));
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      const Gain gain = gain_of(table, group, c);
      if (gain.comparable) ours.add(gain.ours);
      if (gain.comparable) published.add(gain.published);
      part = part || !gain.comparable;
      html += gain_html(gain);
    }
    html += "</tr>\n";
  }
  if (ours.all == 0) return {};
  html += "</tbody>\n</table>\n</div>\n";
  html += caption_html(fmt::format(
      "How many times lower the squared error of a backbone is with the positional encoder, in the "
      "best of its settings; above: ours, below: published. It is lower with the encoder (✓) in {} "
      "of {} cases of ours and in {} of {} published ones{}.",
      ours.lower, ours.all, published.lower, published.all,
      part ? "; data sets of which there was only a part are not counted" : ""));
  // "Table 1: spatial interpolation" gives its first half.
  return panel_html(table.title.substr(0, table.title.find(':')) + ": what the encoder gains",
                    html);
}

}  // namespace pegnn
