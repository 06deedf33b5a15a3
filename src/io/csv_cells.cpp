// The reader's way from bytes to cells, and the header.

#include <algorithm>
#include <cctype>
#include <cstring>
#include <unordered_set>

#include <fmt/core.h>

#include "base/text.h"
#include "base/utf8.h"
#include "io/csv_reader.h"
#include "io/file_kind.h"
#include "pegnn/error.h"

namespace pegnn {
namespace {

constexpr std::string_view kDelimiters = ",;\t|";  // in the order that settles ties
constexpr std::size_t kLongestName = 1024;         // of a column, in bytes: messages repeat it
constexpr std::size_t kMostColumns = 16384;        // as a spreadsheet; finding a name is linear
constexpr std::size_t kTellingBytes = 256;         // of a file's beginning: what it is

}  // namespace

CsvReader::CsvReader(std::unique_ptr<ByteSource> bytes, std::string source,
                     const ReadOptions& options, std::size_t bytes_at_a_time)
    : source_(std::move(source)),
      options_(options),
      // Where the delimiter is not known yet, a line of tabs is not blank.
      window_(std::move(bytes), options.delimiter != 0 && options.delimiter != '\t',
              bytes_at_a_time) {
  find_start();
  choose_delimiter();
  read_header();
}

void CsvReader::fail(std::int64_t line, const std::string& what) const {
  throw Error(ErrorKind::data, fmt::format("{}, line {}: {}", source_, line, what));
}

void CsvReader::find_start() {
  if (!read_on()) {
    throw Error(
        ErrorKind::data,
        fmt::format("{} is empty{}", source_,
                    options_.names.empty() ? "; the first line must name the columns" : ""));
  }
  const auto in_view = [&] { return static_cast<std::size_t>(end_ - next_); };
  while (in_view() < kTellingBytes && read_on()) continue;
  const std::string_view bytes(next_, std::min(in_view(), kTellingBytes));
  if (bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF")) {
    throw Error(
        ErrorKind::data,
        fmt::format("{} is UTF-16 text; <option:encoding> utf-16 reads it, or save it as UTF-8",
                    source_));
  }
  if (const std::optional<std::string> kind = other_kind(bytes)) {
    throw Error(ErrorKind::data, fmt::format("{} is no table of text but {}", source_, *kind));
  }
}

// Brings more lines into view; the row being read stays there. False at the end of the file.
bool CsvReader::read_on() {
  if (row_ == nullptr) row_ = next_ = from_ = window_.begin();
  keep_text(row_);
  window_.drop(row_);
  const std::ptrdiff_t read = next_ - row_;
  const bool more = window_.read_on();
  from_ = row_ = window_.begin();
  next_ = row_ + read;
  end_ = window_.end();
  return more;
}

void CsvReader::choose_delimiter() {
  delimiter_ = options_.delimiter;
  if (delimiter_ == 0) delimiter_ = most_frequent_delimiter();
  const auto byte = static_cast<unsigned char>(delimiter_);
  const bool printable = byte >= 0x20 && byte < 0x7F;
  const bool in_numbers =
      std::isalnum(byte) != 0 || delimiter_ == '.' || delimiter_ == '-' || delimiter_ == '+';
  if ((!printable && delimiter_ != '\t') || in_numbers || delimiter_ == '"') {
    throw Error(ErrorKind::usage,
                fmt::format("character {} cannot be a delimiter; use one of , ; | or a tab", byte));
  }
  mark_ = delimiter_ == ';' ? kNoMarkYet : '.';
}

// Counts in the header line, outside quotes. A quote opens only where a cell may begin.
char CsvReader::most_frequent_delimiter() {
  std::int64_t counts[kDelimiters.size()] = {};
  bool cell_begins = true;
  const char* p = next_;
  for (; p < end_ && *p != '\n'; ++p) {
    if (*p == '"' && cell_begins) {
      for (++p; p < end_ && (*p != '"' || p[1] == '"'); ++p) {
        if (*p == '"') ++p;
      }
      // Not closed in view: begin again with more, or let the header's reading say it.
      if (p >= end_) {
        if (read_on()) return most_frequent_delimiter();
        break;
      }
      continue;
    }
    const std::size_t found = kDelimiters.find(*p);
    if (found != std::string_view::npos) ++counts[found];
    cell_begins = found != std::string_view::npos || (*p == ' ' && cell_begins);
  }
  const auto most = std::max_element(std::begin(counts), std::end(counts));  // the first of equals
  return kDelimiters[static_cast<std::size_t>(most - std::begin(counts))];
}

// Takes the cell at `next_`, without quotes and surrounding spaces, and moves to what ends it: the
// delimiter, a line end or the end of the file. The text is valid until the next call.
std::string_view CsvReader::take_cell() {
  while (is_space(*next_)) ++next_;
  if (*next_ == '"') return take_quoted();
  const char* const begin = next_;
  while (!ends_cell(*next_)) ++next_;
  if (*next_ == '\0' && next_ < end_) {
    fail(line_,
         "a NUL byte; this is not a text table (a spreadsheet or UTF-16?): save it as UTF-8 "
         "CSV");
  }
  const char* end = next_;
  while (end > begin && is_space(end[-1])) --end;
  return {begin, static_cast<std::size_t>(end - begin)};
}

std::string_view CsvReader::take_quoted() {
  const std::int64_t opened = line_;
  const char* begin = ++next_;
  const auto find = [&](char what, const char* from, const char* to) {
    return static_cast<const char*>(std::memchr(from, what, static_cast<std::size_t>(to - from)));
  };
  unquoted_.clear();
  for (;;) {
    const char* const quote = next_ < end_ ? find('"', next_, end_) : nullptr;
    if (quote == nullptr) {
      // What is in view ends inside the quotes, behind a line end.
      line_ += next_ < end_ ? std::count(next_, end_, '\n') : 0;
      next_ = std::max(next_, end_);
      const std::ptrdiff_t length = next_ - begin;
      if (!read_on()) fail(opened, "a quote is opened and never closed");
      begin = next_ - length;
      continue;
    }
    line_ += std::count(next_, quote, '\n');
    next_ = quote + 1;
    if (*next_ != '"' || next_ == end_) break;
    unquoted_.append(begin, next_);  // with one of the two quotes
    begin = ++next_;
  }
  std::string_view text(begin, static_cast<std::size_t>(next_ - 1 - begin));
  if (!unquoted_.empty()) text = unquoted_.append(text);
  if (text.find('\0') != std::string_view::npos) {
    fail(opened, "a NUL byte in a quoted cell; this is not a text table");
  }
  while (is_space(*next_)) ++next_;
  if (!ends_cell(*next_) || (*next_ == '\0' && next_ < end_)) {
    fail(line_, fmt::format("'{}' after a closing quote; a quote inside quotes is written twice",
                            static_cast<unsigned char>(*next_) < 0x20 ? '?' : *next_));
  }
  return trim(text);
}

// `text` ends on the current line.
void CsvReader::check_text(std::string_view text, const std::string& where) const {
  const std::optional<std::size_t> bad = find_invalid_utf8(text);
  if (!bad) return;
  const auto rest = text.substr(*bad);
  fail(line_ - std::count(rest.begin(), rest.end(), '\n'),
       fmt::format("{}: byte 0x{:02X} is not UTF-8; <option:encoding> says what the text is in, "
                   "latin1 of many older programs",
                   where, static_cast<unsigned>(static_cast<unsigned char>(rest.front()))));
}

// For a cell that ends at `next_`.
void CsvReader::refuse_lone_return() const {
  if (next_ == end_ || *next_ != '\r' || next_[1] == '\n') return;
  fail(line_, "a carriage return without a line feed; save the file with LF or CRLF line ends");
}

// Moves to the next line; at the end of the file stays there.
void CsvReader::end_line() {
  if (next_ == end_) return;
  if (*next_ == '\r') {
    refuse_lone_return();
    ++next_;
  }
  ++next_;
  ++line_;
}

void CsvReader::read_header() {
  if (!options_.names.empty()) {
    if (std::string_view(next_, static_cast<std::size_t>(end_ - next_))
            .starts_with(kByteOrderMark)) {
      fail(line_, "a second byte order mark; take it away");
    }
    names_ = options_.names;
    return;
  }
  std::unordered_set<std::string> known;
  for (;;) {
    std::string name(take_cell());
    const std::string where = fmt::format("column {}", names_.size() + 1);
    check_text(name, where);
    if (name.size() > kLongestName) {
      fail(line_, fmt::format("{} has a name of {} bytes, '{}'; at most {} are allowed", where,
                              name.size(), excerpt(name, kExcerpt), kLongestName));
    }
    // Nobody sees it, and a copy of the table would lose it.
    if (names_.empty() && name.starts_with(kByteOrderMark)) {
      fail(line_, where + " begins with a byte order mark; take it away");
    }
    if (name.empty() && names_.empty() && *next_ == delimiter_) name = kRowNames;
    if (name.empty()) {
      fail(line_, where + " has no name; the first line must name every column");
    }
    if (!known.insert(name).second) {
      fail(line_, fmt::format("two columns are named '{}'", excerpt(name, kExcerpt)));
    }
    names_.push_back(std::move(name));
    if (names_.size() > kMostColumns) {
      fail(line_, fmt::format("more than {} columns", kMostColumns));
    }
    if (*next_ != delimiter_) break;
    ++next_;
  }
  header_text_.assign(row_, next_);
  end_line();
  header_end_ = line_;
  row_ = from_ = next_;
}

}  // namespace pegnn
