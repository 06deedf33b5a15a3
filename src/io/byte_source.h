#pragma once
// Bytes that come one after the other: out of a file, out of memory, unpacked from gzip on the way.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace pegnn {

class ByteSource {
 public:
  virtual ~ByteSource() = default;

  // Puts up to `room` > 0 bytes at `out` and says how many; 0 means the end.
  virtual std::size_t read(char* out, std::size_t room) = 0;

  // How many bytes there are from the first to the last, where that is known beforehand.
  virtual std::optional<std::uint64_t> size() const { return {}; }
};

// A file, a pipe or a device as it stands. Error{resource} when it cannot be opened or read.
std::unique_ptr<ByteSource> file_bytes(const std::filesystem::path& file);

std::unique_ptr<ByteSource> memory_bytes(std::string bytes);

// `bytes` as they are, or unpacked when they are gzip. `source` names them in messages.
std::unique_ptr<ByteSource> unpacked(std::unique_ptr<ByteSource> bytes, const std::string& source);

// Reads until `room` bytes are there or the end has come.
std::size_t read_fully(ByteSource& source, char* out, std::size_t room);

}  // namespace pegnn
