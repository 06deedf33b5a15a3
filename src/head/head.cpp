#include "head/head.h"

namespace pegnn {

#define HEAD(name) extern const HeadEntry name##_head;
#include "base/array.h"
#include "head/heads.def"
#undef HEAD

Span<const HeadEntry* const> heads() {
  static constexpr const HeadEntry* kList[] = {
#define HEAD(name) &name##_head,
#include "head/heads.def"
#undef HEAD
  };
  return kList;
}

template <>
std::unique_ptr<Head<float>> make_head<float>(const std::string& name) {
  return find_part(heads(), "head", name).make_float();
}

template <>
std::unique_ptr<Head<double>> make_head<double>(const std::string& name) {
  return find_part(heads(), "head", name).make_double();
}

}  // namespace pegnn
