#pragma once
// A trained model ready to answer: a network, a baseline or a combination of several, behind one
// interface.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/array.h"
#include "base/matrix.h"
#include "compute/context.h"
#include "pegnn/answer.h"
#include "pegnn/geo.h"

namespace pegnn {

struct Activations;
struct ModelState;

// Rows that a model is asked for. Borrowed.
struct Queries {
  Span<const Point> points;    // on the globe, longitudes up to 180
  Mat<const double> features;  // unscaled, rows x features of the model

  std::int64_t rows() const { return points.size(); }
  Queries part(std::int64_t first, std::int64_t count) const {
    return {points.subspan(first, count), features.block(first, count)};
  }
};

// Const, and shared by any number of callers at the same time; what they work in is their own. Made
// of a ModelState, which it borrows, by its kind (model_kind.h).
class FittedModel {
 public:
  // Work memory of one caller, kept from one call to the next.
  struct Scratch {
    Scratch() = default;
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;
    virtual ~Scratch() = default;

    // Queries so far that lie out of reach of the training points (AttachedGraph).
    std::int64_t out_of_reach = 0;
  };

  FittedModel(const FittedModel&) = delete;
  FittedModel& operator=(const FittedModel&) = delete;
  virtual ~FittedModel();

  // What it says of each query; the mean comes first.
  const std::vector<OutputColumn>& columns() const { return columns_; }

  // `context`, on whose threads answers are then computed, is borrowed for the life of the scratch.
  virtual std::unique_ptr<Scratch> scratch(const Context& context) const = 0;

  // How many of so many rows are best asked for in one call: between two calls a caller can be
  // stopped. All, where they are linked to each other; else answers do not depend on how rows are
  // cut into calls.
  virtual std::int64_t rows_at_a_time(std::int64_t rows) const = 0;

  // Answers in the target's units, probabilities apart. Fewer columns than all may be asked for,
  // and the first ones are given.   out: columns asked for x queries
  virtual void answer(const Queries& queries, Scratch& scratch, Mat<double> out) const = 0;

  // What a network computes on the way to its answers (Model::activations). Error{usage} where
  // there is none, Error{interrupted} when the run is stopped.
  virtual Activations activations(const Queries& queries, const Context& context) const;

  // What was learned, in one line; may be empty.
  virtual std::string summary() const { return {}; }

  // Those that it is made of; none, but for a combination.
  virtual Span<const std::unique_ptr<const FittedModel>> parts() const { return {}; }

 protected:
  explicit FittedModel(const ModelState& state);

  const ModelState& state() const { return state_; }

 private:
  const ModelState& state_;
  std::vector<OutputColumn> columns_;
};

}  // namespace pegnn
