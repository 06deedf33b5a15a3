// Config files: the text either gives options, whose own config file gives the same ones again, or
// is refused with Error{usage}.

#include <functional>

#include "base/options.h"
#include "cli/config.h"
#include "fuzz.h"

namespace pegnn::fuzz {
namespace {

void check(std::string_view text) {
  OptionRequest request;
  const Refusal parsed = refusal_of([&] { request = parse_config(text, "run.toml"); });
  if (!accepted(parsed, ErrorKind::usage)) return;
  Options options;
  const Refusal resolved = refusal_of([&] { options = options_for(request); });
  if (!accepted(resolved, ErrorKind::usage)) return;

  // Its own file is long: not for every text.
  if (std::hash<std::string_view>{}(text) % 4 != 0) return;
  Options again;
  const Refusal repeated =
      refusal_of([&] { again = options_for(parse_config(options_toml(options), "written.toml")); });
  must(!repeated.refused, "the config file of options can be read", repeated.message);
  // What is named is no longer chosen by trial, and a written file names everything.
  again.choose = options.choose;
  must(again == options, "the config file of options gives the same options");
}

}  // namespace
}  // namespace pegnn::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  pegnn::fuzz::check({reinterpret_cast<const char*>(data), size});
  return 0;
}
