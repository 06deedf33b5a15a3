#include "backbone/backbone.h"

#include "pegnn/options.h"

namespace pegnn {

#define BACKBONE(name) extern const BackboneEntry name##_backbone;
#include "backbone/backbones.def"
#undef BACKBONE

Span<const BackboneEntry* const> backbones() {
  static constexpr const BackboneEntry* kList[] = {
#define BACKBONE(name) &name##_backbone,
#include "backbone/backbones.def"
#include "base/array.h"
#undef BACKBONE
  };
  return kList;
}

namespace {

const BackboneEntry& checked(const std::string& name, const BackboneSpec& spec) {
  const BackboneEntry& entry = find_part(backbones(), "backbone", name);
  if (entry.check != nullptr) entry.check(spec);
  return entry;
}

}  // namespace

BackboneSpec backbone_spec(const Options& options) {
  return {.width = options.width,
          .layers = options.layers,
          .dropout = options.dropout,
          .heads = options.heads,
          .part = options.part};
}

template <>
std::unique_ptr<Backbone<float>> make_backbone<float>(const std::string& name,
                                                      const BackboneSpec& spec) {
  return checked(name, spec).make_float(spec);
}

template <>
std::unique_ptr<Backbone<double>> make_backbone<double>(const std::string& name,
                                                        const BackboneSpec& spec) {
  return checked(name, spec).make_double(spec);
}

}  // namespace pegnn
