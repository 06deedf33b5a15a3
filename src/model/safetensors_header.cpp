#include "model/safetensors_header.h"

#include <array>
#include <limits>
#include <set>

#include <fmt/core.h>
#include <xxhash.h>

#include <nlohmann/json.hpp>

#include "model/model_error.h"

namespace pegnn {

namespace {

using Json = nlohmann::json;

// The header's checksum stands at a fixed place, so that it can be checked before any parsing.
constexpr std::string_view kStart = R"({"__metadata__":{"xxh64":")";
constexpr std::size_t kDigits = 16;
constexpr std::size_t kPrefixBytes = 6;  // "xxh64:" before the name of a tensor

constexpr std::array kDtypes{Dtype::f32, Dtype::f64, Dtype::i32, Dtype::i64, Dtype::u8};

std::string header_checksum(std::string text) {
  text.replace(kStart.size(), kDigits, kDigits, '0');
  return checksum(text);
}

std::string quote(const std::string& text, const std::string& source) {
  try {
    return Json(text).dump();
  } catch (const Json::exception&) {
    // What cannot be shown in a message either: replace the bytes that are not UTF-8.
    refuse_model(
        source,
        fmt::format("cannot store the text {}: it is not UTF-8",
                    Json(text.substr(0, 40)).dump(-1, ' ', false, Json::error_handler_t::replace)));
  }
}

// Receives the header's JSON piece by piece and accepts exactly its form: an object of objects,
// whose only arrays are `shape` and `data_offsets`. Anything else is refused where it begins, so
// neither depth nor size of hostile JSON matters.
class HeaderReader : public nlohmann::json_sax<Json> {
 public:
  HeaderReader(const std::string& source, Header& header) : source_(source), header_(header) {}

  bool start_object(std::size_t) override {
    if (place_ == Place::outside) {
      place_ = Place::top;
    } else if (place_ == Place::top_value) {
      place_ = name_ == "__metadata__" ? Place::metadata : Place::tensor;
      if (place_ == Place::tensor) start_tensor();
    } else {
      wrong("an object");
    }
    return true;
  }

  bool key(string_t& key) override {
    const std::size_t prefix = place_ == Place::metadata ? kPrefixBytes : 0;
    if (key.size() > kMaxNameBytes + prefix)
      refuse_model(source_, fmt::format("header: a name of {} bytes; at most {} are allowed",
                                        key.size(), kMaxNameBytes + prefix));
    if (place_ == Place::top) {
      if (!names_.insert(key).second)
        refuse_model(source_, "header: '" + key + "' stands there twice");
      name_ = key;
      place_ = Place::top_value;
    } else if (place_ == Place::metadata) {
      name_ = key;
      place_ = Place::metadata_value;
    } else {
      start_field(key);
    }
    return true;
  }

  bool end_object() override {
    if (place_ == Place::tensor) finish_tensor();
    place_ = place_ == Place::top ? Place::outside : Place::top;
    return true;
  }

  bool start_array(std::size_t) override {
    if (place_ != Place::shape && place_ != Place::offsets) wrong("a list");
    if (in_list_) wrong("a list in a list");
    in_list_ = true;
    return true;
  }

  bool end_array() override {
    in_list_ = false;
    place_ = Place::tensor;
    return true;
  }

  bool string(string_t& text) override {
    if (place_ == Place::metadata_value) {
      if (header_.metadata.size() > kMaxMetadata + kMaxTensors)
        refuse_model(source_, fmt::format("header: metadata of more than {} keys",
                                          kMaxMetadata + kMaxTensors));
      if (!header_.metadata.emplace(name_, text).second)
        refuse_model(source_, "header: metadata '" + name_ + "' stands there twice");
      place_ = Place::metadata;
    } else if (place_ == Place::dtype) {
      set_dtype(text);
      place_ = Place::tensor;
    } else {
      wrong("text");
    }
    return true;
  }

  bool number_unsigned(number_unsigned_t number) override {
    if (!in_list_) wrong("a number");
    constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    if (number > kMost) wrong(fmt::format("the number {}", number));
    if (place_ == Place::shape) {
      if (entry().shape.size() == kMaxTensorRank)
        refuse_model(source_,
                     fmt::format("tensor '{}' has more than {} dimensions", name_, kMaxTensorRank));
      entry().shape.push_back(static_cast<std::int64_t>(number));
    } else {
      if (offsets_ == 2) wrong("a third offset");
      (offsets_ == 0 ? entry().begin : entry().end) = number;
      ++offsets_;
    }
    return true;
  }

  // Whole numbers below zero arrive here, the others above.
  bool number_integer(number_integer_t number) override {
    wrong(fmt::format("the number {}", number));
  }
  bool number_float(number_float_t, const string_t& text) override { wrong("the number " + text); }
  bool boolean(bool) override { wrong("true or false"); }
  bool null() override { wrong("null"); }
  bool binary(binary_t&) override { wrong("binary data"); }
  bool parse_error(std::size_t position, const std::string&, const Json::exception&) override {
    refuse_model(source_, fmt::format("header: not valid JSON at byte {}", position + 8));
  }

 private:
  enum class Place {
    outside,
    top,
    top_value,
    metadata,
    metadata_value,
    tensor,
    dtype,
    shape,
    offsets
  };

  HeaderEntry& entry() { return header_.tensors.back(); }

  // Something stands where the format has no place for it.
  [[noreturn]] void wrong(const std::string& what) const {
    switch (place_) {
      case Place::outside:
        refuse_model(source_, "header: " + what + " instead of an object");
      case Place::metadata_value:
        refuse_model(source_, "header: metadata '" + name_ + "' is " + what + ", not text");
      case Place::dtype:
        refuse_model(source_, "tensor '" + name_ + "': dtype is " + what);
      case Place::shape:
        refuse_model(source_, "tensor '" + name_ + "': shape holds " + what +
                                  "; it is a list of whole numbers, none negative");
      case Place::offsets:
        refuse_model(source_, "tensor '" + name_ + "': data_offsets holds " + what +
                                  "; it is a list of two whole numbers, none negative");
      default:
        refuse_model(source_, "header: '" + name_ + "' is " + what + ", not an object");
    }
  }

  void start_tensor() {
    if (header_.tensors.size() == kMaxTensors)
      refuse_model(source_, fmt::format("header: more than {} tensors", kMaxTensors));
    header_.tensors.emplace_back().name = name_;
    has_dtype_ = has_shape_ = has_offsets_ = false;
    offsets_ = 0;
  }

  void start_field(const std::string& key) {
    bool* seen = nullptr;
    if (key == "dtype") {
      seen = &has_dtype_;
      place_ = Place::dtype;
    } else if (key == "shape") {
      seen = &has_shape_;
      place_ = Place::shape;
    } else if (key == "data_offsets") {
      seen = &has_offsets_;
      place_ = Place::offsets;
    } else {
      refuse_model(source_, "tensor '" + name_ + "': unknown key '" + key + "'");
    }
    if (*seen) refuse_model(source_, "tensor '" + name_ + "': '" + key + "' stands there twice");
    *seen = true;
  }

  void set_dtype(const std::string& text) {
    for (const Dtype dtype : kDtypes) {
      if (text != name_of(dtype)) continue;
      entry().dtype = dtype;
      return;
    }
    refuse_model(source_, "tensor '" + name_ + "': unknown dtype '" + text +
                              "'; known: F32, F64, I32, I64, U8");
  }

  void finish_tensor() {
    if (!has_dtype_ || !has_shape_ || offsets_ != 2)
      refuse_model(source_, "tensor '" + name_ + "': dtype, shape and two data_offsets are needed");
    std::int64_t size = bytes_of(entry().dtype);
    for (const std::int64_t extent : entry().shape)
      if (__builtin_mul_overflow(size, extent, &size))
        refuse_model(source_, "tensor '" + name_ + "': the size of its shape passes 64 bits");
    if (entry().end < entry().begin ||
        entry().end - entry().begin != static_cast<std::uint64_t>(size))
      refuse_model(
          source_,
          fmt::format("tensor '{}': its shape needs {} bytes but data_offsets are {} to {}", name_,
                      size, entry().begin, entry().end));
  }

  const std::string& source_;
  Header& header_;
  std::set<std::string> names_;
  std::string name_;  // the tensor or metadata key being read
  Place place_ = Place::outside;
  bool in_list_ = false;
  bool has_dtype_ = false, has_shape_ = false, has_offsets_ = false;
  int offsets_ = 0;
};

}  // namespace

std::string checksum(std::string_view bytes) {
  return fmt::format("{:016x}", XXH64(bytes.data(), bytes.size(), 0));
}

std::string write_header(const Header& header, const std::string& source) {
  std::string text(kStart);
  text.append(kDigits, '0');
  text += '"';
  for (const auto& [key, value] : header.metadata)
    text += fmt::format(",{}:{}", quote(key, source), quote(value, source));
  text += '}';
  for (const HeaderEntry& t : header.tensors) {
    text += fmt::format(R"(,{}:{{"dtype":"{}","shape":[)", quote(t.name, source), name_of(t.dtype));
    for (std::int64_t d = 0; d < std::ssize(t.shape); ++d)
      text += fmt::format("{}{}", d == 0 ? "" : ",", t.shape[d]);
    text += fmt::format(R"(],"data_offsets":[{},{}]}})", t.begin, t.end);
  }
  text += '}';
  text.append((8 - text.size() % 8) % 8, ' ');
  if (text.size() > kMaxHeaderBytes)
    refuse_model(source, fmt::format("the header would take {} bytes, more than the {} allowed",
                                     text.size(), kMaxHeaderBytes));
  text.replace(kStart.size(), kDigits, header_checksum(text));
  return text;
}

Header read_header(std::string_view text, const std::string& source) {
  if (text.size() < kStart.size() + kDigits || !text.starts_with(kStart))
    refuse_model(source,
                 fmt::format("the header does not begin with {}; the file is damaged or is not "
                             "a pegnn model file",
                             kStart));
  const std::string_view stored = text.substr(kStart.size(), kDigits);
  if (stored != header_checksum(std::string(text)))
    refuse_model(source, "the header does not match its checksum; the file is damaged");

  Header header;
  HeaderReader reader(source, header);
  Json::sax_parse(text, &reader);
  header.metadata.erase("xxh64");
  return header;
}

}  // namespace pegnn
