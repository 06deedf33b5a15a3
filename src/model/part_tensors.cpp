#include "model/part_tensors.h"

#include <string>
#include <utility>

#include <fmt/core.h>

#include "base/text.h"
#include "model/model_error.h"
#include "model/training_tensors.h"

namespace pegnn {
namespace {

constexpr std::string_view kPartKey = "pegnn.part.", kPartPrefix = "part.";
constexpr const char* kWeights = "combination.weights";
constexpr const char* kRemoteness = "combination.remoteness";
constexpr std::int64_t kRemotenessNumbers = 5;

std::string key_of(std::int64_t part) { return fmt::format("{}{}", kPartKey, part); }
std::string prefix_of(std::int64_t part) { return fmt::format("{}{}.", kPartPrefix, part); }

// Of a part, as in a file of its own, but for rows that it does not have.
TensorFile own_tensors(const ModelState& part) {
  const TensorFile all = to_tensors(part);
  TensorFile kept;
  kept.metadata = all.metadata;
  kept.add_all("", all, [&](const std::string& name) {
    return (name != "training.points" || !part.points.empty()) &&
           (name != "training.features" || !part.features.empty());
  });
  return kept;
}

// As many as there are weights; the description of each is there, and of no others.
std::int64_t count_of_parts(const TensorFile& file) {
  const TensorInfo* const weights = file.find(kWeights);
  if (weights == nullptr || weights->shape.size() != 2 || weights->shape[0] != 2 ||
      weights->shape[1] < 1 || weights->shape[1] > kMostParts) {
    refuse_model(file.source(),
                 fmt::format("tensor '{}' is missing or not of the shape 2 x 1 to {}", kWeights,
                             kMostParts));
  }
  const std::int64_t count = weights->shape[1];
  std::int64_t described = 0;
  for (const auto& [key, text] : file.metadata) described += key.starts_with(kPartKey) ? 1 : 0;
  if (described != count) {
    refuse_model(file.source(),
                 fmt::format("metadata '{}...' describes {} parts, but tensor '{}' weighs {}",
                             kPartKey, described, kWeights, count));
  }
  return count;
}

void refuse_unknown(const TensorFile& file, std::int64_t count) {
  for (const TensorInfo& tensor : file.tensors()) {
    const std::string& name = tensor.name;
    bool known = name == kWeights || name == kRemoteness || name.starts_with("training.") ||
                 name.starts_with("scaler.");
    for (std::int64_t p = 0; p < count; ++p) known = known || name.starts_with(prefix_of(p));
    if (!known) {
      refuse_model(file.source(), fmt::format("tensor '{}' belongs to no part", name));
    }
  }
}

Combination combination_of(const TensorFile& file, std::int64_t parts) {
  const Array<double> weights = file.values<double>(kWeights, 2 * parts);
  const auto v = file.values<double>(kRemoteness, kRemotenessNumbers);
  return {
      .near = {weights.begin(), weights.begin() + parts},
      .far = {weights.begin() + parts, weights.end()},
      .remoteness = {
          .intercept = v[0], .by_distance = v[1], .by_gap = v[2], .power = v[3], .spacing = v[4]}};
}

}  // namespace

bool has_parts(const TensorFile& file) { return file.metadata.contains(key_of(0)); }

void add_parts(const ModelState& s, TensorFile& file) {
  const auto parts = std::ssize(s.parts);
  for (std::int64_t p = 0; p < parts; ++p) {
    const TensorFile part = own_tensors(Span(s.parts)[p]);
    file.metadata[key_of(p)] = part.text(kDescriptionKey);
    file.add_all(prefix_of(p), part);
  }
  Array<double> weights(s.combination.near);
  weights.insert(weights.end(), s.combination.far.begin(), s.combination.far.end());
  file.add(kWeights, {2, parts}, Span<const double>(weights));
  const Remoteness& r = s.combination.remoteness;
  const double numbers[kRemotenessNumbers] = {r.intercept, r.by_distance, r.by_gap, r.power,
                                              r.spacing};
  file.add(kRemoteness, {1, kRemotenessNumbers}, Span<const double>(numbers));
}

void read_parts(const TensorFile& file, ModelState& s) {
  if (const auto format = parse_integer(file.text("pegnn.format"));
      !format || *format < kPartsFormat) {
    refuse_model(file.source(),
                 fmt::format("metadata 'pegnn.format' is below {}, in which there are "
                             "no models made of others",
                             kPartsFormat));
  }
  const std::int64_t count = count_of_parts(file);
  refuse_unknown(file, count);
  s.combination = combination_of(file, count);
  read_training(file, {}, s);
  for (std::int64_t p = 0; p < count; ++p) {
    TensorFile part = file.part(prefix_of(p), fmt::format("{}: part {}", file.source(), p));
    part.metadata[kDescriptionKey] = file.text(key_of(p));
    s.parts.push_back(part_from_tensors(part, shared_rows(s)));
  }
  if (const auto why = misfit_of(s)) {
    refuse_model(file.source(),
                 fmt::format("tensor '{}', metadata '{}...': {}", kWeights, kPartKey, *why));
  }
}

}  // namespace pegnn
