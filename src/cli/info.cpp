// pegnn info: what a model file holds.

#include <memory>

#include "cli/command.h"
#include "cli/output.h"
#include "flow/input.h"
#include "flow/model_text.h"
#include "pegnn/model.h"

namespace pegnn {
namespace {

class Info final : public Command {
 public:
  std::string_view summary() const override { return "Show what a model file holds."; }
  std::string_view examples() const override {
    return "  pegnn info model\n  pegnn info model/model.safetensors --json\n";
  }
  std::vector<ArgumentGroup> arguments() override {
    return {{"Input and output",
             {{.flags = "MODEL",
               .value = "",
               .sentence = "Folder made by `pegnn train`, or a model file.",
               .target = &model_,
               .required = true},
              json_.argument("As JSON, to FILE.json or standard output."),
              {"--overwrite", "", "Replace a JSON file that is already there.", &overwrite_}}}};
  }

  void run(Session&) override {
    json_.open(overwrite_);
    const ModelInfo info = Model::load(model_file(model_)).info();
    json_.emit(model_text(info), model_json(info));
  }

 private:
  std::string model_;
  bool overwrite_ = false;
  JsonOutput json_;
};

}  // namespace

extern constinit const CommandEntry info_command{
    "info", []() -> std::unique_ptr<Command> { return std::make_unique<Info>(); }};

}  // namespace pegnn
