#pragma once
// The JSON header of a safetensors file: text in, checked entries out. Knows nothing of the data.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/array.h"
#include "model/safetensors.h"

namespace pegnn {

// A tensor as the header describes it. Offsets are relative to the start of the data, begin <= end,
// and end - begin is the number of bytes the shape needs.
struct HeaderEntry {
  std::string name;
  Dtype dtype = Dtype::f32;
  Array<std::int64_t> shape;
  std::uint64_t begin = 0, end = 0;
};

struct Header {
  std::vector<HeaderEntry> tensors;             // in the order of the file
  std::map<std::string, std::string> metadata;  // without the header's own checksum
};

// The header as it stands in the file, padded, with its own checksum in place.
std::string write_header(const Header& header, const std::string& source);

// Checks the checksum, then every entry by itself: no repeated or unknown key, a known dtype, a
// shape whose size fits into 64 bits. Whether the ranges fit together is the caller's to check.
// Error{model} otherwise.
Header read_header(std::string_view text, const std::string& source);

// xxHash-64 with seed 0 as 16 lower-case hex digits.
std::string checksum(std::string_view bytes);

}  // namespace pegnn
