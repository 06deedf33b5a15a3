#include "model/model_kind.h"

#include <fmt/core.h>

#include "base/text.h"
#include "model/kinds.h"
#include "model/state.h"
#include "pegnn/error.h"

namespace pegnn {

Span<const ModelKind* const> model_kinds() {
  static const std::vector<const ModelKind*> kAll = [] {
    std::vector<const ModelKind*> all = baseline_kinds();
    all.push_back(&network_kind());
    return all;
  }();
  return kAll;
}

std::vector<std::string> kind_names() {
  std::vector<std::string> names;
  for (const ModelKind* kind : model_kinds()) names.emplace_back(kind->traits().name);
  return names;
}

const ModelKind* find_kind(std::string_view model) {
  for (const ModelKind* kind : model_kinds()) {
    if (kind->traits().name == model) return kind;
  }
  return nullptr;
}

const ModelKind& kind_of(const Options& options) {
  if (const ModelKind* const kind = find_kind(options.model)) return *kind;
  throw Error(ErrorKind::usage,
              "<option:model>: " + unknown_word("model", options.model, kind_names()));
}

const ModelKind& kind_of(const ModelState& state) {
  return state.parts.empty() ? kind_of(state.options) : combined_kind();
}

void ModelKind::set_graph(ModelState&, const std::string&) const {
  throw Error(ErrorKind::usage,
              fmt::format("<option:graph>: a {} model has no graph", traits_.name));
}

void require_weighing(const Options& options) {
  if (kind_of(options).traits().weighs_rows) return;
  std::vector<std::string> able;
  for (const ModelKind* kind : baseline_kinds()) {
    if (kind->traits().weighs_rows) able.emplace_back(kind->traits().name);
  }
  throw Error(ErrorKind::usage, fmt::format("{} cannot weigh rows: leave out <option:weight>, or "
                                            "choose a network or one of {} by <option:model>",
                                            options.model, join(able, ", ")));
}

}  // namespace pegnn
