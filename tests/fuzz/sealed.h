#pragma once
// Mutations of files with checksums (model/safetensors.h). Such a file is changed and sealed again,
// so that a change is not stopped at the door; every file of the corpus is one that the program
// could meet.

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace pegnn::fuzz {

// As LLVMFuzzerCustomMutator: changes the `size` bytes at `data`, where there is room for `most`,
// and returns how many there are then.
std::size_t mutate_sealed(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed);

// What the two halves of it share.

class Dice {
 public:
  explicit Dice(unsigned seed) : engine_(seed) {}
  std::size_t below(std::size_t n) { return n == 0 ? 0 : engine_() % n; }
  template <class T>
  const T& one_of(const std::vector<T>& list) {
    return list[below(list.size())];
  }

 private:
  std::minstd_rand engine_;
};

struct Parts {
  std::string header, data;
};

// `text` changed by libFuzzer, by at most some bytes more.
std::string mutated(std::string text, std::size_t more);

// Where numbers become something else.
const std::vector<double>& special_numbers();
const std::vector<std::int64_t>& special_integers();

// Sets an element of a tensor of that type ("F32", ...) to such a number.
void set_element(std::string_view dtype, std::string& data, Dice& dice);

// Taken apart tensor by tensor: rows more or fewer, other types, other names, other values in the
// description. Empty when the file cannot be read or cannot be written any more.
std::string mutate_tensors(const Parts& parts, Dice& dice);

// Length, header and data, one after the other.
std::string with_length(const std::string& header, std::string_view data);

}  // namespace pegnn::fuzz
