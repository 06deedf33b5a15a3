#include "gdal/errors.h"

#include <algorithm>

#include <cpl_error.h>

#include "base/text.h"
#include "base/utf8.h"

namespace pegnn::gdal_module {
namespace {

// The first error is the cause; later ones are what came of it. GDAL tells them in the thread that
// met them.
struct Said {
  bool error = false;
  std::string first, warning;
};
thread_local Said said;

void CPL_STDCALL keep(CPLErr kind, CPLErrorNum, const char* text) {
  if (kind == CE_Warning) said.warning = text;
  if (kind != CE_Failure && kind != CE_Fatal) return;
  if (!said.error) said.first = text;
  said.error = true;
}

}  // namespace

void collect_errors() { CPLSetErrorHandler(keep); }

void forget_errors() {
  said.error = false;
  said.first.clear();
  said.warning.clear();
  CPLErrorReset();
}

bool failed() { return said.error; }

const std::string& warning() { return said.warning; }

std::string reason() {
  std::string text(trim(said.error ? said.first : said.warning));
  while (text.ends_with('.')) text.pop_back();
  // "_tiffWriteProc:No space left on device": which function it was helps nobody.
  if (text.starts_with('_') && text.find(':') < text.find(' ')) text.erase(0, text.find(':') + 1);
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\n' || c == '\t' || c == '\r'; }, ' ');
  // "sqlite3_exec(CREATE TABLE ...) failed: too many columns on t": the user did not write that
  // SQL.
  constexpr std::string_view kFailed = ") failed: ", kPrepare = "failed to prepare SQL: ";
  const std::size_t failed_at = text.rfind(kFailed);
  if (text.starts_with("sqlite3_") && failed_at != std::string::npos) {
    text.erase(0, failed_at + kFailed.size());
  }
  if (text.starts_with(kPrepare)) text = "SQLite does not understand it";
  constexpr std::size_t kMost = 200;
  return text.empty() ? "GDAL gives no reason" : excerpt(text, kMost);
}

}  // namespace pegnn::gdal_module
