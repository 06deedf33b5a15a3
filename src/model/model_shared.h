#pragma once
// What is made of a model when it is first asked for, once for all its callers.

#include <memory>

#include "base/lazy.h"
#include "model/fitted.h"
#include "pegnn/model.h"

namespace pegnn {

struct Model::Shared {
  Lazy<std::unique_ptr<const FittedModel>> fitted;
  Lazy<std::shared_ptr<const Applicability>> area;  // a class of predict/, which destroys it
};

}  // namespace pegnn
