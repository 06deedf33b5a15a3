#include "paper/report/reproduction_text.h"

#include <cmath>

#include <fmt/core.h>

#include "base/text.h"
#include "paper/report/agreement.h"

namespace pegnn {
namespace {

// Letters, not bytes: "λ" is one.
std::string padded(const std::string& text, std::size_t width) {
  std::size_t letters = 0;
  for (const char c : text) letters += (static_cast<unsigned char>(c) & 0xc0U) != 0x80U ? 1 : 0;
  return text + std::string(letters < width ? width - letters : 0, ' ');
}

std::string figure(double value) { return std::isfinite(value) ? format_short(value, 3) : "-"; }

std::string table_text(const PaperTable& table) {
  constexpr std::size_t kName = 28, kColumn = 28;
  std::string text = table.title + "\n" + padded("test MSE: ours, paper", kName);
  for (const std::string& column : table.columns) text += padded(column, kColumn);
  text += "\n";
  for (const TableRow& row : table.rows) {
    if (row.line_above) text += std::string(kName + kColumn * table.columns.size(), '-') + "\n";
    std::string line = padded(row.name, kName);
    for (const TableCell& cell : row.cells) {
      line += padded(
          fmt::format("{:<9} {:<8} {}", figure(cell.ours.mse),
                      row.in_paper ? figure(cell.published.mse) : "",
                      cell.comparable ? difference_text(cell.ours.mse, cell.published.mse) : ""),
          kColumn);
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

std::string step_text(const Reproduction& found) {
  std::string text = fmt::format("{:<28}{:>10}{:>12}{:>12}\n", "seconds of a full-batch step",
                                 "paper", "1 thread", fmt::format("{} threads", found.threads));
  for (const StepTime& time : found.step_times) {
    text += fmt::format("{:<28}{:>10}{:>12}{:>12}\n", time.name, figure(time.published),
                        figure(time.one_thread), figure(time.all_threads));
  }
  return text;
}

}  // namespace

std::string reproduction_text(const Reproduction& found) {
  std::string text;
  for (const auto* table : {&found.table1, &found.table2}) {
    if (*table) text += table_text(**table) + "\n";
  }
  if (!found.step_times.empty()) text += step_text(found) + "\n";
  return text.empty() ? text : text.substr(0, text.size() - 1);
}

}  // namespace pegnn
