#include "report/page.h"

#include <algorithm>

#include <fmt/core.h>

#include "base/text.h"
#include "report/colour.h"
#include "report/style.h"

namespace pegnn {

std::string page_begin(std::string_view title, std::string_view subtitle) {
  std::string strip;
  for (int level = 0; level < kColourLevels; level += 2) {
    strip += fmt::format("<i class=\"{}\"></i>", level_class(ColourMap::sequential, level));
  }
  const std::string line = subtitle.empty()
                               ? std::string()
                               : fmt::format("<p class=\"sub\">{}</p>\n", escape_html(subtitle));
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>{0}{1}{2}</title>\n<style>{3}</style>\n</head>\n<body>\n"
      "<div class=\"strip\" aria-hidden=\"true\">{4}</div>\n"
      "<header>\n<h1>{0}</h1>\n{5}</header>\n<main>\n",
      escape_html(title), subtitle.empty() ? "" : " – ", escape_html(subtitle), style_sheet(),
      strip, line);
}

std::string page_end() {
  return "</main>\n<footer>Made with pegnn. The page is complete in itself: it asks no network for "
         "anything and can be kept, mailed and printed as it is.</footer>\n</body>\n</html>\n";
}

std::string cards_html(std::span<const ReportFact> facts) {
  if (facts.empty()) return {};
  std::string html = "<dl class=\"cards\">\n";
  for (const ReportFact& fact : facts) {
    html += fmt::format("<div class=\"card\"><dt>{}</dt><dd class=\"value\">{}</dd>",
                        escape_html(fact.name), escape_html(fact.value));
    if (!fact.note.empty())
      html += fmt::format("<dd class=\"note\">{}</dd>", escape_html(fact.note));
    html += "</div>\n";
  }
  return html + "</dl>\n";
}

std::string remarks_html(std::span<const std::string> sentences) {
  if (sentences.empty()) return {};
  std::string html = "<ul class=\"remarks\" aria-label=\"Remarks\">\n";
  for (const std::string& sentence : sentences) {
    html += fmt::format("<li>{}</li>\n", escape_html(sentence));
  }
  return html + "</ul>\n";
}

std::string figure_html(std::string_view heading, std::string_view svg_html,
                        std::string_view caption) {
  return fmt::format(
      "<figure class=\"panel\">\n<h2>{}</h2>\n{}<figcaption>{}</figcaption>\n</figure>\n",
      escape_html(heading), svg_html, escape_html(caption));
}

std::string absent_html(std::string_view heading, std::string_view reason) {
  return fmt::format("<section class=\"panel absent\">\n<h2>{}</h2>\n<p>{}</p>\n</section>\n",
                     escape_html(heading), escape_html(reason));
}

std::string panel_html(std::string_view heading, std::string_view body_html) {
  return fmt::format("<section class=\"panel\">\n<h2>{}</h2>\n{}</section>\n", escape_html(heading),
                     body_html);
}

std::string section_html(std::string_view id, std::string_view heading, std::string_view body_html,
                         bool long_one) {
  return fmt::format(
      "<div class=\"row{3}\">\n<section class=\"panel\" id=\"{0}\" aria-labelledby=\"{0}-h\">\n"
      "<h2 id=\"{0}-h\">{1}</h2>\n{2}</section>\n</div>\n",
      id, escape_html(heading), body_html, long_one ? " long" : "");
}

std::string contents_html(std::span<const PageLink> links) {
  if (links.empty()) return {};
  std::string html = "<nav class=\"contents\" aria-label=\"Contents\">\n";
  for (const PageLink& link : links) {
    html += fmt::format("<a href=\"#{}\">{}</a>\n", link.id, escape_html(link.text));
  }
  return html + "</nav>\n";
}

std::string small_figures_html(std::span<const SmallFigure> figures) {
  if (figures.empty()) return {};
  // Two and four stand in lines of two.
  const bool pairs = figures.size() == 2 || figures.size() == 4;
  std::string html = fmt::format("<div class=\"small-figures{}\">\n", pairs ? " pairs" : "");
  for (const SmallFigure& figure : figures) {
    html += fmt::format("<div>\n<h3>{}</h3>\n{}</div>\n", escape_html(figure.heading),
                        figure.body_html);
  }
  return html + "</div>\n";
}

std::string caption_html(std::string_view text) {
  return fmt::format("<p class=\"caption\">{}</p>\n", escape_html(text));
}

std::string banner_html(std::string_view text) {
  return fmt::format("<p class=\"banner\" role=\"note\">{}</p>\n", escape_html(text));
}

std::string row_html(std::span<const std::string> panels_html) {
  if (panels_html.empty()) return {};
  std::string html = "<div class=\"row\">\n";
  for (const std::string& panel : panels_html) html += panel;
  return html + "</div>\n";
}

std::string facts_table_html(std::span<const ReportFact> facts) {
  if (facts.empty()) return {};
  const bool notes = std::any_of(facts.begin(), facts.end(),
                                 [](const ReportFact& fact) { return !fact.note.empty(); });
  std::string html = "<table class=\"facts\">\n<tbody>\n";
  for (const ReportFact& fact : facts) {
    html += fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td>", escape_html(fact.name),
                        escape_html(fact.value));
    if (notes) html += fmt::format("<td class=\"note\">{}</td>", escape_html(fact.note));
    html += "</tr>\n";
  }
  return html + "</tbody>\n</table>\n";
}

std::string table_html(const TextTable& table) {
  const auto flush = [&](std::size_t column) {
    return column < table.numeric.size() && table.numeric[column] ? " class=\"n\"" : "";
  };
  std::string html = "<table>\n";
  if (!table.heading.empty()) {
    html += "<thead><tr>";
    for (std::size_t c = 0; c < table.heading.size(); ++c) {
      html += fmt::format("<th scope=\"col\"{}>{}</th>", flush(c), escape_html(table.heading[c]));
    }
    html += "</tr></thead>\n";
  }
  html += "<tbody>\n";
  for (const std::vector<std::string>& row : table.rows) {
    html += "<tr>";
    for (std::size_t c = 0; c < row.size(); ++c) {
      const char* tag = c == 0 ? "th" : "td";
      html += fmt::format("<{}{}{}>{}</{}>", tag, c == 0 ? " scope=\"row\"" : "", flush(c),
                          escape_html(row[c]), tag);
    }
    html += "</tr>\n";
  }
  return html + "</tbody>\n</table>\n";
}

std::string folded_html(std::string_view heading, std::string_view body_html, bool open) {
  return fmt::format("<details{}>\n<summary>{}</summary>\n{}</details>\n", open ? " open" : "",
                     escape_html(heading), body_html);
}

}  // namespace pegnn
