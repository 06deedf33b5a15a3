#pragma once
// What kind of field keeps the cells of a CSV column as they are.

#include <cstdint>
#include <string_view>

namespace pegnn::gdal_module {

enum class FieldKind { text, integer, real };

// How a cell is written.
struct CellForm {
  enum class Kind {
    missing,  // nothing, NA
    integer,  // 12, -3: a whole number in plain form that 64 bits hold
    real,     // any other number
    code,     // 00501, or a whole number of more digits: as a number it would not be the same
    text
  };
  Kind kind = Kind::missing;
  std::int64_t integer = 0;

  // Whether it is a number that a field of reals keeps, but for its last decimals.
  bool fits_real() const;
};

// `cell` is without quotes and surrounding spaces; with `comma`, a comma may stand for the point.
CellForm form_of(std::string_view cell, bool comma);

// Looks at the cells of a column one after the other.
class ColumnKind {
 public:
  void add(std::string_view cell, bool comma);
  // integer where every cell is and the format has `integers`, real where every cell is a number
  // that a double holds, else text; missing cells do not count. A column without any value is text.
  FieldKind kind(bool integers) const;

 private:
  bool any_ = false, integers_ = true, reals_ = true;
};

}  // namespace pegnn::gdal_module
