#include "model/state.h"

#include <fmt/core.h>

#include "base/text.h"
#include "model/description.h"
#include "model/kinds.h"
#include "model/model_error.h"
#include "model/part_tensors.h"
#include "model/rank_tensors.h"
#include "model/training_tensors.h"
#include "pegnn/version.h"

namespace pegnn {
namespace {

void check_format(const TensorFile& file) {
  const auto found = file.metadata.find("pegnn.format");
  const auto format = found == file.metadata.end() ? std::nullopt : parse_integer(found->second);
  if (!format || *format < 1) {
    refuse_model(file.source(), "not a pegnn model: metadata 'pegnn.format' is no format number");
  }
  if (*format > kModelFormat) {
    refuse_model(
        file.source(),
        fmt::format("written in model format {} by pegnn {}; this is pegnn {}, which reads formats "
                    "up to {} (metadata 'pegnn.format'); a newer pegnn is needed",
                    *format, legible(file.text("pegnn.version"), 40), version(), kModelFormat));
  }
}

// What all kinds have in common; the rest is for the kind to read.
ModelState common_part_of(const TensorFile& file) {
  ModelState s;
  read_description(file.text(kDescriptionKey), file.source(), s);
  if (s.options.ranks) s.scaler.ranks = read_ranks(file, s.scaler.features.size());
  return s;
}

}  // namespace

TensorFile to_tensors(const ModelState& s) {
  TensorFile file;
  const ModelKind& kind = kind_of(s);
  file.metadata["pegnn.format"] = std::to_string(kind.format());
  file.metadata["pegnn.version"] = version();
  file.metadata[kDescriptionKey] = describe_model(s);
  if (s.options.ranks) add_ranks(s.scaler.ranks, file);
  add_training(s, file);
  kind.add(s, file);
  return file;
}

ModelState from_tensors(const TensorFile& file) {
  check_format(file);
  ModelState s = common_part_of(file);
  const ModelKind& kind = has_parts(file) ? combined_kind() : kind_of(s.options);
  kind.read(file, {}, s);
  return s;
}

ModelState part_from_tensors(const TensorFile& file, const SharedRows& shared) {
  ModelState s = common_part_of(file);
  kind_of(s.options).read(file, shared, s);
  return s;
}

}  // namespace pegnn
