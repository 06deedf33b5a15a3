#pragma once
// A file from the network, there whole or not at all. By libcurl, which a build may lack.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

namespace pegnn {

struct Download {
  std::string url;             // http://, https:// or file://; redirects are followed
  std::filesystem::path file;  // replaced when it is there
  std::string sha256 = {};     // what the bytes must have; empty: any
  std::int64_t bytes = 0;      // how many they must be; 0: any number
  double stall_seconds = 30;   // without a byte or a connection for so long is a failure
  // Bytes that have come, and of how many (0: not known); called several times a second.
  std::function<void(std::int64_t now, std::int64_t of)> progress = {};
  std::function<bool()> stop = {};  // true ends it; asked at least once a second
};

// Whether this build can fetch.
bool can_download();

// Error{resource} naming the address for what the network or the server refuses and for a body cut
// short; Error{data} for bytes that are not the expected ones; Error{interrupted} when stopped. In
// all these cases nothing is left behind.
void download(const Download& wanted);

}  // namespace pegnn
