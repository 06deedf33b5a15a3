#pragma once
// The safetensors container with checksums: named arrays of numbers and text, as one file.
//
// Layout: 8 bytes of header length (little-endian), the header, the data.
//   header  {"__metadata__":{"xxh64":"<16 hex digits>","xxh64:<tensor>":"…","<key>":"<text>",…},
//            "<tensor>":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]},…}
//           in JSON, UTF-8, filled up with spaces to a multiple of 8 bytes
//   data    the tensors' elements, little-endian, without gaps; wider elements first, so that
//           every tensor is aligned for readers that map the file
// The Python package `safetensors` and other readers of the format open it and see the checksums
// as ordinary metadata. "xxh64:<tensor>" is the xxHash-64 (seed 0) of that tensor's bytes; "xxh64",
// always first, is that of all header bytes with its own 16 digits taken as '0'. No bit of a file
// can change unseen.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/array.h"

namespace pegnn {

class AtomicFile;

// Room for options, schema and scaler many times over; the points are tensors. A damaged length
// is found before anything is allocated for it.
inline constexpr std::uint64_t kMaxHeaderBytes = std::uint64_t{16} << 20;
inline constexpr std::size_t kMaxTensors = 4096;
inline constexpr std::size_t kMaxTensorRank = 8;
// Of the names of tensors and the keys of metadata; ours have some 40.
inline constexpr std::size_t kMaxNameBytes = 256;
// Beside the checksums of the tensors; a model has 3.
inline constexpr std::size_t kMaxMetadata = 64;

enum class Dtype { f32, f64, i32, i64, u8 };

std::string_view name_of(Dtype dtype);  // "F32", "F64", "I32", "I64", "U8"
std::int64_t bytes_of(Dtype dtype);     // of one element

// What is known of a tensor; its elements are in the TensorFile.
struct TensorInfo {
  std::string name;
  Dtype dtype = Dtype::f32;
  Array<std::int64_t> shape;       // empty: one number
  std::size_t begin = 0, end = 0;  // bytes of the file's buffer, or of what is borrowed
  const char* borrowed = nullptr;  // where the elements stand if not in the buffer

  std::int64_t count() const;  // elements: the product of the shape
};

// An ordered set of tensors and a dictionary of text. Owns one buffer with all elements but those
// that are borrowed; decoding keeps the file's bytes as that buffer, so nothing is copied before it
// is read. Const methods may run concurrently.
class TensorFile {
 public:
  // `source` names the file in messages.
  explicit TensorFile(std::string source = "model") : source_(std::move(source)) {}

  // Text, UTF-8. Keys that are "xxh64" or begin with "xxh64:" are the checksums', not the caller's.
  std::map<std::string, std::string> metadata;

  const std::string& source() const { return source_; }
  const std::vector<TensorInfo>& tensors() const { return tensors_; }
  const TensorInfo* find(std::string_view name) const;  // null when there is none of that name

  // Copies `values`, row-major, as a tensor with a name of its own, not "__metadata__"; the product
  // of `shape` is their number.
  void add(std::string name, Array<std::int64_t> shape, Span<const float> values);
  void add(std::string name, Array<std::int64_t> shape, Span<const double> values);
  void add(std::string name, Array<std::int64_t> shape, Span<const std::int32_t> values);
  void add(std::string name, Array<std::int64_t> shape, Span<const std::int64_t> values);
  void add(std::string name, Array<std::int64_t> shape, Span<const std::uint8_t> values);

  // The same without a copy, for arrays as large as the table: `values` must stay as they are for
  // the life of this object and of those copied from it.
  void borrow(std::string name, Array<std::int64_t> shape, Span<const float> values);
  void borrow(std::string name, Array<std::int64_t> shape, Span<const double> values);

  // The tensors of another file with their names after `prefix`; what is borrowed there is borrowed
  // here. With `wanted`, those whose names it likes.
  void add_all(const std::string& prefix, const TensorFile& other,
               const std::function<bool(const std::string&)>& wanted = {});
  // Those whose names begin with `prefix`, without it, borrowed from this; no metadata.
  TensorFile part(std::string_view prefix, std::string source) const;

  // Copies the elements into `out`. Error{model} naming the tensor when it is missing, holds
  // another type or another number of elements than `out`.
  void read(std::string_view name, Span<float> out) const;
  void read(std::string_view name, Span<double> out) const;
  void read(std::string_view name, Span<std::int32_t> out) const;
  void read(std::string_view name, Span<std::int64_t> out) const;
  void read(std::string_view name, Span<std::uint8_t> out) const;
  // The elements, T being one of the types above; with `count` given the same check on their
  // number.
  template <class T>
  Array<T> values(std::string_view name, std::optional<std::int64_t> count = {}) const;

  // The elements as they stand in the file. `tensor` is one of tensors().
  std::string_view bytes(const TensorInfo& tensor) const {
    const char* const from = tensor.borrowed != nullptr ? tensor.borrowed : buffer_.data();
    return {from + tensor.begin, tensor.end - tensor.begin};
  }
  // The metadata under `key`; Error{model} when it is missing.
  const std::string& text(const std::string& key) const;

 private:
  friend TensorFile decode_tensors(std::string bytes, const std::string& source);

  void append(std::string name, Dtype dtype, Array<std::int64_t> shape,
              std::span<const std::byte> bytes, bool borrowed);
  // The tensor, of that type and, when given, number of elements.
  const TensorInfo& expect(std::string_view name, Dtype dtype,
                           std::optional<std::int64_t> count) const;
  void copy(const TensorInfo& tensor, std::span<std::byte> out) const;

  std::string source_;
  std::vector<TensorInfo> tensors_;
  std::string buffer_;
};

// The bytes of the file. Equal content added in the same order gives equal bytes. Error{model} when
// a text is not UTF-8 or the header would pass kMaxHeaderBytes.
std::string encode_tensors(const TensorFile& file);

// Reads what encode_tensors wrote; every size is checked before it is used. Error{model}, naming
// the tensor or the header, for anything truncated, altered or not written by us. `source` names
// the file in messages.
TensorFile decode_tensors(std::string bytes, const std::string& source);

// To disk as write_file does, without a second copy of the data, and back. Error{resource} when the
// file cannot be written or read.
void save_tensors(const TensorFile& tensors, const std::filesystem::path& file);
void write_tensors(const TensorFile& tensors, AtomicFile& out);  // not yet committed
TensorFile load_tensors(const std::filesystem::path& file);

}  // namespace pegnn
