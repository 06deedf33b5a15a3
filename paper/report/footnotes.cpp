#include "paper/report/footnotes.h"

#include <algorithm>

#include <fmt/core.h>

#include "base/text.h"

namespace pegnn {
namespace {

// More places than this are counted: the cells themselves say which they are.
constexpr std::size_t kMostPlaces = 3;

std::string letter(std::size_t i) {
  return i < 26 ? std::string(1, static_cast<char>('a' + i)) : fmt::format("{}", i + 1);
}

}  // namespace

std::string Footnotes::mark_html(const std::string& reason, const std::string& place) {
  auto note = std::find_if(notes_.begin(), notes_.end(),
                           [&](const Note& one) { return one.reason == reason; });
  if (note == notes_.end()) note = notes_.insert(note, {reason, {}});
  // Both errors of a cell are missing for one reason.
  if (note->places.empty() || note->places.back() != place) note->places.push_back(place);
  return fmt::format("<sup>{}</sup>", letter(static_cast<std::size_t>(note - notes_.begin())));
}

std::string Footnotes::list_html() const {
  if (notes_.empty()) return {};
  std::string html = "<ul class=\"footnotes\">\n";
  for (std::size_t i = 0; i < notes_.size(); ++i) {
    const Note& note = notes_[i];
    const std::string where = note.places.size() > kMostPlaces
                                  ? fmt::format("{} cells", note.places.size())
                                  : join(note.places, ", ");
    html += fmt::format("<li><sup>{}</sup> {}: {}</li>\n", letter(i), escape_html(where),
                        escape_html(note.reason));
  }
  return html + "</ul>\n";
}

}  // namespace pegnn
