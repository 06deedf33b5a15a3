#pragma once
// The one symbol that the module of pictures shows.

#include <cstdint>
#include <string_view>

namespace pegnn {

class Canvas;

// The caller owns what it gets. Null when the module belongs to another version: its classes may be
// laid out differently.
using CanvasEntry = Canvas*(std::string_view version, std::int64_t width, std::int64_t height);
inline constexpr const char* kCanvasEntry = "pegnn_canvas_entry";

}  // namespace pegnn
