#pragma once
// What the fuzz targets share: values drawn from bytes, and a word on what does not hold.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>

#include <fuzzer/FuzzedDataProvider.h>

#include "pegnn/error.h"

namespace pegnn::fuzz {

// Numbers are drawn from the end of the bytes, text from their beginning, so that the files of a
// corpus read like what the target reads, with a few bytes behind it.
using Bytes = FuzzedDataProvider;

// Ends the process, which is how libFuzzer learns of a finding, with a sentence that says what
// should have been.
inline void must(bool holds, std::string_view sentence, std::string_view seen = {}) {
  if (holds) return;
  std::fprintf(stderr, "must hold: %.*s\n", static_cast<int>(sentence.size()), sentence.data());
  if (!seen.empty())
    std::fprintf(stderr, "  seen: %.*s\n", static_cast<int>(seen.size()), seen.data());
  std::abort();
}

// Equal in every bit, so that NaN equals itself and 0 differs from -0.
inline bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}
inline bool same_bits(std::span<const double> a, std::span<const double> b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!same_bits(a[i], b[i])) return false;
  }
  return true;
}

// What f() came to: nothing, or what it refused with. Exceptions other than Error go through and
// are findings.
struct Refusal {
  bool refused = false;
  ErrorKind kind = ErrorKind::failure;
  std::string message = {};

  friend bool operator==(const Refusal&, const Refusal&) = default;
};

template <class F>
Refusal refusal_of(F&& f) {
  try {
    f();
  } catch (const Error& error) {
    return {true, error.kind(), error.what()};
  }
  return {};
}

// Refused with that kind, or not at all.
inline bool accepted(const Refusal& refusal, ErrorKind allowed) {
  if (!refusal.refused) return true;
  must(refusal.kind == allowed, "the error is of the kind that the caller can expect",
       refusal.message);
  return false;
}

}  // namespace pegnn::fuzz
