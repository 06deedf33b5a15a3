#pragma once
// Text in other encodings than UTF-8.

#include <memory>
#include <string>

#include "io/byte_source.h"

namespace pegnn {

// `bytes`, which are text in `encoding` (latin1, windows-1252, utf-16, ...: what iconv knows, in
// any case), as UTF-8. Error{usage} at once for an encoding that is not known; reading is an
// Error{data} naming `source` where the bytes are not of that encoding.
std::unique_ptr<ByteSource> decoded(std::unique_ptr<ByteSource> bytes, const std::string& encoding,
                                    const std::string& source);

}  // namespace pegnn
