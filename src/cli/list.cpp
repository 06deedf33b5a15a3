// pegnn list: the parts a model can be made of.

#include <memory>

#include <fmt/core.h>

#include "base/json_writer.h"
#include "base/options.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/help.h"
#include "cli/output.h"
#include "cli/session.h"
#include "pegnn/error.h"
#include "pegnn/parts.h"
#include "pegnn/train.h"

namespace pegnn {
namespace {

struct Kind {
  std::string name;
  std::string option;    // how a part of this kind is asked for; empty: all are used
  std::string addition;  // what adding one takes
};

std::string addition(const char* folder, const char* list_file) {
  return fmt::format(
      "A new one is src/{0}/NAME.cpp, a line in src/{0}/{1}, tests/{0}/NAME_test.cpp and a row in "
      "docs/parts.md; docs/adding_a_backbone.md walks through one.",
      folder, list_file);
}

std::vector<Kind> kinds() {
  return {{"backbones", "--backbone", addition("backbone", "backbones.def")},
          {"baselines", "--model", addition("baseline", "baselines.def")},
          {"encoders", "--encoder", addition("encoder", "encoders.def")},
          {"heads", "--head", addition("head", "heads.def")},
          {"losses", "--loss", addition("loss", "losses.def")},
          {"metrics", "", addition("metric", "metrics.def")},
          {"neighbourhoods", "--neighbourhood", addition("neighbourhood", "neighbourhoods.def")},
          {"presets", "--preset", "Presets are described in docs/presets.md."}};
}

class List final : public Command {
 public:
  std::string_view summary() const override {
    return "List the parts a model can be made of, presets or options.";
  }
  std::string_view examples() const override {
    return "  pegnn list\n  pegnn list backbones\n  pegnn list options --preset paper --json\n";
  }
  std::vector<ArgumentGroup> arguments() override {
    return {{"Input and output",
             {{"KIND", "",
               "backbones, baselines, encoders, heads, losses, metrics, neighbourhoods, presets or "
               "options. [all parts]",
               &kind_},
              {"--preset", "NAME", "Whose options are listed. [default]", &asked_.preset},
              {"--model", "NAME", "For which model they are listed. [that of the preset]", &model_},
              json_.argument("As JSON, to FILE.json or standard output."),
              {"--overwrite", "", "Replace a JSON file that is already there.", &overwrite_}}}};
  }

  void run(Session& session) override {
    json_.open(overwrite_);
    if (kind_ == "options") {
      if (session.was_given("--model")) asked_.given.push_back({"model", model_, "--model"});
      const std::vector<OptionText> options = option_texts(options_for(asked_));
      return json_.emit(options_text(options), options_json(options));
    }
    for (const char* flag : {"--preset", "--model"}) {
      if (session.was_given(flag)) {
        throw Error(ErrorKind::usage, fmt::format("{}: for `pegnn list options` alone", flag));
      }
    }
    std::vector<std::string> names{"options"};
    std::string text;
    JsonWriter json(2);
    json.object([&] {
      for (const Kind& kind : kinds()) {
        names.push_back(kind.name);
        if (!kind_.empty() && kind_ != kind.name) continue;
        const std::string asked = kind.option.empty() ? "" : fmt::format(" ({} NAME)", kind.option);
        text += fmt::format("{}{}{}\n", text.empty() ? "" : "\n", kind.name, asked);
        const std::vector<Part> parts = list_parts(kind.name);
        for (const Part& part : parts) {
          text += help_row(part.name, part.summary);
          text += help_row("", fmt::format("({})", part.source));
        }
        json.list(kind.name, [&] { write(parts, json); });
        if (!kind_.empty()) text += '\n' + wrapped(kind.addition);
      }
    });
    if (text.empty()) throw Error(ErrorKind::usage, unknown_word("kind", kind_, names));
    json_.emit(text, json.text() + "\n");
  }

 private:
  static void write(std::span<const Part> parts, JsonWriter& json) {
    for (const Part& part : parts) {
      json.object([&] {
        json.field("name", part.name);
        json.field("summary", part.summary);
        json.field("source", part.source);
      });
    }
  }

  static std::string options_json(const std::vector<OptionText>& options) {
    JsonWriter json(2);
    json.list([&] {
      for (const OptionText& o : options) {
        json.object([&] {
          json.field("name", o.name);
          json.field("group", o.group);
          json.option("default", o);
          json.field("allowed", o.allowed);
          json.field("sentence", o.sentence);
        });
      }
    });
    return json.text() + "\n";
  }

  static std::string options_text(const std::vector<OptionText>& options) {
    std::string text, group;
    for (const OptionText& o : options) {
      if (o.group != group) text += fmt::format("{}{}\n", group.empty() ? "" : "\n", o.group);
      group = o.group;
      std::string allowed = (o.is_word ? "; one of " : "; ") + o.allowed;
      if (o.allowed.starts_with("see ") || o.is_switch) allowed.clear();  // goes without saying
      text += help_row("--" + o.name, fmt::format("{} [{}{}]", o.sentence, o.value, allowed));
    }
    return text;
  }

  std::string kind_, model_;
  OptionRequest asked_;
  bool overwrite_ = false;
  JsonOutput json_;
};

}  // namespace

extern constinit const CommandEntry list_command{
    "list", []() -> std::unique_ptr<Command> { return std::make_unique<List>(); }};

}  // namespace pegnn
