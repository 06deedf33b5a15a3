#include "io/canvas.h"

#include "io/canvas_entry.h"
#include "io/module.h"
#include "pegnn/version.h"

namespace pegnn {

std::unique_ptr<Canvas> create_canvas(std::int64_t width, std::int64_t height,
                                      std::string& why_not) {
  static const ModuleEntry module = open_module("pegnn_canvas", kCanvasEntry, "Pango");
  why_not = module.why_not;
  if (module.entry == nullptr) return nullptr;
  std::unique_ptr<Canvas> made(
      reinterpret_cast<CanvasEntry*>(module.entry)(version(), width, height));
  if (made == nullptr) why_not = "its module belongs to another version of pegnn";
  return made;
}

}  // namespace pegnn
