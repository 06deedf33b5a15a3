#pragma once
// Reads UBJSON (Universal Binary JSON, draft 12) as far as XGBoost writes it, from bytes that may
// be hostile: nothing is unpacked, and no number in them decides how much memory is taken.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace pegnn {

// The bytes are not what they should be; what() says how, for the caller to say where.
class UbjsonFault : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Numbers of one type that stand one after the other, highest byte first.
template <class T>
class UbjsonNumbers {
 public:
  explicit UbjsonNumbers(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  std::size_t size() const { return bytes_.size() / sizeof(T); }
  T operator[](std::size_t i) const {
    using Bits = std::conditional_t<
        sizeof(T) == 1, std::uint8_t,
        std::conditional_t<sizeof(T) == 2, std::uint16_t,
                           std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>>;
    std::uint64_t bits = 0;
    for (const std::uint8_t byte : bytes_.subspan(i * sizeof(T), sizeof(T))) {
      bits = bits << 8 | byte;
    }
    return std::bit_cast<T>(static_cast<Bits>(bits));
  }

 private:
  std::span<const std::uint8_t> bytes_;
};

// A value in bytes that outlive it. Asked for as something that it is not, it throws UbjsonFault.
class UbjsonValue {
 public:
  using Members = std::vector<std::pair<std::string_view, UbjsonValue>>;

  // The bytes are one value and nothing else, or UbjsonFault. What has two readings is refused, as
  // another reader might take the other one: names that come twice, bytes after the end, fillers.
  explicit UbjsonValue(std::span<const std::uint8_t> bytes);

  Members members() const;                 // of an object
  std::vector<UbjsonValue> items() const;  // of a list of values
  std::string_view text() const;
  std::int64_t integer() const;

  // A list of numbers of one type: float, std::int64_t, std::int32_t or std::uint8_t.
  template <class T>
  UbjsonNumbers<T> numbers() const {
    static_assert(std::is_same_v<T, float> || std::is_same_v<T, std::int64_t> ||
                  std::is_same_v<T, std::int32_t> || std::is_same_v<T, std::uint8_t>);
    if constexpr (std::is_same_v<T, float>) return UbjsonNumbers<T>(packed('d'));
    if constexpr (std::is_same_v<T, std::int64_t>) return UbjsonNumbers<T>(packed('L'));
    if constexpr (std::is_same_v<T, std::int32_t>) return UbjsonNumbers<T>(packed('l'));
    if constexpr (std::is_same_v<T, std::uint8_t>) return UbjsonNumbers<T>(packed('U'));
  }

 private:
  UbjsonValue() = default;
  std::span<const std::uint8_t> packed(char type) const;

  std::span<const std::uint8_t> bytes_;  // from its marker to its end
};

}  // namespace pegnn
