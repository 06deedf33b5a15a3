#include "model/fitted.h"

#include <fmt/core.h>

#include "model/model_kind.h"
#include "model/state.h"
#include "pegnn/error.h"
#include "pegnn/model.h"

namespace pegnn {

FittedModel::FittedModel(const ModelState& state)
    : state_(state), columns_(kind_of(state).columns(state)) {}
FittedModel::~FittedModel() = default;

Activations FittedModel::activations(const Queries&, const Context&) const {
  throw Error(ErrorKind::usage, fmt::format("a {} model is no network: it has no activations",
                                            kind_of(state_).traits().name));
}

}  // namespace pegnn
