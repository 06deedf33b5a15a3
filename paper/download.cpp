#include "paper/download.h"

#include <fmt/core.h>

#include "pegnn/error.h"

#ifdef PEGNN_WITH_CURL

#include <algorithm>
#include <exception>
#include <memory>
#include <string_view>

#include <curl/curl.h>

#include "base/atomic_file.h"
#include "base/text.h"
#include "paper/sha256.h"

namespace pegnn {
namespace {

constexpr long kMostRedirects = 10;

// Where the bytes go. libcurl is C: nothing may be thrown through it.
struct Receiver {
  explicit Receiver(const Download& download)
      : wanted(download), file(download.file, "choose another folder with <option:data-dir>") {}

  const Download& wanted;
  AtomicFile file;
  Sha256 hash;
  std::int64_t bytes = 0;
  std::exception_ptr failure;
  bool stopped = false;
};

std::size_t receive(char* data, std::size_t size, std::size_t count, void* user) {
  auto& to = *static_cast<Receiver*>(user);
  const std::string_view bytes(data, size * count);
  try {
    to.file.write(bytes);
  } catch (...) {
    to.failure = std::current_exception();
    return 0;
  }
  to.hash.add(bytes);
  to.bytes += std::ssize(bytes);
  return bytes.size();
}

int report(void* user, curl_off_t total, curl_off_t now, curl_off_t, curl_off_t) {
  auto& to = *static_cast<Receiver*>(user);
  try {
    if (to.wanted.progress) to.wanted.progress(now, total);
    to.stopped = to.wanted.stop && to.wanted.stop();
  } catch (...) {
    to.failure = std::current_exception();
  }
  return to.stopped || to.failure ? 1 : 0;
}

using Handle = std::unique_ptr<CURL, decltype(&curl_easy_cleanup)>;

Handle make_handle() {
  static const CURLcode started = curl_global_init(CURL_GLOBAL_DEFAULT);
  Handle handle(started == CURLE_OK ? curl_easy_init() : nullptr, &curl_easy_cleanup);
  if (!handle) throw Error(ErrorKind::resource, "libcurl cannot be started");
  return handle;
}

void set_up(CURL* handle, Receiver& to, char* message) {
  const long seconds = std::max(1L, static_cast<long>(to.wanted.stall_seconds));
  curl_easy_setopt(handle, CURLOPT_URL, to.wanted.url.c_str());
  curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, message);
  curl_easy_setopt(handle, CURLOPT_USERAGENT, "pegnn");
  curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(handle, CURLOPT_FOLLOWLOCATION, 1L);
  curl_easy_setopt(handle, CURLOPT_MAXREDIRS, kMostRedirects);
  // What was asked for over a safe line does not come over an open one.
  curl_easy_setopt(handle, CURLOPT_REDIR_PROTOCOLS_STR,
                   to.wanted.url.starts_with("https://") ? "https" : "http,https");
  curl_easy_setopt(handle, CURLOPT_FAILONERROR, 1L);
  curl_easy_setopt(handle, CURLOPT_CONNECTTIMEOUT, seconds);
  curl_easy_setopt(handle, CURLOPT_LOW_SPEED_LIMIT, 1L);
  curl_easy_setopt(handle, CURLOPT_LOW_SPEED_TIME, seconds);
  curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, &receive);
  curl_easy_setopt(handle, CURLOPT_WRITEDATA, &to);
  curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, &report);
  curl_easy_setopt(handle, CURLOPT_XFERINFODATA, &to);
  curl_easy_setopt(handle, CURLOPT_NOPROGRESS, 0L);
}

std::string reason_of(CURL* handle, CURLcode code, std::string_view message) {
  if (code == CURLE_HTTP_RETURNED_ERROR) {
    long status = 0;
    curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
    return fmt::format("the server answers with status {}", status);
  }
  return std::string(message.empty() ? curl_easy_strerror(code) : message);
}

void check_address(const std::string& url) {
  for (const char* known : {"http://", "https://", "file://"}) {
    if (url.starts_with(known)) return;
  }
  throw Error(
      ErrorKind::usage,
      fmt::format("'{}' is no address; it must begin with http://, https:// or file://", url));
}

void check_bytes(const Receiver& got) {
  const Download& wanted = got.wanted;
  if (wanted.bytes > 0 && got.bytes != wanted.bytes) {
    throw Error(ErrorKind::data,
                fmt::format("{} gives {} bytes instead of {}; nothing was kept", wanted.url,
                            format_count(got.bytes), format_count(wanted.bytes)));
  }
  if (wanted.sha256.empty()) return;
  const std::string sum = got.hash.hex();
  if (sum == wanted.sha256) return;
  throw Error(ErrorKind::data, fmt::format("{} gives another file than it should: SHA-256 {} "
                                           "instead of {}; nothing was kept",
                                           wanted.url, sum, wanted.sha256));
}

}  // namespace

bool can_download() { return true; }

void download(const Download& wanted) {
  check_address(wanted.url);
  Receiver to(wanted);
  const Handle handle = make_handle();
  char message[CURL_ERROR_SIZE] = "";
  set_up(handle.get(), to, message);
  const CURLcode code = curl_easy_perform(handle.get());
  if (to.failure) std::rethrow_exception(to.failure);
  if (to.stopped) {
    throw Error(ErrorKind::interrupted, fmt::format("stopped while fetching {}", wanted.url));
  }
  if (code != CURLE_OK) {
    throw Error(ErrorKind::resource, fmt::format("cannot fetch {}: {}", wanted.url,
                                                 reason_of(handle.get(), code, message)));
  }
  check_bytes(to);
  to.file.commit();
}

}  // namespace pegnn

#else

namespace pegnn {

bool can_download() { return false; }

void download(const Download& wanted) {
  throw Error(ErrorKind::resource,
              fmt::format("this build cannot fetch, for want of libcurl; fetch {} by hand and put "
                          "it into '{}'",
                          wanted.url, wanted.file.string()));
}

}  // namespace pegnn

#endif
