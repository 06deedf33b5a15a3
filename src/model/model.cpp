#include "pegnn/model.h"

#include <memory>
#include <utility>

#include "model/fitted.h"
#include "model/model_kind.h"
#include "model/model_shared.h"
#include "model/safetensors.h"
#include "model/state.h"

namespace pegnn {
namespace {

// `fitted` is null where it has nothing to tell.
ModelInfo info_of(const ModelState& s, const FittedModel* fitted) {
  ModelInfo info{.options = s.options,
                 .roles = s.roles,
                 .space = s.space,
                 .table = s.provenance.table,
                 .table_hash = s.provenance.table_hash,
                 .rows = s.provenance.rows,
                 .training_points = s.training_rows,
                 .parameters = kind_of(s).parameters(s),
                 .steps = s.steps,
                 .best_step = s.best_step,
                 .best_validation = s.best_validation,
                 .target_lo = s.provenance.target_lo,
                 .target_hi = s.provenance.target_hi,
                 .learned = fitted != nullptr ? fitted->summary() : std::string(),
                 .parts = {}};
  for (std::size_t p = 0; p < s.parts.size(); ++p) {
    info.parts.push_back(
        info_of(s.parts[p], fitted != nullptr ? fitted->parts()[p].get() : nullptr));
  }
  return info;
}

}  // namespace

Model::Model(ModelState state)
    : state_(std::make_unique<ModelState>(std::move(state))), shared_(std::make_unique<Shared>()) {}
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
  kind_of(state).set_graph(state, graph);
  return Model(std::move(state));
}

std::vector<OutputColumn> Model::outputs() const { return kind_of(*state_).columns(*state_); }

bool Model::needs_all_rows() const { return kind_of(*state_).needs_all_rows(*state_); }

const FittedModel& Model::fitted(const ThreadPool& pool) const {
  return *shared_->fitted.get([&] { return kind_of(*state_).make(*state_, {}, pool); });
}

ModelInfo Model::info() const {
  const bool tells = kind_of(*state_).traits().tells_learned;
  return info_of(*state_, tells ? &fitted(ThreadPool(1)) : nullptr);
}

}  // namespace pegnn
