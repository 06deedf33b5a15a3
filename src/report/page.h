#pragma once
// The HTML around the plots: style sheet, cards, panels, tables. Everything passed in is plain text
// and is escaped here, except where a name says html.

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pegnn {

// A named value with an optional remark.
struct ReportFact {
  std::string name, value, note;
};

// The document up to and including <body>, with the style sheet; and its end.
std::string page_begin(std::string_view title, std::string_view subtitle);
std::string page_end();

// Headline numbers side by side; nothing for no facts.
std::string cards_html(std::span<const ReportFact> facts);
// Plain sentences, set off as a list; nothing for none.
std::string remarks_html(std::span<const std::string> sentences);
// A figure: heading, picture, caption.
std::string figure_html(std::string_view heading, std::string_view svg_html,
                        std::string_view caption);
// A panel of text where a figure cannot be.
std::string absent_html(std::string_view heading, std::string_view reason);
// A panel of running html.
std::string panel_html(std::string_view heading, std::string_view body_html);
// A panel across the page with an address in it (letters, digits and '-'). In print, one that is
// `long_one` begins a sheet and may fill several; another is kept on one.
std::string section_html(std::string_view id, std::string_view heading, std::string_view body_html,
                         bool long_one = false);
// Links to sections, in a line; nothing for none.
struct PageLink {
  std::string id, text;
};
std::string contents_html(std::span<const PageLink> links);
// Parts of one figure side by side where there is room, three to a line at most; nothing for none.
struct SmallFigure {
  std::string heading, body_html;
};
std::string small_figures_html(std::span<const SmallFigure> figures);
// What is seen, below a figure or table that is not made by figure_html.
std::string caption_html(std::string_view text);
// What nobody may overlook.
std::string banner_html(std::string_view text);
// One or two panels side by side where there is room; nothing for none.
std::string row_html(std::span<const std::string> panels_html);
// Name, value and, if any fact has one, note; nothing for no facts.
std::string facts_table_html(std::span<const ReportFact> facts);
// A table of any shape; the first column is the row's heading; `heading` may be empty.
// `numeric[i]`: column i is set flush right.
struct TextTable {
  std::vector<std::string> heading;
  std::vector<bool> numeric;
  std::vector<std::vector<std::string>> rows;
};
std::string table_html(const TextTable& table);
// Folded away until it is opened; printed in full.
std::string folded_html(std::string_view heading, std::string_view body_html, bool open);

}  // namespace pegnn
