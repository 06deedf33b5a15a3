#pragma once
// Arrays with signed sizes and indices: `Array` owns its elements, `Span` borrows them.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <span>
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
  explicit Array(const Base& elements) : Base(elements) {}  // a copy is never made by itself
  Array(Base&& elements) noexcept : Base(std::move(elements)) {}
  Array& operator=(const Base& elements) {
    Base::operator=(elements);
    return *this;
  }
  Array& operator=(Base&& elements) noexcept {
    Base::operator=(std::move(elements));
    return *this;
  }
  Array& operator=(std::initializer_list<T> elements) {
    Base::operator=(elements);
    return *this;
  }

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

template <class Elements>
Span(Elements&&) -> Span<typename decltype(std::span(std::declval<Elements>()))::element_type>;
template <class T, std::integral Integer>
Span(T*, Integer) -> Span<T>;

// values[rows[0]], values[rows[1]], ...: the elements of these rows, in this order. With `out` its
// memory is used again.
template <class Values, class Rows, class T>
void gather(const Values& values, const Rows& rows, Array<T>& out) {
  const Span from(values);
  out.resize(std::ssize(rows));
  T* to = out.data();
  for (const auto row : rows) *to++ = from[row];
}
template <class Values, class Rows>
auto gather(const Values& values, const Rows& rows) {
  Array<typename decltype(Span(values))::value_type> out;
  gather(values, rows, out);
  return out;
}

}  // namespace pegnn

// As with std::span, iterators into a Span stay valid when it is gone.
template <class T>
inline constexpr bool std::ranges::enable_borrowed_range<pegnn::Span<T>> = true;
template <class T>
inline constexpr bool std::ranges::enable_view<pegnn::Span<T>> = true;
