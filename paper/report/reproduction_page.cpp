#include "paper/report/reproduction_page.h"

#include <algorithm>
#include <vector>

#include <fmt/core.h>

#include "base/text.h"
#include "paper/report/agreement.h"
#include "paper/report/reproduction_claim.h"
#include "paper/report/reproduction_figures.h"
#include "paper/report/reproduction_tables.h"
#include "pegnn/version.h"
#include "report/axis.h"
#include "report/page.h"

namespace pegnn {
namespace {

constexpr const char* kPaper =
    "Klemmer, Safir, Neill: Positional Encoder Graph Neural Networks for Geographic Data, AISTATS "
    "2023";

ReportFact tally_card(const char* name, const Tally& mse, const Tally& mae) {
  std::string others =
      fmt::format("{} lower, {} higher", mse.below + mae.below, mse.above + mae.above);
  const std::int64_t missing = mse.missing + mae.missing;
  if (missing > 0) others += fmt::format(", {} not run", missing);
  return {name, fmt::format("{} of {}", mse.near + mae.near, mse.all() + mae.all()), others};
}

std::vector<ReportFact> cards(const Reproduction& found) {
  TableTally tally;
  if (found.table1) tally.add(*found.table1);
  if (found.table2) tally.add(*found.table2);
  std::vector<ReportFact> facts;
  if (tally.mse.all() + tally.mae.all() > 0) {
    facts.push_back(tally_card("published numbers within 15\u00a0%", tally.mse, tally.mae));
  }
  if (tally.pe_mse.all() + tally.pe_mae.all() > 0) {
    facts.push_back(tally_card("in rows with the encoder", tally.pe_mse, tally.pe_mae));
  }
  if (tally.shared > 0) {
    facts.push_back({"independent run sides with ours",
                     fmt::format("{} of {}", tally.shared, tally.mse.below + tally.mse.above),
                     "squared errors beyond 15\u00a0%"});
  }
  facts.push_back(
      {"training runs", format_count(found.runs),
       fmt::format("preset {}, {} seed{} for the tables", found.preset.empty() ? "–" : found.preset,
                   found.seeds, found.seeds == 1 ? "" : "s")});
  facts.push_back({"compute time", format_seconds(found.compute_seconds), "all runs added up"});
  return facts;
}

std::string faster_text(double published, double ours) {
  if (!plottable(published) || !plottable(ours) || !(ours > 0) || !(published > 0)) return "–";
  return display_number(published / ours, 2) + " ×";
}

std::string seconds_text(double seconds) {
  return plottable(seconds) ? display_number(seconds, 2) + " s" : "–";
}

std::string step_times_html(const Reproduction& found) {
  if (found.step_times.empty()) return {};
  TextTable table;
  const std::string all = fmt::format("{} threads", found.threads);
  const bool several = found.threads > 1;
  table.heading = {"one step of", "published", "one thread", "faster"};
  table.numeric = {false, true, true, true};
  if (several) {
    table.heading.insert(table.heading.end(), {all, "faster"});
    table.numeric.insert(table.numeric.end(), {true, true});
  }
  const bool remarks = std::any_of(found.step_times.begin(), found.step_times.end(),
                                   [](const StepTime& time) { return !time.note.empty(); });
  if (remarks) table.heading.emplace_back("remark");
  for (const StepTime& time : found.step_times) {
    // Where the two do not do the same, how many times faster would say nothing.
    const double published = time.note.empty() ? time.published : kNotThere;
    std::vector<std::string> row = {time.name, seconds_text(time.published),
                                    seconds_text(time.one_thread),
                                    faster_text(published, time.one_thread)};
    if (several) {
      row.push_back(seconds_text(time.all_threads));
      row.push_back(faster_text(published, time.all_threads));
    }
    if (remarks) row.push_back(time.note);
    table.rows.push_back(std::move(row));
  }
  return section_html(
      "step-times", "Time of one training step",
      "<div class=\"wide\">\n" + table_html(table) + "</div>\n" +
          caption_html(
              "One step on all training rows of California Housing, without batches, where no "
              "remark says otherwise. The "
              "published times are those of the authors' processor and program, ours of "
              "the processor this page was made on: how many times faster speaks of both."));
}

std::string claims_html(const Reproduction& found) {
  std::vector<std::string> claims;
  for (const std::optional<PaperTable>* table : {&found.table1, &found.table2}) {
    if (!*table) continue;
    std::string claim = claim_html(**table);
    if (!claim.empty()) claims.push_back(std::move(claim));
  }
  return row_html(claims);
}

std::string provenance_html(const Reproduction& found, const std::string& command_line) {
  std::vector<ReportFact> facts = {
      {"paper", kPaper, ""},
      {"errors", "on held-out rows, of the target scaled to [0, 1] over all rows", ""},
      {"preset", found.preset.empty() ? "–" : found.preset, ""},
      {"seeds", format_count(found.seeds), ""},
      {"version", version(), ""}};
  for (const DataNote& data : found.data) {
    facts.push_back({data.name, fmt::format("{} rows from {}", format_count(data.rows), data.file),
                     data.verified ? "the known values" : "not the known values"});
  }
  if (!command_line.empty()) facts.push_back({"command", command_line, ""});
  return folded_html("Provenance", facts_table_html(facts), true);
}

}  // namespace

std::string reproduction_page(const Reproduction& found, const std::string& command_line) {
  std::string sections;
  std::vector<PageLink> links;
  const auto add = [&](const char* id, const std::string& name, const std::string& html) {
    if (html.empty()) return;
    sections += html;
    links.push_back({id, name});
  };
  if (found.table1) add("table-1", "Table 1", paper_table_html(*found.table1, "table-1"));
  if (found.table2) add("table-2", "Table 2", paper_table_html(*found.table2, "table-2"));
  if (found.figure2) add("figure-2", "Figure 2", figure2_html(*found.figure2));
  if (found.figure3) add("figure-3", "Figure 3", figure3_html(*found.figure3));
  if (found.figure4) add("figure-4", "Figure 4", figure4_html(*found.figure4));
  if (found.figure5) add("figure-5", "Figure 5", figure5_html(*found.figure5));
  add("step-times", "Step times", step_times_html(found));

  std::string page = page_begin("Reproduction of the PE-GNN paper", kPaper);
  page +=
      "<p class=\"lead\">Tables and figures of the paper, trained anew with pegnn, and the "
      "published numbers beside ours.</p>\n";
  if (found.quick) {
    page += banner_html(
        "A quick run: the networks were trained for far too few steps. The page shows what a "
        "reproduction holds; its numbers prove nothing.");
  }
  page += cards_html(cards(found));
  page += remarks_html(found.remarks);
  page += contents_html(links);
  page += claims_html(found);
  page += sections;
  return page + provenance_html(found, command_line) + page_end();
}

}  // namespace pegnn
