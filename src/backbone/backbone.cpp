#include "backbone/backbone.h"

namespace pegnn {

#define BACKBONE(name) extern const BackboneEntry name##_backbone;
#include "backbone/backbones.def"
#undef BACKBONE

std::span<const BackboneEntry* const> backbones() {
  static constexpr const BackboneEntry* kList[] = {
#define BACKBONE(name) &name##_backbone,
#include "backbone/backbones.def"
#undef BACKBONE
  };
  return kList;
}

template <>
std::unique_ptr<Backbone<float>> make_backbone<float>(const std::string& name,
                                                      const BackboneSpec& spec) {
  return find_part(backbones(), "backbone", name).make_float(spec);
}

template <>
std::unique_ptr<Backbone<double>> make_backbone<double>(const std::string& name,
                                                        const BackboneSpec& spec) {
  return find_part(backbones(), "backbone", name).make_double(spec);
}

}  // namespace pegnn
