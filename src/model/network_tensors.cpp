#include "model/network_tensors.h"

#include <fmt/core.h>

#include "base/array.h"
#include "model/label_tensors.h"
#include "model/model_error.h"
#include "model/network.h"
#include "model/training_tensors.h"
#include "neighbourhood/neighbourhood.h"

namespace pegnn {
namespace {

// The name of a parameter of one of several members; the first have no number.
std::string member_name(std::int64_t member, const std::string& parameter) {
  return member == 0 ? parameter : fmt::format("member.{}.{}", member, parameter);
}

// All members of one kind.
struct MembersOfKind {
  Network<float> network;
  std::int64_t members;
  std::string prefix;  // of the names of their parameters
  Array<float> ModelState::*parameters;

  // Calls f(name, slot) for every parameter of every member; slots are those of `parameters`.
  template <class F>
  void for_each(F&& f) const {
    for (std::int64_t m = 0; m < members; ++m) {
      for (const NamedParam& p : network.layout().entries()) {
        ParamSlot slot = p.slot;
        slot.offset += m * network.layout().size();
        f(prefix + member_name(m, p.name), slot);
      }
    }
  }
};

Array<MembersOfKind> kinds_of_members(const ModelState& s) {
  const std::int64_t features = s.scaler.width(), far = far_members(s.options);
  Array<MembersOfKind> kinds;
  kinds.push_back({{s.options, features}, s.options.members, "", &ModelState::parameters});
  if (far > 0) {
    kinds.push_back({{far_options(s.options), features}, far, "far.", &ModelState::far_parameters});
  }
  return kinds;
}

template <class Floats>
auto values_of(Floats& parameters, ParamSlot slot) {
  return Span(parameters).subspan(slot.offset, slot.size());
}

// What training leaves to the data is known in a file.
void expect_resolved(const Options& o, const std::string& source) {
  if (o.k < 1) refuse_model(source, "option k: a network has 1 neighbour or more");
  if (o.members < 1) refuse_model(source, "option members: a model has 1 network or more");
  if (o.encoder != "none" && !(o.sigma_min > 0 && o.sigma_max > 0)) {
    refuse_model(source, "option sigma-min, sigma-max: a network has scales above 0");
  }
}

}  // namespace

void add_network(const ModelState& s, TensorFile& file) {
  const Array<MembersOfKind> kinds = kinds_of_members(s);
  for (const MembersOfKind& kind : kinds) {
    kind.for_each([&](const std::string& name, ParamSlot slot) {
      file.add(name, {slot.rows, slot.cols}, values_of(s.*kind.parameters, slot));
    });
  }
  const NeighbourhoodEntry& neighbourhood = neighbourhood_of(s.options);
  if (neighbourhood.fit != nullptr) add_label_model(s, file);
  if (neighbourhood.reads_labels) {
    file.borrow("training.labels", {s.labels.size(), 1}, Span<const float>(s.labels));
  }
}

void read_network(const TensorFile& file, const SharedRows& shared, ModelState& s) {
  expect_resolved(s.options, file.source());
  const Array<MembersOfKind> kinds = kinds_of_members(s);
  for (const MembersOfKind& kind : kinds) {
    // What the file says it holds is believed when all of it is there.
    kind.for_each([&](const std::string& name, ParamSlot slot) {
      expect_shape(file, name, {slot.rows, slot.cols});
    });
    Array<float>& parameters = s.*kind.parameters;
    parameters.assign(kind.network.layout().size() * kind.members, 0.0F);
    kind.for_each([&](const std::string& name, ParamSlot slot) {
      const auto values = values_of(parameters, slot);
      file.read(name, values);
      expect_finite(file, name, values);
    });
  }
  const std::int64_t rows = read_training(file, shared, s);
  const NeighbourhoodEntry& neighbourhood = neighbourhood_of(s.options);
  if (neighbourhood.fit != nullptr) read_label_model(file, s);
  if (neighbourhood.reads_labels) {
    expect_shape(file, "training.labels", {rows, 1});
    s.labels = file.values<float>("training.labels", rows);
    expect_finite(file, "training.labels", s.labels);
  }
}

}  // namespace pegnn
