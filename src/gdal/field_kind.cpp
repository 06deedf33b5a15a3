#include "gdal/field_kind.h"

#include <algorithm>
#include <charconv>
#include <system_error>

#include "io/cell.h"

namespace pegnn::gdal_module {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

bool CellForm::fits_real() const {
  constexpr std::int64_t kExact = 1'000'000'000'000'000;  // formats of text write 15 digits
  return kind == Kind::real || (kind == Kind::integer && integer >= -kExact && integer <= kExact);
}

CellForm form_of(std::string_view cell, bool comma) {
  using Kind = CellForm::Kind;
  const CellKind found = classify_cell(cell, comma).kind;
  if (found != CellKind::number) return {found == CellKind::text ? Kind::text : Kind::missing};
  const bool sign = cell.starts_with('-') || cell.starts_with('+');
  const std::string_view digits = cell.substr(sign ? 1 : 0);
  if (digits.size() > 1 && digits[0] == '0' && is_digit(digits[1])) return {Kind::code};
  if (!std::all_of(digits.begin(), digits.end(), is_digit)) return {Kind::real};
  std::int64_t value = 0;
  const std::string_view plain = cell.starts_with('+') ? digits : cell;
  const auto [end, error] = std::from_chars(plain.data(), plain.data() + plain.size(), value);
  if (error != std::errc()) return {Kind::code};
  // 64 bits have no -0, and none keeps a plus.
  if (sign && (value == 0 || cell[0] == '+')) {
    return {CellForm{Kind::integer, value}.fits_real() ? Kind::real : Kind::code};
  }
  return {Kind::integer, value};
}

void ColumnKind::add(std::string_view cell, bool comma) {
  const CellForm form = form_of(cell, comma);
  if (form.kind == CellForm::Kind::missing) return;
  any_ = true;
  integers_ &= form.kind == CellForm::Kind::integer;
  reals_ &= form.fits_real();
}

FieldKind ColumnKind::kind(bool integers) const {
  if (!any_) return FieldKind::text;
  if (integers && integers_) return FieldKind::integer;
  return reals_ ? FieldKind::real : FieldKind::text;
}

}  // namespace pegnn::gdal_module
