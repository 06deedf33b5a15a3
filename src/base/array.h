#pragma once
// Arrays with signed sizes and indices: `Array` owns its elements, `Span` borrows them.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <ranges>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace pegnn {

// Counts are std::int64_t and stored ids std::int32_t; the containers of the standard library
// count in std::size_t. These two are those containers with the house's numbers: `size()` is
// signed, and any integer is an index or a size, so that a loop reads as its formula. Indices and
// sizes are not negative, indices below `size()`; nothing is checked that std::vector and std::span
// do not check. docs/decisions/0032 says where they are used and where the standard's stay.
template <std::integral Integer>
constexpr std::size_t as_size(Integer count) noexcept {
  return static_cast<std::size_t>(count);
}

// An Array is a std::vector wherever one is asked for, and takes over the elements of one that is
// moved into it.
template <class T>
class Array : public std::vector<T> {
  using Base = std::vector<T>;

 public:
  using typename Base::const_reference, typename Base::reference;

  using Base::Base;
  Array() = default;
  template <std::integral Integer>
  explicit Array(Integer size) : Base(as_size(size)) {}
  template <std::integral Integer>
  Array(Integer size, const T& value) : Base(as_size(size), value) {}
  Array(const Base& elements) : Base(elements) {}
  Array(Base&& elements) noexcept : Base(std::move(elements)) {}

  std::int64_t size() const noexcept { return static_cast<std::int64_t>(Base::size()); }
  template <std::integral Integer>
  reference operator[](Integer i) noexcept {
    return Base::operator[](as_size(i));
  }
  template <std::integral Integer>
  const_reference operator[](Integer i) const noexcept {
    return Base::operator[](as_size(i));
  }

  template <std::integral Integer>
  void resize(Integer size) {
    Base::resize(as_size(size));
  }
  template <std::integral Integer>
  void resize(Integer size, const T& value) {
    Base::resize(as_size(size), value);
  }
  template <std::integral Integer>
  void reserve(Integer size) {
    Base::reserve(as_size(size));
  }
  using Base::assign;
  template <std::integral Integer>
  void assign(Integer size, const T& value) {
    Base::assign(as_size(size), value);
  }
};

// A Span is a std::span wherever one is asked for, and is made from whatever that is made from.
template <class T>
class Span : public std::span<T> {
  using Base = std::span<T>;

 public:
  using Base::Base;
  Span() = default;
  constexpr Span(Base elements) noexcept : Base(elements) {}
  template <std::contiguous_iterator Iterator, std::integral Integer>
  constexpr Span(Iterator first, Integer size) noexcept : Base(first, as_size(size)) {}
  template <std::contiguous_iterator Iterator>
  constexpr Span(Iterator first, Iterator end) noexcept : Base(first, as_size(end - first)) {}

  constexpr std::int64_t size() const noexcept { return static_cast<std::int64_t>(Base::size()); }
  template <std::integral Integer>
  constexpr T& operator[](Integer i) const noexcept {
    return Base::operator[](as_size(i));
  }

  template <std::integral Integer>
  constexpr Span first(Integer count) const noexcept {
    return Base::first(as_size(count));
  }
  template <std::integral Integer>
  constexpr Span last(Integer count) const noexcept {
    return Base::last(as_size(count));
  }
  template <std::integral Integer>
  constexpr Span subspan(Integer from) const noexcept {
    return Base::subspan(as_size(from));
  }
  template <std::integral From, std::integral Count>
  constexpr Span subspan(From from, Count count) const noexcept {
    return Base::subspan(as_size(from), as_size(count));
  }
};

template <std::ranges::contiguous_range Elements>
Span(Elements&&) -> Span<std::remove_reference_t<std::ranges::range_reference_t<Elements>>>;
template <class T, std::integral Integer>
Span(T*, Integer) -> Span<T>;

// values[rows[0]], values[rows[1]], ...: the elements of these rows, in this order.
template <std::ranges::contiguous_range Values, std::ranges::sized_range Rows>
auto gather(const Values& values, const Rows& rows) {
  const Span from(values);
  Array<std::ranges::range_value_t<Values>> out;
  out.reserve(std::ranges::ssize(rows));
  for (const auto row : rows) out.push_back(from[row]);
  return out;
}

}  // namespace pegnn

// A Span outlives nothing: iterators into it stay valid when it is gone, as with std::span.
template <class T>
inline constexpr bool std::ranges::enable_borrowed_range<pegnn::Span<T>> = true;
template <class T>
inline constexpr bool std::ranges::enable_view<pegnn::Span<T>> = true;
