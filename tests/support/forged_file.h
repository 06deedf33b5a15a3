#pragma once
// A model file taken apart, to be put together again with anything in it and checksums that fit.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pegnn::test {

std::string xxh64(std::string_view bytes);

struct ForgedFile {
  using Members = std::vector<std::pair<std::string, std::string>>;  // name and JSON text

  struct Tensor {
    std::string name;
    Members fields;  // dtype, shape, data_offsets
    std::string data;
    std::uint64_t place = 0;  // of its data in the file, whatever the fields say
  };

  Members metadata;  // without checksums
  std::vector<Tensor> tensors;

  explicit ForgedFile(const std::string& bytes);

  // The text behind a key of the metadata.
  std::string text(const std::string& key) const;
  void set_text(const std::string& key, const std::string& text);
  // The same, escaped by hand: the text need not be UTF-8.
  void set_raw_text(const std::string& key, const std::string& text);
  Tensor* find(const std::string& name);

  static std::vector<std::int64_t> shape(const Tensor& tensor);
  // A matrix gets as many rows, repeated from above; its neighbours move.
  void set_rows(std::size_t number, std::int64_t rows);
  void remove(std::size_t number);

  std::string bytes() const;

 private:
  // Numbers of the tensors in the order of their data.
  std::vector<std::size_t> in_place() const;
  // Offsets follow the sizes of the data.
  void move_data();
};

}  // namespace pegnn::test
