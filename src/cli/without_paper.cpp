// `pegnn reproduce` and `pegnn datasets` in a command that is built without paper/: they say so.

#include <memory>

#include "cli/command.h"
#include "pegnn/error.h"

namespace pegnn {
namespace {

class WithoutPaper final : public Command {
 public:
  std::string_view summary() const override {
    return "Not in this build, which is without the reproduction of the paper.";
  }
  std::string_view examples() const override { return ""; }
  // Asked for first, whatever words follow, --help among them.
  std::vector<ArgumentGroup> arguments() override { refuse(); }
  void run(Session&) override { refuse(); }

 private:
  [[noreturn]] static void refuse() {
    throw Error(ErrorKind::usage,
                "this build is without the reproduction of the paper and its data sets; build the "
                "command from the repository, with -DPEGNN_PAPER=ON");
  }
};

std::unique_ptr<Command> make() { return std::make_unique<WithoutPaper>(); }

}  // namespace

extern constinit const CommandEntry reproduce_command{"reproduce", &make};
extern constinit const CommandEntry datasets_command{"datasets", &make};

}  // namespace pegnn
