#include "model/safetensors.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>
#include <type_traits>
#include <utility>

#include <fmt/core.h>

#include "base/array.h"
#include "base/assert.h"
#include "base/atomic_file.h"
#include "model/model_error.h"
#include "model/safetensors_header.h"

namespace pegnn {

// The format is little-endian; elements are copied as they stand in memory.
static_assert(std::endian::native == std::endian::little);

namespace {

constexpr std::string_view kChecksumPrefix = "xxh64:";
constexpr std::size_t kLengthBytes = 8;

template <class T>
constexpr Dtype dtype_of() {
  if constexpr (std::is_same_v<T, float>) return Dtype::f32;
  if constexpr (std::is_same_v<T, double>) return Dtype::f64;
  if constexpr (std::is_same_v<T, std::int32_t>) return Dtype::i32;
  if constexpr (std::is_same_v<T, std::int64_t>) return Dtype::i64;
  if constexpr (std::is_same_v<T, std::uint8_t>) return Dtype::u8;
}

// Wider elements first, else the order they were added in.
std::vector<std::size_t> data_order(const TensorFile& file) {
  std::vector<std::size_t> order(file.tensors().size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return bytes_of(file.tensors()[a].dtype) > bytes_of(file.tensors()[b].dtype);
  });
  return order;
}

// Length and header: everything before the data.
std::string encode_head(const TensorFile& file, const std::vector<std::size_t>& order) {
  Header header;
  header.metadata = file.metadata;
  for (const auto& [key, value] : file.metadata)
    PEGNN_ASSERT(key != "xxh64" && !key.starts_with(kChecksumPrefix),
                 "metadata keys of checksums are not the caller's");
  header.tensors.resize(order.size());
  std::uint64_t end = 0;
  for (const std::size_t i : order) {
    const TensorInfo& t = file.tensors()[i];
    const std::string_view bytes = file.bytes(t);
    header.tensors[i] = {t.name, t.dtype, t.shape, end, end + bytes.size()};
    header.metadata[std::string(kChecksumPrefix) + t.name] = checksum(bytes);
    end += bytes.size();
  }

  const std::string text = write_header(header, file.source());
  const std::uint64_t length = text.size();
  std::string head(kLengthBytes, '\0');
  std::memcpy(head.data(), &length, kLengthBytes);
  return head + text;
}

// The header's place in the file: bytes [8, returned).
std::size_t header_end(std::string_view bytes, const std::string& source) {
  if (bytes.size() < kLengthBytes)
    refuse_model(source,
                 fmt::format("the header's length takes {} bytes but the file has {}; the file "
                             "is truncated or is not a model file",
                             kLengthBytes, bytes.size()));
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), kLengthBytes);
  if (length > kMaxHeaderBytes || length % 8 != 0)
    refuse_model(source,
                 fmt::format("the header's length is given as {}, not a multiple of 8 up to {}; "
                             "the file is damaged or is not a model file",
                             length, kMaxHeaderBytes));
  if (length > bytes.size() - kLengthBytes)
    refuse_model(
        source, fmt::format("the header ends at byte {} but the file has {}; the file is truncated",
                            length + kLengthBytes, bytes.size()));
  return kLengthBytes + length;
}

// The ranges cover the data exactly: from its first byte to the file's last, each byte once.
void check_ranges(const Header& header, std::size_t data, std::size_t size,
                  const std::string& source) {
  std::vector<const HeaderEntry*> sorted;
  for (const HeaderEntry& t : header.tensors) sorted.push_back(&t);
  std::stable_sort(sorted.begin(), sorted.end(), [](const HeaderEntry* a, const HeaderEntry* b) {
    return a->begin != b->begin ? a->begin < b->begin : a->end < b->end;
  });
  // No sum overflows: offsets are below 2^63, and `data` is below 2^25.
  std::uint64_t end = 0;
  for (const HeaderEntry* t : sorted) {
    if (t->begin != end)
      refuse_model(
          source,
          fmt::format("tensor '{}' begins at byte {} but the tensor before it ends at {}: {}",
                      t->name, data + t->begin, data + end,
                      t->begin < end ? "they overlap" : "there is a gap"));
    if (data + t->end > size)
      refuse_model(source,
                   fmt::format("tensor '{}' ends at byte {} but the file has {}; the file is "
                               "truncated",
                               t->name, data + t->end, size));
    end = t->end;
  }
  if (data + end != size)
    refuse_model(source,
                 fmt::format("the last tensor of the header ends at byte {} but the file has {}; "
                             "something was appended",
                             data + end, size));
}

// Takes the checksums out of the metadata and compares each with its tensor's bytes.
void check_tensors(Header& header, std::string_view data, const std::string& source) {
  for (const HeaderEntry& t : header.tensors) {
    const auto stored = header.metadata.find(std::string(kChecksumPrefix) + t.name);
    if (stored == header.metadata.end())
      refuse_model(source, "tensor '" + t.name + "' has no checksum in the header");
    const std::string_view bytes =
        data.substr(static_cast<std::size_t>(t.begin), static_cast<std::size_t>(t.end - t.begin));
    if (stored->second != checksum(bytes))
      refuse_model(source,
                   "tensor '" + t.name + "' does not match its checksum; the file is damaged");
    header.metadata.erase(stored);
  }
  const auto left = header.metadata.lower_bound(std::string(kChecksumPrefix));
  if (left != header.metadata.end() && left->first.starts_with(kChecksumPrefix))
    refuse_model(source,
                 "header: '" + left->first + "' is the checksum of a tensor that is not there");
}

}  // namespace

std::string_view name_of(Dtype dtype) {
  switch (dtype) {
    case Dtype::f32:
      return "F32";
    case Dtype::f64:
      return "F64";
    case Dtype::i32:
      return "I32";
    case Dtype::i64:
      return "I64";
    case Dtype::u8:
      return "U8";
  }
  PEGNN_ASSERT(false, "every dtype has a name");
  return {};
}

std::int64_t bytes_of(Dtype dtype) {
  switch (dtype) {
    case Dtype::f32:
    case Dtype::i32:
      return 4;
    case Dtype::f64:
    case Dtype::i64:
      return 8;
    case Dtype::u8:
      return 1;
  }
  PEGNN_ASSERT(false, "every dtype has a size");
  return 0;
}

std::int64_t TensorInfo::count() const {
  return static_cast<std::int64_t>(end - begin) / bytes_of(dtype);
}

const TensorInfo* TensorFile::find(std::string_view name) const {
  const auto found = std::find_if(tensors_.begin(), tensors_.end(),
                                  [&](const TensorInfo& t) { return t.name == name; });
  return found == tensors_.end() ? nullptr : &*found;
}

const TensorInfo& TensorFile::expect(std::string_view name, Dtype dtype,
                                     std::optional<std::int64_t> count) const {
  const TensorInfo* tensor = find(name);
  if (tensor == nullptr) refuse_model(source_, fmt::format("tensor '{}' is missing", name));
  if (tensor->dtype != dtype)
    refuse_model(source_, fmt::format("tensor '{}' is of type {}, expected {}", name,
                                      name_of(tensor->dtype), name_of(dtype)));
  if (count && *count != tensor->count())
    refuse_model(source_, fmt::format("tensor '{}' has {} elements, expected {}", name,
                                      tensor->count(), *count));
  return *tensor;
}

void TensorFile::append(std::string name, Dtype dtype, Array<std::int64_t> shape,
                        std::span<const std::byte> bytes, bool borrowed) {
  PEGNN_ASSERT(name != "__metadata__" && find(name) == nullptr, "tensors have names of their own");
  PEGNN_ASSERT(tensors_.size() < kMaxTensors && shape.size() <= std::int64_t{kMaxTensorRank} &&
                   name.size() <= kMaxNameBytes,
               "models have few tensors of few dimensions with short names");
  std::int64_t size = bytes_of(dtype);
  for (const std::int64_t extent : shape)
    PEGNN_ASSERT(extent >= 0 && !__builtin_mul_overflow(size, extent, &size),
                 "shapes of arrays in memory");
  PEGNN_ASSERT(as_size(size) == bytes.size(), "the shape counts the elements");
  const char* const from = reinterpret_cast<const char*>(bytes.data());
  if (borrowed && !bytes.empty()) {
    tensors_.push_back({std::move(name), dtype, std::move(shape), 0, bytes.size(), from});
    return;
  }
  const std::size_t begin = buffer_.size();
  buffer_.append(from, bytes.size());
  tensors_.push_back({std::move(name), dtype, std::move(shape), begin, buffer_.size()});
}

void TensorFile::copy(const TensorInfo& tensor, std::span<std::byte> out) const {
  if (!out.empty()) std::memcpy(out.data(), bytes(tensor).data(), out.size());
}

template <class T>
Array<T> TensorFile::values(std::string_view name, std::optional<std::int64_t> count) const {
  const TensorInfo& tensor = expect(name, dtype_of<T>(), count);
  Array<T> out(tensor.count());
  copy(tensor, std::as_writable_bytes(Span<T>(out)));
  return out;
}

const std::string& TensorFile::text(const std::string& key) const {
  const auto found = metadata.find(key);
  if (found == metadata.end()) refuse_model(source_, "metadata '" + key + "' is missing");
  return found->second;
}

// Once for every type of element.
#define PEGNN_TENSOR_TYPE(T)                                                                \
  void TensorFile::add(std::string name, Array<std::int64_t> shape, Span<const T> values) { \
    append(std::move(name), dtype_of<T>(), std::move(shape), std::as_bytes(values), false); \
  }                                                                                         \
  void TensorFile::read(std::string_view name, Span<T> out) const {                         \
    copy(expect(name, dtype_of<T>(), std::ssize(out)), std::as_writable_bytes(out));        \
  }                                                                                         \
  template Array<T> TensorFile::values<T>(std::string_view, std::optional<std::int64_t>) const;

PEGNN_TENSOR_TYPE(float)
PEGNN_TENSOR_TYPE(double)
PEGNN_TENSOR_TYPE(std::int32_t)
PEGNN_TENSOR_TYPE(std::int64_t)
PEGNN_TENSOR_TYPE(std::uint8_t)
#undef PEGNN_TENSOR_TYPE

void TensorFile::borrow(std::string name, Array<std::int64_t> shape, Span<const float> values) {
  append(std::move(name), Dtype::f32, std::move(shape), std::as_bytes(values), true);
}
void TensorFile::borrow(std::string name, Array<std::int64_t> shape, Span<const double> values) {
  append(std::move(name), Dtype::f64, std::move(shape), std::as_bytes(values), true);
}

void TensorFile::add_all(const std::string& prefix, const TensorFile& other,
                         const std::function<bool(const std::string&)>& wanted) {
  for (const TensorInfo& t : other.tensors_) {
    if (wanted && !wanted(t.name)) continue;
    append(prefix + t.name, t.dtype, t.shape, std::as_bytes(std::span(other.bytes(t))),
           t.borrowed != nullptr);
  }
}

TensorFile TensorFile::part(std::string_view prefix, std::string source) const {
  TensorFile out(std::move(source));
  for (const TensorInfo& t : tensors_) {
    if (!t.name.starts_with(prefix)) continue;
    const std::string_view of = bytes(t);
    out.tensors_.push_back(
        {t.name.substr(prefix.size()), t.dtype, t.shape, 0, of.size(), of.data()});
  }
  return out;
}

std::string encode_tensors(const TensorFile& file) {
  const std::vector<std::size_t> order = data_order(file);
  std::string bytes = encode_head(file, order);
  std::size_t size = bytes.size();
  for (const TensorInfo& t : file.tensors()) size += t.end - t.begin;
  bytes.reserve(size);
  for (const std::size_t i : order) bytes += file.bytes(file.tensors()[i]);
  return bytes;
}

TensorFile decode_tensors(std::string bytes, const std::string& source) {
  const std::size_t data = header_end(bytes, source);
  Header header =
      read_header(std::string_view(bytes).substr(kLengthBytes, data - kLengthBytes), source);
  check_ranges(header, data, bytes.size(), source);
  check_tensors(header, std::string_view(bytes).substr(data), source);

  TensorFile file(source);
  file.metadata = std::move(header.metadata);
  for (HeaderEntry& t : header.tensors)
    file.tensors_.push_back(
        {std::move(t.name), t.dtype, std::move(t.shape), data + t.begin, data + t.end});
  file.buffer_ = std::move(bytes);
  return file;
}

void write_tensors(const TensorFile& tensors, AtomicFile& out) {
  const std::vector<std::size_t> order = data_order(tensors);
  out.write(encode_head(tensors, order));
  for (const std::size_t i : order) out.write(tensors.bytes(tensors.tensors()[i]));
}

void save_tensors(const TensorFile& tensors, const std::filesystem::path& file) {
  AtomicFile out(file);
  write_tensors(tensors, out);
  out.commit();
}

TensorFile load_tensors(const std::filesystem::path& file) {
  return decode_tensors(read_file(file), file.string());
}

}  // namespace pegnn
