#pragma once
// What stands in one cell of a delimited file: a number, nothing, or text.

#include <cfloat>
#include <cstdint>
#include <string_view>

namespace pegnn {

enum class CellKind { number, missing, text };

struct Cell {
  CellKind kind = CellKind::missing;
  double value = 0;  // of a number; may be infinite
  char mark = '\0';  // decimal mark of a number, '.' or ',', or 0 when it has none
};

// `text` is the cell without quotes and surrounding spaces. Numbers are what std::from_chars reads,
// a leading '+', and inf or infinity in any case; past the range of double they become infinite or
// zero. With `comma`, one comma may stand for the point.
Cell classify_cell(std::string_view text, bool comma);

// The quick way for nearly all cells: reads a plain decimal such as -12.5 at `p` and returns the
// byte after it, or null when something else stands there or when the digits are too many for exact
// arithmetic; `value` is then untouched. The bytes at `p` must end in a byte that is not a digit.
// `mark` is the decimal mark; a digit as `mark` says that none is allowed.
// Here and not in the source file, because the reader's inner loop lives on it being inlined.
inline const char* scan_decimal(const char* p, char mark, double& value) {
  // Powers of ten that a double holds exactly.
  static constexpr double kPowers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                       1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                       1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  constexpr std::int64_t kMostDigits = 19;  // any 19 digits fit into 64 bits
  constexpr std::uint64_t kExact = std::uint64_t{1} << 53;
#if FLT_EVAL_METHOD != 0
  return nullptr;  // the division below must round once, to double
#endif
  const bool negative = *p == '-';
  if (negative) ++p;
  const char* const first = p;
  std::uint64_t digits = 0;
  unsigned digit = 0;
  for (; (digit = static_cast<unsigned>(static_cast<unsigned char>(*p)) - '0') < 10; ++p) {
    digits = digits * 10 + digit;
  }
  std::int64_t count = p - first, decimals = 0;
  if (*p == mark) {
    const char* const point = ++p;
    for (; (digit = static_cast<unsigned>(static_cast<unsigned char>(*p)) - '0') < 10; ++p) {
      digits = digits * 10 + digit;
    }
    decimals = p - point;
    count += decimals;
  }
  // Whole number and power of ten are exact, so that their quotient is the correctly rounded value
  // (Clinger, "How to read floating point numbers accurately", PLDI 1990).
  if (count == 0 || count > kMostDigits || digits > kExact) return nullptr;
  const double magnitude =
      static_cast<double>(static_cast<std::int64_t>(digits)) / kPowers[decimals];
  value = negative ? -magnitude : magnitude;
  return p;
}

}  // namespace pegnn
