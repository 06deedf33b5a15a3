#include "paper/report/agreement.h"

#include <cmath>

#include <fmt/core.h>

#include "paper/report/paper_rows.h"
#include "report/axis.h"

namespace pegnn {
namespace {

bool positive(double value) { return plottable(value) && value > 0; }

// Four decimals, or so many more that the last of them counts `least` or more.
std::string decimals_text(double value, double least) {
  if (!plottable(value)) return "–";
  const double size = std::fabs(value);
  if (size >= 10 || (size < 1e-6 && size > 0)) return display_number(value, 3);
  int decimals = 4;
  while (size > 0 && size * std::pow(10.0, decimals) < least) ++decimals;
  return fmt::format("{}{:.{}f}", value < 0 ? "−" : "", size, decimals);
}

}  // namespace

Agreement agreement(double ours, double other) {
  if (!positive(ours) || !positive(other)) return Agreement::unknown;
  const double share = ours / other - 1;
  // 0.0115 is 15 % more than 0.01, whatever the last bit says.
  if (std::fabs(share) <= kNearShare + 1e-9) return Agreement::near;
  return share < 0 ? Agreement::below : Agreement::above;
}

std::string difference_text(double ours, double other) {
  if (agreement(ours, other) == Agreement::unknown) return {};
  const double ratio = ours / other;
  if (ratio >= 9.995) return fmt::format("×{}", display_number(ratio, 2));
  const double share = 100 * (ratio - 1);
  const auto percent = std::lround(share);
  // Just beyond what counts as near must not look as if it were.
  if (agreement(ours, other) != Agreement::near && std::fabs(share) < 100 * kNearShare + 0.5) {
    return fmt::format("{}{:.1f}\u202f%", share < 0 ? "−" : "+", std::fabs(share));
  }
  if (percent == 0) return "0\u202f%";
  return fmt::format("{}{}\u202f%", percent < 0 ? "−" : "+", std::labs(percent));
}

std::string error_text(double error) { return decimals_text(error, 9.5); }

std::string spread_text(double deviation) { return decimals_text(deviation, 0.95); }

void Tally::add(double ours, double published) {
  const Agreement how = agreement(ours, published);
  near += how == Agreement::near ? 1 : 0;
  below += how == Agreement::below ? 1 : 0;
  above += how == Agreement::above ? 1 : 0;
  missing += plottable(published) && !plottable(ours) ? 1 : 0;
}

void TableTally::add(const PaperTable& table) {
  for (const TableRow& row : table.rows) {
    if (!row.in_paper) continue;
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      const TableCell& cell = cell_of(row, c);
      if (!cell.comparable) continue;
      mse.add(cell.ours.mse, cell.published.mse);
      mae.add(cell.ours.mae, cell.published.mae);
      if (with_encoder(row)) {
        pe_mse.add(cell.ours.mse, cell.published.mse);
        pe_mae.add(cell.ours.mae, cell.published.mae);
      }
      shared += shared_with_independent(cell) ? 1 : 0;
    }
  }
}

bool shared_with_independent(const TableCell& cell) {
  const Agreement published = agreement(cell.ours.mse, cell.published.mse);
  return (published == Agreement::below || published == Agreement::above) &&
         agreement(cell.ours.mse, cell.independent.mse) == Agreement::near &&
         agreement(cell.independent.mse, cell.published.mse) != Agreement::near;
}

}  // namespace pegnn
