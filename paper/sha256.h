#pragma once
// SHA-256 (FIPS 180-4): the fingerprint of bytes that come one after the other.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace pegnn {

class Sha256 {
 public:
  void add(std::string_view bytes);
  // 64 hexadecimal digits, lower case, of everything added so far; more may follow.
  std::string hex() const;

 private:
  void compress(const unsigned char* block);

  // The first 32 bits of the fractional parts of the square roots of the first eight primes.
  std::array<std::uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<unsigned char, 64> block_{};
  std::size_t filled_ = 0;    // of the block
  std::uint64_t length_ = 0;  // bytes added
};

std::string sha256(std::string_view bytes);

}  // namespace pegnn
