#include "report/moran_page.h"

#include <array>
#include <cmath>

#include <fmt/core.h>

#include "base/text.h"
#include "report/plots.h"
#include "report/variogram_panel.h"

namespace pegnn {
namespace {

std::string p_text(double p) {
  if (std::isnan(p)) return "–";
  return p < 0.001 ? "< 0.001" : fmt::format("{:.3f}", p);
}

std::int64_t in_clusters(const LisaCounts& counts) {
  return counts[1] + counts[2] + counts[3] + counts[4];
}

std::string criterion(const MoranPage& page) {
  return fmt::format("{} of at most {}",
                     page.rule.control ? "an adjusted p-value" : "a local p-value",
                     format_short(page.rule.alpha));
}

std::vector<ReportFact> cards(const MoranPage& page) {
  const Moran& m = page.moran;
  std::vector<ReportFact> facts = {
      {"Moran's I", display_number(m.I, 3), fmt::format("by chance {}", display_number(m.EI, 2))},
      {"p-value, one-sided", p_text(m.p_sim),
       fmt::format("{} permutations", format_count(page.permutations))},
      {"z", display_number(m.z_sim, 3), "against the permutations"},
      {"rows", format_count(static_cast<long long>(page.points.size())),
       fmt::format("{} neighbours each", page.neighbours)}};
  if (page.permutations > 0) {
    facts.push_back({"rows in clusters", format_count(in_clusters(page.lisa.kinds)),
                     page.rule.control ? "after control of false discoveries" : "not controlled"});
  }
  return facts;
}

std::string verdict(const MoranPage& page) {
  const Moran& m = page.moran;
  if (!plottable(m.I)) return "The values are all equal: Moran's I is not defined.";
  if (std::isnan(m.p_sim)) return "Without permutations there is no p-value to judge I by.";
  if (m.p_sim > 0.05) return "There is no spatial pattern beyond chance in the table as a whole.";
  return m.I > m.EI ? "Values of neighbours are alike, more than by chance."
                    : "Values of neighbours differ, more than by chance.";
}

std::string counts_html(const MoranPage& page) {
  struct Kind {
    std::size_t number;
    const char *letters, *meaning;
  };
  constexpr std::array<Kind, 5> kKinds = {
      Kind{1, "HH", "high among high: a hot spot"}, Kind{3, "LL", "low among low: a cold spot"},
      Kind{2, "LH", "low among high: an outlier"}, Kind{4, "HL", "high among low: an outlier"},
      Kind{0, "ns", "not significant"}};
  const std::string alpha = format_short(page.rule.alpha);
  TextTable table;
  table.heading = {"", "a row among its neighbours", "rows with p ≤ " + alpha};
  table.numeric = {false, false, true};
  if (page.rule.control) {
    table.heading.push_back("adjusted p ≤ " + alpha);
    table.numeric.push_back(true);
  }
  for (const Kind& kind : kKinds) {
    table.rows.push_back({kind.letters, kind.meaning, format_count(page.lisa.plain[kind.number])});
    if (page.rule.control) {
      table.rows.back().push_back(format_count(page.lisa.kinds[kind.number]));
    }
  }
  return table_html(table);
}

std::string map_panel(const MoranPage& page) {
  const MapFrame frame(page.points, page.space, page.x_name, page.y_name);
  const Plot plot = cluster_map(
      {{"clusters", "Clusters",
        fmt::format("Map of {} places coloured by the kind of cluster they are in; {} are in one.",
                    format_count(static_cast<long long>(page.points.size())),
                    format_count(in_clusters(page.lisa.kinds)))},
       page.points,
       page.lisa.cluster},
      frame);
  std::string caption = fmt::format(
      "In colour are rows with {}. Patches of dark red or blue are hot and cold spots; pale ones "
      "differ from their neighbours.",
      criterion(page));
  if (!plot.note.empty()) caption += " " + plot.note;
  return figure_html("Clusters", plot.svg, caption);
}

std::string scatter_panel(const MoranPage& page) {
  if (!plottable(page.moran.I)) {
    return absent_html("Moran scatter",
                       "There is no Moran scatter: the values are all equal, or have no "
                       "neighbours, so Moran's I is not defined.");
  }
  const Plot plot = moran_scatter(
      {"moran", "Moran scatter",
       fmt::format("Standardised values against the mean of their neighbours; the slope, Moran's "
                   "I, is {}.",
                   display_number(page.moran.I, 3))},
      page.value, page.moran,
      {page.lisa.cluster, fmt::format("Points in colour have {}.", criterion(page))});
  return figure_html("Moran scatter", plot.svg,
                     "The steeper the line, the more alike are neighbours. " + plot.note);
}

std::string counts_panel(const MoranPage& page) {
  std::string body = fmt::format("<p>{}</p>\n", escape_html(verdict(page)));
  if (page.permutations == 0) return panel_html("How many rows", body);
  body += counts_html(page);
  body += caption_html(
      page.rule.control
          ? "As many tests are made as there are rows, so that some pass by chance. The last "
            "column keeps the share of such false discoveries small (Benjamini and Hochberg 1995). "
            "p-values are one-sided, as in PySAL; halve the level for a two-sided test."
          : "As many tests are made as there are rows, so that some pass by chance. p-values are "
            "one-sided, as in PySAL; halve the level for a two-sided test.");
  return panel_html("How many rows", body);
}

}  // namespace

std::vector<std::string> nothing_left(const Lisa& lisa, const LisaRule& rule,
                                      std::int64_t permutations) {
  if (!rule.control || in_clusters(lisa.kinds) > 0 || in_clusters(lisa.plain) == 0) return {};
  const std::string none =
      fmt::format("No row is significant once false discoveries are controlled at {}.",
                  format_short(rule.alpha));
  if (lisa.permutations_needed == 0) return {none, "More permutations would not change that."};
  return {none, fmt::format("With {} permutations no p-value can be below {}; {} would tell more.",
                            format_count(permutations),
                            format_short(1 / static_cast<double>(permutations + 1), 2),
                            format_count(lisa.permutations_needed))};
}

std::string moran_page(const MoranPage& page) {
  std::string html = page_begin(page.value, "Moran's I on " + page.source);
  html += cards_html(cards(page));
  html += remarks_html(nothing_left(page.lisa, page.rule, page.permutations));
  const std::array<std::string, 2> first = {map_panel(page), counts_panel(page)};
  html += row_html(first);
  const VariogramPanel variogram = value_variogram_panel(
      page.usual, page.robust, {page.space, page.metres_per_unit}, page.value);
  const std::array<std::string, 2> second = {scatter_panel(page), variogram.figure_html};
  html += row_html(second);
  if (!variogram.numbers_html.empty()) {
    html += folded_html("Semivariance by distance", variogram.numbers_html, false);
  }
  if (!page.provenance.empty()) {
    html += folded_html("Provenance", facts_table_html(page.provenance), true);
  }
  return html + page_end();
}

}  // namespace pegnn
