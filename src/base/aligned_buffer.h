#pragma once
// A flat, 64-byte aligned, zero-initialised array of numbers with one owner.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

namespace pegnn {

// One cache line and one AVX-512 register: every buffer and every parameter starts on it.
inline constexpr std::size_t kAlignment = 64;

template <class T>
class AlignedBuffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  AlignedBuffer() = default;
  explicit AlignedBuffer(std::int64_t size) { resize(size); }
  AlignedBuffer(const AlignedBuffer& other) { *this = other; }
  AlignedBuffer(AlignedBuffer&& other) noexcept { swap(other); }
  AlignedBuffer& operator=(const AlignedBuffer& other) {
    if (this != &other) {
      resize(other.size_);
      std::copy_n(other.data_, other.size_, data_);
    }
    return *this;
  }
  AlignedBuffer& operator=(AlignedBuffer&& other) noexcept {
    swap(other);
    return *this;
  }
  ~AlignedBuffer() { release(); }

  // Contents become zero. Memory is kept when the new size fits into it.
  void resize(std::int64_t size) {
    if (size > capacity_) {
      release();
      data_ = static_cast<T*>(
          ::operator new(static_cast<std::size_t>(size) * sizeof(T), std::align_val_t(kAlignment)));
      capacity_ = size;
    }
    size_ = size;
    std::fill_n(data_, size_, T{});
  }

  void fill(T value) { std::fill_n(data_, size_, value); }
  std::int64_t size() const { return size_; }
  T* data() { return data_; }
  const T* data() const { return data_; }
  T& operator[](std::int64_t i) { return data_[i]; }
  const T& operator[](std::int64_t i) const { return data_[i]; }
  std::span<T> span() { return {data_, static_cast<std::size_t>(size_)}; }
  std::span<const T> span() const { return {data_, static_cast<std::size_t>(size_)}; }

 private:
  void swap(AlignedBuffer& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }
  void release() noexcept {
    if (data_ != nullptr) ::operator delete(data_, std::align_val_t(kAlignment));
    data_ = nullptr;
    size_ = capacity_ = 0;
  }

  T* data_ = nullptr;
  std::int64_t size_ = 0;
  std::int64_t capacity_ = 0;
};

}  // namespace pegnn
