// From what was asked for to options: the same for the command and for other callers.

#include <algorithm>

#include <fmt/core.h>

#include "base/options.h"
#include "base/text.h"
#include "head/head.h"
#include "model/model_kind.h"
#include "model/preset.h"
#include "pegnn/error.h"
#include "pegnn/train.h"

namespace pegnn {
namespace {

using Given = std::vector<GivenOption>;

// The last word on it; null where there is none.
const GivenOption* find(const Given& given, std::string_view name) {
  const auto found = std::find_if(given.rbegin(), given.rend(),
                                  [&](const GivenOption& option) { return option.name == name; });
  return found == given.rend() ? nullptr : &*found;
}

std::string origin_of(const GivenOption& option) {
  return option.origin.empty() ? option.name : option.origin;
}

std::string words_without(const std::string& words, auto&& unwanted) {
  std::vector<std::string> left = split_words(words);
  std::erase_if(left, unwanted);
  return left.empty() ? "none" : join(left, ",");
}

void take_name(Options& options, const ModelName& name) {
  options.model = name.model;
  if (name.backbone.empty()) return;
  options.backbone = name.backbone;
  if (!name.encoded) options.encoder = "none";
  if (name.encoded && options.encoder == "none") options.encoder = "grid";
  // Named with or without its encoder, it is not up to be chosen any more.
  options.choose =
      words_without(options.choose, [](const auto& word) { return word == "encoder"; });
  options.combine = "none";  // what is named stands alone
}

// A model's name stands for several options: single ones beside it win, so it comes first. Only the
// last name said, `model`, counts.
void apply(Options& options, const Given& given, const GivenOption* model) {
  for (const GivenOption& option : given) {
    if (option.name != "model") continue;
    const ModelName name = model_named(option.value, origin_of(option));
    if (&option == model) take_name(options, name);
  }
  for (const GivenOption& option : given) {
    if (option.name == "model") continue;
    set_option(options, option.name, option.value, origin_of(option));
  }
}

Options overlaid(Options options, const OptionRequest& request) {
  const GivenOption* model = find(request.given, "model");
  if (model == nullptr) model = find(request.file, "model");
  apply(options, request.file, model);
  apply(options, request.given, model);
  return options;
}

// The preset with what was said on top. Which model is asked for follows from the names that were
// said, never from what values look like; where it is not the preset's own, the preset may have
// other options for it.
Options merged(const OptionRequest& request) {
  const PresetEntry& preset = find_part(presets(), "preset", request.preset);
  const Options own = preset.make();
  Options options = overlaid(own, request);
  const bool other = options.model != own.model || options.backbone != own.backbone;
  return other && preset.make_other != nullptr ? overlaid(preset.make_other(), request) : options;
}

// A head that was asked for brings its own loss, unless one that fits was asked for too.
void take_loss_of_head(Options& options, const OptionRequest& request) {
  if (find(request.given, "loss") != nullptr || find(request.file, "loss") != nullptr) return;
  const HeadEntry& head = find_part(heads(), "head", options.head);
  const bool fits = std::ranges::find(head.losses, options.loss) != head.losses.end();
  if (!fits) options.loss = head.losses.front();
}

// What was given by itself is not chosen.
void leave_given_unchosen(Options& options, const OptionRequest& request) {
  options.choose = words_without(options.choose, [&](const std::string& word) {
    return find(request.given, word) != nullptr || find(request.file, word) != nullptr;
  });
}

// Options that a named model would ignore are a misunderstanding.
void refuse_contradictions(const Options& options, const Given& given) {
  const GivenOption* const model = find(given, "model");
  for (const char* name : {"backbone", "encoder"}) {
    const GivenOption* const part = find(given, name);
    if (part == nullptr) continue;
    if (!kind_of(options).traits().of_parts) {
      throw Error(ErrorKind::usage, fmt::format("<option:model> {} has no network; leave out {}",
                                                options.model, origin_of(*part)));
    }
    if (model == nullptr || model_named(model->value, {}).backbone.empty()) continue;
    const bool encoder_of_pe = part->name == "encoder" && model->value.starts_with("pe-");
    if (encoder_of_pe && options.encoder != "none") continue;
    throw Error(ErrorKind::usage, fmt::format("{} {} says which network is trained; leave out {}",
                                              origin_of(*model), model->value, origin_of(*part)));
  }
}

}  // namespace

Options options_for(const OptionRequest& request) {
  Options options = merged(request);
  take_loss_of_head(options, request);
  leave_given_unchosen(options, request);
  refuse_contradictions(options, request.given);
  check_options(options);
  return options;
}

Options preset(const std::string& name) { return options_for({.preset = name}); }

Options named_model(const std::string& name, const std::string& preset) {
  return options_for({.preset = preset, .given = {{"model", name, "<option:model>"}}});
}

}  // namespace pegnn
