#include "encoder/encoder.h"

#include "pegnn/options.h"

namespace pegnn {

#define ENCODER(name) extern const EncoderEntry name##_encoder;
#include "base/array.h"
#include "encoder/encoders.def"
#undef ENCODER

Span<const EncoderEntry* const> encoders() {
  static constexpr const EncoderEntry* kList[] = {
#define ENCODER(name) &name##_encoder,
#include "encoder/encoders.def"
#undef ENCODER
  };
  return kList;
}

template <>
std::unique_ptr<Encoder<float>> make_encoder<float>(const Options& options) {
  return find_part(encoders(), "encoder", options.encoder).make_float(options);
}

template <>
std::unique_ptr<Encoder<double>> make_encoder<double>(const Options& options) {
  return find_part(encoders(), "encoder", options.encoder).make_double(options);
}

}  // namespace pegnn
