#pragma once
// A value that is made when it is first asked for, once, whoever asks.

#include <mutex>
#include <optional>

namespace pegnn {

// Any number of threads may ask; the first makes it and the others wait. Should making it fail, the
// next one tries again.
template <class T>
class Lazy {
 public:
  // What `make` returns, when it is first called.
  template <class Make>
  const T& get(Make&& make) const {
    const std::scoped_lock lock(making_);
    if (!value_) value_.emplace(make());
    return *value_;
  }

 private:
  mutable std::mutex making_;
  mutable std::optional<T> value_;
};

}  // namespace pegnn
