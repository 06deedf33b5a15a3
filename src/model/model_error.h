#pragma once
// What is wrong with a model file, in words fit to be read whatever the file holds.

#include <string>
#include <string_view>

#include "base/text.h"
#include "pegnn/error.h"

namespace pegnn {

// Throws Error{model}: the file, then what is wrong. Texts out of the file may stand in `what`.
[[noreturn]] inline void refuse_model(const std::string& source, std::string_view what) {
  constexpr std::size_t kMostBytes = 600;
  throw Error(ErrorKind::model, source + ": " + legible(what, kMostBytes));
}

}  // namespace pegnn
