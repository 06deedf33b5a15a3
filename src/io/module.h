#pragma once
// Libraries of our own that are loaded when they are first needed, with what hangs on them.

#include <string>
#include <string_view>

namespace pegnn {

// One of the two.
struct ModuleEntry {
  void* entry = nullptr;  // the one symbol that the module shows
  std::string why_not;    // as the end of a sentence
};

// From beside the program or library that this code is part of, or from where such modules are
// installed. `library` is what messages call it by. Nothing is unloaded again.
ModuleEntry open_module(const std::string& name, const char* entry, std::string_view library);

}  // namespace pegnn
