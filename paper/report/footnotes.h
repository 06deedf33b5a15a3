#pragma once
// Footnotes of a table: reasons why numbers are missing, each with a letter that stands in the
// cells.

#include <string>
#include <vector>

namespace pegnn {

class Footnotes {
 public:
  // The mark for a cell at `place` ("GCN on Election") that is empty for that reason, as html.
  std::string mark_html(const std::string& reason, const std::string& place);
  // All reasons with their places as a list; nothing for none.
  std::string list_html() const;

 private:
  struct Note {
    std::string reason;
    std::vector<std::string> places;
  };
  std::vector<Note> notes_;
};

}  // namespace pegnn
