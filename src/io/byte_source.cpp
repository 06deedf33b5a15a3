#include "io/byte_source.h"

#include <algorithm>
#include <utility>

#include "base/atomic_file.h"
#include "io/gzip.h"

namespace pegnn {
namespace {

class FileBytes final : public ByteSource {
 public:
  explicit FileBytes(const std::filesystem::path& file) : file_(file) {}
  std::size_t read(char* out, std::size_t room) override { return file_.read(out, room); }
  std::optional<std::uint64_t> size() const override { return file_.size(); }

 private:
  InputFile file_;
};

class MemoryBytes final : public ByteSource {
 public:
  explicit MemoryBytes(std::string bytes) : bytes_(std::move(bytes)) {}
  std::size_t read(char* out, std::size_t room) override {
    const std::size_t count = std::min(room, bytes_.size() - at_);
    std::copy_n(bytes_.data() + at_, count, out);
    at_ += count;
    return count;
  }
  std::optional<std::uint64_t> size() const override { return bytes_.size(); }

 private:
  std::string bytes_;
  std::size_t at_ = 0;
};

// Bytes whose first few have been looked at.
class PeekedBytes final : public ByteSource {
 public:
  PeekedBytes(std::string first, std::unique_ptr<ByteSource> rest)
      : first_(std::move(first)), rest_(std::move(rest)) {}
  std::size_t read(char* out, std::size_t room) override {
    if (at_ == first_.size()) return rest_->read(out, room);
    const std::size_t count = std::min(room, first_.size() - at_);
    std::copy_n(first_.data() + at_, count, out);
    at_ += count;
    return count;
  }
  std::optional<std::uint64_t> size() const override { return rest_->size(); }

 private:
  std::string first_;
  std::size_t at_ = 0;
  std::unique_ptr<ByteSource> rest_;
};

}  // namespace

std::unique_ptr<ByteSource> file_bytes(const std::filesystem::path& file) {
  return std::make_unique<FileBytes>(file);
}

std::unique_ptr<ByteSource> memory_bytes(std::string bytes) {
  return std::make_unique<MemoryBytes>(std::move(bytes));
}

std::unique_ptr<ByteSource> unpacked(std::unique_ptr<ByteSource> bytes, const std::string& source) {
  std::string first(kGzipMagic.size(), '\0');
  first.resize(read_fully(*bytes, first.data(), first.size()));
  const bool packed = is_gzip(first);
  auto whole = std::make_unique<PeekedBytes>(std::move(first), std::move(bytes));
  if (!packed) return whole;
  return gunzip_bytes(std::move(whole), source);
}

std::size_t read_fully(ByteSource& source, char* out, std::size_t room) {
  std::size_t filled = 0;
  while (filled < room) {
    const std::size_t got = source.read(out + filled, room - filled);
    if (got == 0) break;
    filled += got;
  }
  return filled;
}

}  // namespace pegnn
