#include "pegnn/model.h"

#include <utility>

#include "base/options.h"
#include "model/network.h"
#include "model/safetensors.h"
#include "model/state.h"
#include "pegnn/error.h"

namespace pegnn {

Model::Model(ModelState state) : state_(std::make_unique<ModelState>(std::move(state))) {}
Model::Model(Model&&) noexcept = default;
Model& Model::operator=(Model&&) noexcept = default;
Model::~Model() = default;

Model Model::load(const std::filesystem::path& file) {
  return Model(from_tensors(load_tensors(file)));
}

void Model::save(const std::filesystem::path& file) const {
  save_tensors(to_tensors(*state_), file);
}

Model Model::from_bytes(std::string bytes, const std::string& source) {
  return Model(from_tensors(decode_tensors(std::move(bytes), source)));
}

std::string Model::bytes() const { return encode_tensors(to_tensors(*state_)); }

Model Model::with_graph(const std::string& graph) const {
  ModelState state = *state_;
  if (find_baseline(state.options.model) != nullptr) {
    throw Error(ErrorKind::usage,
                "<option:graph>: a " + state.options.model + " model has no graph");
  }
  set_option(state.options, "graph", graph, "<option:graph>");
  return Model(std::move(state));
}

std::vector<OutputColumn> Model::outputs() const {
  const BaselineEntry* baseline = find_baseline(state_->options.model);
  if (baseline == nullptr) return make_head<float>(state_->options.head)->columns();
  std::vector<OutputColumn> columns{{.kind = OutputKind::mean}};
  if (baseline->gives_deviation) columns.push_back({.kind = OutputKind::deviation});
  return columns;
}

ModelInfo Model::info() const {
  const ModelState& s = *state_;
  std::int64_t parameters = 0;
  std::string learned;
  if (find_baseline(s.options.model) != nullptr) {
    for (const NamedArray& array : s.arrays.list()) {
      parameters += std::ssize(array.values);
    }
    learned = restore_baseline(s, ThreadPool(1))->summary();
  } else {
    const Network<float> network(s.options, s.scaler.width());
    parameters = network.layout().parameters() * s.options.members;
    if (const std::int64_t far = far_members(s.options); far > 0) {
      const Network<float> far_network(far_options(s.options), s.scaler.width());
      parameters += far_network.layout().parameters() * far;
    }
  }
  return {.options = s.options,
          .roles = s.roles,
          .space = s.space,
          .table = s.provenance.table,
          .table_hash = s.provenance.table_hash,
          .rows = s.provenance.rows,
          .training_points = s.training_rows,
          .parameters = parameters,
          .steps = s.steps,
          .best_step = s.best_step,
          .best_validation = s.best_validation,
          .target_lo = s.provenance.target_lo,
          .target_hi = s.provenance.target_hi,
          .learned = learned};
}

}  // namespace pegnn
