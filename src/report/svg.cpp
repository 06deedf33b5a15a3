#include "report/svg.h"

#include <cmath>
#include <utility>

#include <fmt/core.h>

#include "base/text.h"

namespace pegnn {

namespace {

bool starts_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }

// Width of one character in units of the font size.
double character_width(char first_byte) {
  if (std::string_view("ijlft.,:;|!'()[] ").find(first_byte) != std::string_view::npos) return 0.34;
  if (std::string_view("mwMW%@").find(first_byte) != std::string_view::npos) return 0.9;
  if (first_byte >= 'A' && first_byte <= 'Z') return 0.68;
  return 0.57;
}

}  // namespace

double text_width(std::string_view text) {
  double width = 0;
  for (const char c : text) {
    if (starts_character(c)) width += character_width(c);
  }
  return width * kMeasuredFont;
}

std::string fitted(std::string_view text, double width) {
  if (text_width(text) <= width) return std::string(text);
  const double room = width - kMeasuredFont;
  double used = 0;
  std::size_t end = 0;
  for (; end < text.size(); ++end) {
    if (!starts_character(text[end])) continue;
    used += character_width(text[end]) * kMeasuredFont;
    if (used > room) break;
  }
  return std::string(trim(text.substr(0, end))) + "…";
}

std::string coordinate(double value) {
  if (!std::isfinite(value)) return "0";
  std::string text = fmt::format("{:.2f}", value);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

Svg::Svg(std::string_view id, double height, std::string_view title, std::string_view description) {
  out_ = fmt::format(
      "<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-labelledby=\"{}-t {}-d\">\n"
      "<title id=\"{}-t\">{}</title><desc id=\"{}-d\">{}</desc>\n",
      coordinate(kPlotWidth), coordinate(height), id, id, id, escape_html(title), id,
      escape_html(description));
}

void Svg::append_class(std::string_view css_class) {
  if (!css_class.empty()) out_ += fmt::format(" class=\"{}\"", css_class);
}

void Svg::line(Pixel from, Pixel to, std::string_view css_class) {
  out_ += fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"", coordinate(from.x),
                      coordinate(from.y), coordinate(to.x), coordinate(to.y));
  append_class(css_class);
  out_ += "/>\n";
}

void Svg::rect(Box box, std::string_view css_class) {
  out_ += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"", coordinate(box.left),
                      coordinate(box.top), coordinate(box.width()), coordinate(box.height()));
  append_class(css_class);
  out_ += "/>\n";
}

void Svg::circle(Pixel centre, double radius, std::string_view css_class) {
  out_ += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\"", coordinate(centre.x),
                      coordinate(centre.y), coordinate(radius));
  append_class(css_class);
  out_ += "/>\n";
}

void Svg::text(Pixel at, std::string_view content, std::string_view css_class, Anchor anchor) {
  if (content.empty()) return;
  out_ += fmt::format("<text x=\"{}\" y=\"{}\"", coordinate(at.x), coordinate(at.y));
  append_class(css_class);
  if (anchor == Anchor::middle) out_ += " text-anchor=\"middle\"";
  if (anchor == Anchor::end) out_ += " text-anchor=\"end\"";
  out_ += fmt::format(">{}</text>\n", escape_html(content));
}

void Svg::path(std::string_view data, std::string_view css_class) {
  if (data.empty()) return;
  out_ += "<path";
  append_class(css_class);
  out_ += " d=\"";
  out_ += data;
  out_ += "\"/>\n";
}

void Svg::open_group(std::string_view css_class, std::string_view attributes) {
  out_ += "<g";
  append_class(css_class);
  if (!attributes.empty()) {
    out_ += ' ';
    out_ += attributes;
  }
  out_ += ">\n";
}

void Svg::close_group() { out_ += "</g>\n"; }

std::string Svg::finish() {
  out_ += "</svg>\n";
  return std::exchange(out_, {});
}

}  // namespace pegnn
