// The quick half of the mutations: text in the header and bytes in the data, found by search alone.

#include "sealed.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <limits>

#include "model/safetensors_header.h"

// libFuzzer's own mutations.
extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace pegnn::fuzz {
namespace {

constexpr std::size_t kLengthBytes = 8;
constexpr std::size_t kChecksumDigits = 16;
constexpr std::string_view kStart = R"({"__metadata__":{"xxh64":")";

Parts split(std::string_view bytes) {
  std::uint64_t length = 0;
  if (bytes.size() < kLengthBytes) return {{}, std::string(bytes)};
  std::memcpy(&length, bytes.data(), kLengthBytes);
  bytes.remove_prefix(kLengthBytes);
  const auto end = static_cast<std::size_t>(std::min<std::uint64_t>(length, bytes.size()));
  return {std::string(bytes.substr(0, end)), std::string(bytes.substr(end))};
}

// Padded, and with the header's own checksum.
std::string seal_header(Parts parts) {
  std::string& header = parts.header;
  while (!header.empty() && header.back() == ' ') header.pop_back();
  header.append((8 - header.size() % 8) % 8, ' ');
  if (header.starts_with(kStart) && header.size() >= kStart.size() + kChecksumDigits) {
    header.replace(kStart.size(), kChecksumDigits, kChecksumDigits, '0');
    header.replace(kStart.size(), kChecksumDigits, checksum(header));
  }
  return with_length(header, parts.data);
}

std::vector<std::size_t> all_of(const std::string& text, std::string_view what) {
  std::vector<std::size_t> places;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) {
    places.push_back(at);
  }
  return places;
}

// An element, or some bytes, of a tensor; false where none is found.
bool mutate_data(Parts& parts, Dice& dice) {
  std::string& header = parts.header;
  constexpr std::string_view kOffsets = R"("data_offsets":[)", kDtype = R"(":{"dtype":")";
  const std::vector<std::size_t> tensors = all_of(header, kOffsets);
  if (tensors.empty()) return false;
  const std::size_t at = dice.one_of(tensors);
  char* next = nullptr;
  const auto from = std::strtoull(header.c_str() + at + kOffsets.size(), &next, 10);
  const auto to = *next == ',' ? std::strtoull(next + 1, nullptr, 10) : 0;
  const std::size_t dtype = header.rfind(kDtype, at);
  if (from >= to || to > parts.data.size() || dtype == std::string::npos || dtype == 0)
    return false;
  const std::size_t name = header.rfind('"', dtype - 1) + 1;
  const std::string key = R"("xxh64:)" + header.substr(name, dtype - name) + R"(":")";
  const std::size_t stored = header.find(key);
  if (stored == std::string::npos) return false;

  const std::string_view type(header.data() + dtype + kDtype.size(), 3);
  std::string data = parts.data.substr(from, to - from);
  if (dice.below(3) != 0) {
    set_element(type, data, dice);
  } else {
    data = mutated(data, 0);
  }
  data.resize(to - from);
  header.replace(stored + key.size(), kChecksumDigits, checksum(data));
  parts.data.replace(from, to - from, data);
  return true;
}

// A word or number in the description of a model, or of a part of it; false where there is none.
bool mutate_word(std::string& header, Dice& dice) {
  constexpr std::string_view kKey = R"("pegnn.model":")";
  std::vector<std::size_t> described = all_of(header, kKey);
  for (const std::size_t part : all_of(header, R"("pegnn.part.)")) described.push_back(part);
  if (described.empty()) return false;
  const std::size_t begin = dice.one_of(described);
  const std::size_t end = std::min(header.find("\",\"", begin + kKey.size()), header.size());
  const auto in_word = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '-' || c == '_';
  };
  std::vector<std::pair<std::size_t, std::size_t>> words;
  for (std::size_t i = begin + kKey.size(); i < end; ++i) {
    if (!in_word(header[i]) || in_word(header[i - 1])) continue;
    std::size_t stop = i;
    while (stop < end && in_word(header[stop])) ++stop;
    words.emplace_back(i, stop - i);
  }
  if (words.empty()) return false;
  const auto [at, size] = dice.one_of(words);
  static const std::vector<std::string> kWords{
      "0",    "1",   "-1",    "2",       "3",   "1e300", "-1e300", "1e19",  "0.5",  "1e-300",
      "4096", "100", "65536", "1000000", "nan", "null",  "true",   "false", "inf",  "",
      "[]",   "{}",  "none",  "network", "gcn", "mean",  "asinh",  "plane", "auto", "9e15"};
  std::string word = dice.one_of(kWords);
  if (dice.below(3) == 0) {
    const auto [other, length] = dice.one_of(words);
    word = header.substr(other, length);
  } else if (dice.below(3) == 0) {
    word = mutated(header.substr(at, size), 4);
  }
  header.replace(at, size, word);
  return true;
}

template <class T>
void put(std::string& data, std::size_t at, T value) {
  const std::size_t count = data.size() / sizeof(T);
  if (count > 0) std::memcpy(data.data() + at % count * sizeof(T), &value, sizeof(T));
}

std::string change(std::string_view bytes, std::size_t most, Dice& dice) {
  constexpr std::size_t kMore = 32;  // bytes by which a header may grow at once
  const std::size_t kind = dice.below(16);
  if (kind == 0) return mutated(std::string(bytes), most - bytes.size());
  Parts parts = split(bytes);
  if (kind <= 2) return mutate_tensors(parts, dice);
  if (kind <= 10 && mutate_data(parts, dice)) return seal_header(std::move(parts));
  if (kind <= 14 && mutate_word(parts.header, dice)) return seal_header(std::move(parts));
  parts.header = mutated(parts.header, kMore);
  return seal_header(std::move(parts));
}

}  // namespace

std::string mutated(std::string text, std::size_t more) {
  const std::size_t size = text.size();
  text.resize(size + more + 1);
  text.resize(
      LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(text.data()), size, text.size() - 1));
  return text;
}

std::string with_length(const std::string& header, std::string_view data) {
  const std::uint64_t length = header.size();
  std::string bytes(kLengthBytes, '\0');
  std::memcpy(bytes.data(), &length, kLengthBytes);
  return bytes.append(header).append(data);
}

const std::vector<double>& special_numbers() {
  using Limits = std::numeric_limits<double>;
  static const std::vector<double> kNumbers{0,
                                            -0.0,
                                            1,
                                            -1,
                                            0.5,
                                            2,
                                            3,
                                            1e-300,
                                            1e300,
                                            -1e300,
                                            180,
                                            -180,
                                            90,
                                            -90,
                                            360,
                                            1e-9,
                                            1e9,
                                            1e18,
                                            1e19,
                                            2147483648.0,
                                            65536,
                                            1e38,
                                            -1e38,
                                            1e-45,
                                            Limits::max(),
                                            Limits::min(),
                                            Limits::infinity(),
                                            -Limits::infinity(),
                                            Limits::quiet_NaN(),
                                            Limits::denorm_min()};
  return kNumbers;
}

const std::vector<std::int64_t>& special_integers() {
  using Limits = std::numeric_limits<std::int64_t>;
  constexpr std::int64_t kOne = 1;
  static const std::vector<std::int64_t> kIntegers{0,
                                                   1,
                                                   -1,
                                                   2,
                                                   3,
                                                   7,
                                                   8,
                                                   9,
                                                   15,
                                                   16,
                                                   17,
                                                   100,
                                                   255,
                                                   256,
                                                   1024,
                                                   4096,
                                                   65536,
                                                   kOne << 31,
                                                   kOne << 32,
                                                   kOne << 53,
                                                   Limits::max(),
                                                   Limits::min()};
  return kIntegers;
}

void set_element(std::string_view dtype, std::string& data, Dice& dice) {
  const std::size_t at = dice.below(data.size());
  const double number = dice.one_of(special_numbers());
  const std::int64_t integer = dice.one_of(special_integers());
  if (dtype == "F32") put(data, at, static_cast<float>(number));  // too large a one is infinite
  if (dtype == "F64") put(data, at, number);
  if (dtype == "I32") put(data, at, static_cast<std::int32_t>(integer));
  if (dtype == "I64") put(data, at, integer);
}

std::size_t mutate_sealed(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  Dice dice(seed);
  std::string changed = change(bytes, most, dice);
  if (changed.empty() || changed.size() > most) changed = mutated(bytes, most - size);
  std::copy(changed.begin(), changed.end(), data);
  return changed.size();
}

}  // namespace pegnn::fuzz
