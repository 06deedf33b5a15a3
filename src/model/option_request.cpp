// From what was asked for to options: the same for the command and for other callers.

#include <algorithm>

#include <fmt/core.h>

#include "base/options.h"
#include "base/text.h"
#include "model/preset.h"
#include "pegnn/error.h"
#include "pegnn/train.h"

namespace pegnn {
namespace {

using Given = std::vector<GivenOption>;

const GivenOption* find(const Given& given, std::string_view name) {
  const auto found = std::ranges::find(given, name, &GivenOption::name);
  return found == given.end() ? nullptr : &*found;
}

// A model's name stands for several options: single ones beside it win, so it comes first.
void apply(Options& options, const Given& given) {
  for (const GivenOption& option : given) {
    if (option.name == "model") choose_model(options, option.value);
    if (option.name == "backbone") choose_backbone(options, option.value);
  }
  for (const GivenOption& option : given) {
    if (option.name != "model") set_option(options, option.name, option.value, option.origin);
  }
}

// What was given by itself is not chosen.
void leave_given_unchosen(Options& options, const OptionRequest& request) {
  std::vector<std::string> left;
  for (const std::string& word : split_words(options.choose)) {
    if (find(request.given, word) == nullptr && find(request.file, word) == nullptr) {
      left.push_back(word);
    }
  }
  options.choose = left.empty() ? "none" : join(left, ",");
}

// Options that a named model would ignore are a misunderstanding.
void refuse_contradictions(const Options& options, const Given& given) {
  const GivenOption* const model = find(given, "model");
  for (const char* name : {"backbone", "encoder"}) {
    const GivenOption* const part = find(given, name);
    if (part == nullptr) continue;
    if (options.model != "network") {
      throw Error(ErrorKind::usage, fmt::format("--model {} has no network; leave out {}",
                                                options.model, part->origin));
    }
    if (model == nullptr || model->value == "network") continue;
    const bool encoder_of_pe = part->name == "encoder" && model->value.starts_with("pe-");
    if (encoder_of_pe && options.encoder != "none") continue;
    throw Error(ErrorKind::usage, fmt::format("{} {} says which network is trained; leave out {}",
                                              model->origin, model->value, part->origin));
  }
}

}  // namespace

Options options_for(const OptionRequest& request) {
  Options options = preset_options(request.preset);
  apply(options, request.file);
  apply(options, request.given);
  leave_given_unchosen(options, request);
  refuse_contradictions(options, request.given);
  check_options(options);
  return options;
}

}  // namespace pegnn
