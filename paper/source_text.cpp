#include "paper/source_text.h"

#include <memory>

#include "io/byte_source.h"

namespace pegnn {
namespace {

constexpr std::size_t kPiece = std::size_t{1} << 16;

std::unique_ptr<ByteSource> open(const std::filesystem::path& file) {
  return unpacked(file_bytes(file), file.string());
}

}  // namespace

std::string unpacked_text(const std::filesystem::path& file) {
  const std::unique_ptr<ByteSource> source = open(file);
  std::string text;
  for (;;) {
    const std::size_t had = text.size();
    text.resize(had + kPiece);
    const std::size_t got = read_fully(*source, text.data() + had, kPiece);
    text.resize(had + got);
    if (got < kPiece) return text;
  }
}

std::string first_line(const std::filesystem::path& file) {
  std::string text(kPiece, '\0');
  text.resize(read_fully(*open(file), text.data(), text.size()));
  return text.substr(0, text.find_first_of("\r\n"));
}

std::string without_quoted_commas(std::string text) {
  bool quoted = false;
  std::erase_if(text, [&](char c) {
    if (c == '"') quoted = !quoted;
    return quoted && c == ',';
  });
  return text;
}

}  // namespace pegnn
