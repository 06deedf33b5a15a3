// Pictures: areas by Cairo, text by Pango, which looks for fonts by fontconfig.

#include <pango/pangocairo.h>

#include <algorithm>
#include <cmath>
#include <new>
#include <vector>

#include "io/canvas.h"
#include "pegnn/error.h"

namespace pegnn {
namespace {

// What a C library made, given back by its function.
template <auto give_back>
struct GiveBack {
  template <class T>
  void operator()(T* made) const {
    give_back(made);
  }
};
template <class T, auto give_back>
using Made = std::unique_ptr<T, GiveBack<give_back>>;

using Text = Made<char, g_free>;

Text valid_text(std::string_view text) {
  return Text(g_utf8_make_valid(text.data(), static_cast<gssize>(text.size())));
}
// For the letters that Cairo has of its own, which are those of ASCII: "é" becomes "e".
Text plain_text(std::string_view text) { return Text(g_str_to_ascii(valid_text(text).get(), "C")); }

class CairoCanvas final : public Canvas {
 public:
  CairoCanvas(std::int64_t width, std::int64_t height)
      : surface_(cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(width),
                                            static_cast<int>(height))),
        cairo_(cairo_create(surface_.get())),
        fonts_(pango_cairo_font_map_new()),
        context_(pango_font_map_create_context(fonts_.get())),
        layout_(pango_layout_new(context_.get())) {
    cairo_set_source_rgb(cairo_.get(), 1, 1, 1);
    cairo_paint(cairo_.get());
    check();
    // The same on every desk: grey edges, strokes on whole pixels upwards and letters along.
    const Made<cairo_font_options_t, cairo_font_options_destroy> options(
        cairo_font_options_create());
    cairo_font_options_set_antialias(options.get(), CAIRO_ANTIALIAS_GRAY);
    cairo_font_options_set_hint_style(options.get(), CAIRO_HINT_STYLE_SLIGHT);
    cairo_font_options_set_hint_metrics(options.get(), CAIRO_HINT_METRICS_ON);
    pango_cairo_context_set_font_options(context_.get(), options.get());
    cairo_set_font_options(cairo_.get(), options.get());
    pango_layout_set_single_paragraph_mode(layout_.get(), TRUE);
    pango_layout_set_auto_dir(layout_.get(), FALSE);  // Arabic too begins where it is put
    pango_layout_set_ellipsize(layout_.get(), PANGO_ELLIPSIZE_END);
    set("0", {}, kNoEnd);
    no_font_ = pango_layout_get_unknown_glyphs_count(layout_.get()) > 0;
  }

  void fill(const Box& box, Rgb colour) override {
    cairo_set_source_rgb(cairo_.get(), colour.r, colour.g, colour.b);
    cairo_rectangle(cairo_.get(), box.left, box.top, box.width(), box.height());
    cairo_fill(cairo_.get());
  }

  void triangle(Pixel a, Pixel b, Pixel c, Rgb colour) override {
    cairo_set_source_rgb(cairo_.get(), colour.r, colour.g, colour.b);
    for (const Pixel& corner : {a, b, c}) cairo_line_to(cairo_.get(), corner.x, corner.y);
    cairo_fill(cairo_.get());
  }

  void pixels(std::int64_t left, std::int64_t top, std::int64_t width,
              std::span<const std::uint32_t> colours) override {
    std::vector<std::uint32_t> copy(colours.begin(), colours.end());  // Cairo takes no const
    const auto height = static_cast<std::int64_t>(colours.size()) / width;
    const Made<cairo_surface_t, cairo_surface_destroy> image(cairo_image_surface_create_for_data(
        reinterpret_cast<unsigned char*>(copy.data()), CAIRO_FORMAT_RGB24, static_cast<int>(width),
        static_cast<int>(height), static_cast<int>(4 * width)));
    const auto x = static_cast<double>(left), y = static_cast<double>(top);
    cairo_set_source_surface(cairo_.get(), image.get(), x, y);
    cairo_rectangle(cairo_.get(), x, y, static_cast<double>(width), static_cast<double>(height));
    cairo_fill(cairo_.get());
    cairo_set_source_rgb(cairo_.get(), 0, 0, 0);  // lets go of the image
  }

  double text_width(std::string_view text, TextStyle style, double most) override {
    if (no_font_) return std::min(plain_width(plain_text(text), style), most);
    set(text, style, most);
    return layout_width();
  }

  void text(Pixel at, std::string_view text, TextStyle style, Rgb colour, Anchor anchor,
            double most) override {
    const double share = anchor == Anchor::start ? 0 : anchor == Anchor::middle ? 0.5 : 1;
    cairo_set_source_rgb(cairo_.get(), colour.r, colour.g, colour.b);
    if (no_font_) {
      draw_plain(at, plain_text(text), style, share, most);
      return;
    }
    set(text, style, most);
    unknown_ = unknown_ || pango_layout_get_unknown_glyphs_count(layout_.get()) > 0;
    const double rise = static_cast<double>(pango_layout_get_baseline(layout_.get())) / PANGO_SCALE;
    cairo_move_to(cairo_.get(), std::round(at.x - share * layout_width()), std::round(at.y) - rise);
    pango_cairo_show_layout(cairo_.get(), layout_.get());
  }

  std::string font_note() const override {
    if (no_font_) {
      return "there is no font on this machine, and plain letters of ASCII stand in; install one "
             "(Debian: fonts-dejavu-core)";
    }
    return unknown_ ? "no font on this machine has all characters of its text; those without are "
                      "boxes (Debian: fonts-noto-core, fonts-noto-cjk)"
                    : "";
  }

  std::string png(std::int64_t width, std::int64_t height) override {
    check();
    cairo_surface_flush(surface_.get());
    const Made<cairo_surface_t, cairo_surface_destroy> part(cairo_image_surface_create_for_data(
        cairo_image_surface_get_data(surface_.get()), CAIRO_FORMAT_RGB24, static_cast<int>(width),
        static_cast<int>(height), cairo_image_surface_get_stride(surface_.get())));
    std::string bytes;
    const auto append = [](void* to, const unsigned char* data, unsigned size) {
      try {
        static_cast<std::string*>(to)->append(reinterpret_cast<const char*>(data), size);
        return CAIRO_STATUS_SUCCESS;
      } catch (const std::bad_alloc&) {
        return CAIRO_STATUS_NO_MEMORY;  // nothing may be thrown through C
      }
    };
    check(cairo_surface_write_to_png_stream(part.get(), append, &bytes));
    return bytes;
  }

 private:
  void check() const { check(cairo_status(cairo_.get())); }
  static void check(cairo_status_t status) {
    if (status == CAIRO_STATUS_SUCCESS) return;
    throw Error(status == CAIRO_STATUS_NO_MEMORY ? ErrorKind::memory : ErrorKind::failure,
                std::string("the picture cannot be drawn: ") + cairo_status_to_string(status));
  }

  void set(std::string_view text, TextStyle style, double most) {
    const Made<PangoFontDescription, pango_font_description_free> face(
        pango_font_description_new());
    pango_font_description_set_family_static(face.get(), "sans-serif");
    pango_font_description_set_absolute_size(face.get(), style.size * PANGO_SCALE);
    if (style.bold) pango_font_description_set_weight(face.get(), PANGO_WEIGHT_BOLD);
    pango_layout_set_font_description(layout_.get(), face.get());
    pango_layout_set_width(layout_.get(),
                           std::isfinite(most) ? static_cast<int>(most * PANGO_SCALE) : -1);
    pango_layout_set_text(layout_.get(), valid_text(text).get(), -1);
  }
  double layout_width() const {
    int width = 0;
    pango_layout_get_size(layout_.get(), &width, nullptr);
    return static_cast<double>(width) / PANGO_SCALE;
  }

  void set_plain(TextStyle style) {
    cairo_select_font_face(cairo_.get(), "@cairo:", CAIRO_FONT_SLANT_NORMAL,
                           style.bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(cairo_.get(), style.size);
  }
  double plain_width(const Text& text, TextStyle style) {
    set_plain(style);
    cairo_text_extents_t extents;
    cairo_text_extents(cairo_.get(), text.get(), &extents);
    return extents.x_advance;
  }
  void draw_plain(Pixel at, const Text& text, TextStyle style, double share, double most) {
    const double width = std::min(plain_width(text, style), most), left = at.x - share * width;
    cairo_save(cairo_.get());
    cairo_rectangle(cairo_.get(), left, at.y - 2 * style.size, width, 3 * style.size);
    cairo_clip(cairo_.get());
    cairo_move_to(cairo_.get(), left, std::round(at.y));
    cairo_show_text(cairo_.get(), text.get());
    cairo_restore(cairo_.get());
  }

  Made<cairo_surface_t, cairo_surface_destroy> surface_;
  Made<cairo_t, cairo_destroy> cairo_;
  Made<PangoFontMap, g_object_unref> fonts_;
  Made<PangoContext, g_object_unref> context_;
  Made<PangoLayout, g_object_unref> layout_;
  bool no_font_ = false, unknown_ = false;
};

}  // namespace
}  // namespace pegnn

extern "C" __attribute__((visibility("default"))) pegnn::Canvas* pegnn_canvas_entry(
    std::string_view version, std::int64_t width, std::int64_t height) {
  if (version != PEGNN_VERSION) return nullptr;
  return std::make_unique<pegnn::CairoCanvas>(width, height).release();
}
