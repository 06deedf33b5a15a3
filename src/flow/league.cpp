// A league as text: ranked, judged, within 100 columns; as JSON and as a page.

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "base/text.h"
#include "flow/figures.h"
#include "flow/results.h"
#include "geo/length.h"
#include "report/league_page.h"

namespace pegnn {
namespace {

constexpr std::size_t kWidth = 100;

std::string figure(double value, int digits) {
  return std::isfinite(value) ? format_short(value, digits) : "-";
}

// Short enough for its column whatever it is.
std::string fixed(double value, int decimals) {
  return std::isfinite(value) ? fmt::format("{:.{}f}", value, decimals) : "-";
}

std::string lead_text(double lead) {
  if (!std::isfinite(lead) || lead == 0) return "-";
  if (lead >= 9.995) return fmt::format("x{}", format_short(lead + 1, 2));
  return fmt::format("+{}%", format_short(100 * lead, lead < 0.0995 ? 2 : 3));
}

std::string p_text(double p) {
  if (!std::isfinite(p)) return "-";
  return p < 0.01 ? fmt::format("{:.4f}", p) : fmt::format("{:.2f}", p);
}

std::string seconds_text(double seconds) {
  return seconds < 100 ? fmt::format("{:.1f}", seconds) : fmt::format("{:.0f}", seconds);
}

std::string line(std::string_view rank, std::string_view name, std::size_t name_width,
                 const std::vector<std::string>& cells) {
  constexpr int kWidths[] = {9, 7, 9, 6, 10, 5, 6, 6, 6};
  std::string text = fmt::format("{:>2}  {:<{}}", rank, name, name_width);
  for (std::size_t c = 0; c + 1 < cells.size(); ++c) {
    text += fmt::format(" {:>{}}", cells[c], kWidths[c]);
  }
  return text + " " + cells.back() + "\n";
}

std::string trained_line(const LeagueRow& row, std::size_t rank, std::size_t name_width) {
  const Evaluation& e = row.evaluation;
  return line(std::to_string(rank), e.model, name_width,
              {figure(e.mean["rmse"], 4), e.folds.size() > 1 ? figure(e.sd["rmse"], 2) : "-",
               figure(e.mean["mae"], 4), fixed(e.mean["r2"], 3), figure(e.mean["mse_minmax"], 4),
               fixed(e.residual_moran, 2), seconds_text(e.train_seconds() + e.predict_seconds()),
               lead_text(row.lead), p_text(row.p_holm), name_of(row.verdict)});
}

std::string failed_line(const LeagueRow& row, std::size_t name_width) {
  std::string text = fmt::format("{:>2}  {:<{}}  not trained: {}", "-", row.evaluation.model,
                                 name_width, row.reason);
  if (text.size() > kWidth) text = text.substr(0, kWidth - 3) + "...";
  return text + "\n";
}

std::string how_it_was_made(const Comparison& c) {
  const auto first = std::find_if(c.rows.begin(), c.rows.end(), [](const LeagueRow& row) {
    return row.verdict != Verdict::not_trained;
  });
  const SchemeInfo& scheme = c.scheme;
  const auto length = [&](double units) { return length_text(units, scheme.metres_per_unit); };
  std::string text = scheme.scheme;
  if (scheme.block_size > 0) text += " of " + length(scheme.block_size);
  if (!scheme.fold_column.empty()) text += " " + scheme.fold_column;
  if (scheme.scheme == "knndm") text += fmt::format(" (W {})", length(scheme.knndm_w));
  if (scheme.buffer > 0) text += fmt::format(", buffer of {}", length(scheme.buffer));
  if (c.folds > 1) text += fmt::format(", {} folds", c.folds);
  if (c.repeats > 1) {
    const bool splits = c.folds == 1 && scheme.redrawn;
    text += fmt::format(", {} {}", c.repeats, splits ? "splits" : "repeats");
  }
  if (first != c.rows.end()) {
    text += fmt::format(", {} rows held out", format_count(first->evaluation.mean.rows));
    text += fmt::format(", {} train", format_count(first->evaluation.folds.front().train_rows));
  }
  return text + (c.interrupted ? "; interrupted, not all models are here\n" : "\n");
}

// Of a model that was trained: its figures, and what only a league has.
void write_trained(const LeagueRow& row, std::size_t rank, JsonWriter& json) {
  write_evaluation(row.evaluation, json);
  json.field("rank", rank);
  json.field("train_seconds", row.evaluation.train_seconds());
  json.field("predict_seconds", row.evaluation.predict_seconds());
  json.field("lead", row.lead);
  json.field("p", row.p);
  json.field("p_holm", row.p_holm);
  json.field("verdict", name_of(row.verdict));
}

void write_failed(const LeagueRow& row, const std::string& scheme, JsonWriter& json) {
  json.field("model", row.evaluation.model);
  json.field("scheme", scheme);
  json.field("verdict", name_of(row.verdict));
  json.field("error", row.reason);
}

}  // namespace

std::string comparison_json(const Comparison& comparison, const std::string& command) {
  JsonWriter json(2);
  std::size_t rank = 0;
  const auto write_row = [&](const LeagueRow& row) {
    if (row.verdict == Verdict::not_trained) {
      write_failed(row, comparison.scheme.scheme, json);
    } else {
      write_trained(row, ++rank, json);
    }
  };
  json.object([&] {
    json.list("rows", [&] {
      for (const LeagueRow& row : comparison.rows) json.object([&] { write_row(row); });
    });
    json.field("split_seed", comparison.split_seed);
    json.list("warnings", comparison.warnings);
    json.field("command", command);
    if (comparison.interrupted) json.field("interrupted", true);
  });
  return json.text() + "\n";
}

std::string comparison_page(const Comparison& comparison, const std::string& source,
                            const Roles& roles, const std::string& command) {
  return league_page(comparison, source, roles, command);
}

std::string comparison_table(const Comparison& comparison) {
  std::size_t name_width = 5, rank = 0;
  for (const LeagueRow& row : comparison.rows) {
    name_width = std::max(name_width, row.evaluation.model.size());
  }
  std::string text = how_it_was_made(comparison);
  text +=
      line("#", "model", name_width,
           {"rmse", "+- sd", "mae", "r2", "mse_minmax", "moran", "sec", "lead", "p", "verdict"});
  bool several = false;
  for (const LeagueRow& row : comparison.rows) {
    const bool trained = row.verdict != Verdict::not_trained;
    several = several || (trained && rank > 0);
    text += trained ? trained_line(row, ++rank, name_width) : failed_line(row, name_width);
  }
  text += "moran: Moran's I of the residuals; sec: one training and its predictions";
  if (several) {
    text +=
        ";\nlead of the best in mean squared error; p: chance of such a lead among equals (signs "
        "of "
        "spatial\nblocks drawn at random, corrected for the number of models); worse: p < 0.05";
  }
  return text + "\n";
}

}  // namespace pegnn
