#pragma once
// Kinds of models: what options, training, files and predictions need to know of each, so that none
// of them asks what a model is.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/array.h"
#include "base/matrix.h"
#include "base/thread_pool.h"
#include "pegnn/answer.h"
#include "pegnn/geo.h"
#include "pegnn/options.h"

namespace pegnn {

class FittedModel;
class TensorFile;
struct ModelState;

// Who trains a model: train/fit.cpp has a function for each.
enum class Learner { network, baseline };

struct ModelTraits {
  std::string_view name;  // what Options::model holds
  Learner learner = Learner::baseline;
  bool of_parts = false;      // put together as --backbone, --encoder and --head say
  bool in_steps = false;      // learns in --steps, which snapshots keep and callers may watch
  bool uses_features = true;  // else it sees places and labels alone
  bool holds_back = true;     // --validation applies
  bool weighs_rows = true;    // --weight applies
  bool attaches = false;      // to its training rows, without which it cannot answer
  bool tells_learned = true;  // FittedModel::summary may say something
};

// Training rows of a whole, which a part of it may do without where its own are the same. Borrowed.
struct SharedRows {
  Span<const Point> points = {};
  Mat<const float> features = {};  // scaled, rows x columns
};

// Const methods may run at the same time.
class ModelKind {
 public:
  explicit ModelKind(const ModelTraits& traits) : traits_(traits) {}
  virtual ~ModelKind() = default;

  const ModelTraits& traits() const { return traits_; }

  // What a model says of each row; the mean comes first.
  virtual std::vector<OutputColumn> columns(const ModelState& state) const = 0;
  // Whether rows that are asked for are linked to each other.
  virtual bool needs_all_rows(const ModelState&) const { return false; }
  // Numbers that were learned.
  virtual std::int64_t parameters(const ModelState& state) const = 0;
  // Changes --graph; Error{usage} where it does not apply.
  virtual void set_graph(ModelState& state, const std::string& graph) const;

  // Number of the first model format that holds such a model.
  virtual int format() const { return 1; }
  // What was learned, as tensors, and back. Description, ranks and, on the way out, training rows
  // are the same for all kinds (state.cpp). `read` throws Error{model} for what does not fit.
  virtual void add(const ModelState& state, TensorFile& file) const = 0;
  virtual void read(const TensorFile& file, const SharedRows& shared, ModelState& state) const = 0;

  // The model ready to answer. It borrows `state` and `shared`, and the pool while it is made.
  virtual std::unique_ptr<const FittedModel> make(const ModelState& state, const SharedRows& shared,
                                                  const ThreadPool& pool) const = 0;

 private:
  ModelTraits traits_;
};

// Those that Options::model may hold: baselines in the order of their list, then networks.
Span<const ModelKind* const> model_kinds();
std::vector<std::string> kind_names();
const ModelKind* find_kind(std::string_view model);  // null where there is none of that name

// Error{usage} with the known names where Options::model holds none of them.
const ModelKind& kind_of(const Options& options);
// Of a model that there is; those made of others are a kind of their own.
const ModelKind& kind_of(const ModelState& state);

// Error{usage} for a model that cannot weigh rows.
void require_weighing(const Options& options);

}  // namespace pegnn
