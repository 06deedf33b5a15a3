// A fitted baseline, ready to answer, and what is known of each baseline as a kind of model.

#include "model/baseline_model.h"

#include <memory>
#include <string>

#include <fmt/core.h>

#include "base/array.h"
#include "geo/length.h"
#include "model/fitted.h"
#include "model/kinds.h"
#include "model/model_error.h"
#include "model/scale_rows.h"
#include "model/training_tensors.h"

namespace pegnn {
namespace {

constexpr std::string_view kPrefix = "baseline.";

// Ready to predict. Error{model} naming `source` when its arrays do not fit.
std::unique_ptr<const Baseline> restored(const ModelState& s, const ThreadPool& pool,
                                         const std::string& source) {
  const BaselineEntry& entry = baseline_entry(s);
  BaselineSpec spec = baseline_spec(s);
  // What a file leaves open is filled in as in training: no number of neighbours is zero.
  entry.resolve(spec.options, s.training_rows);
  std::unique_ptr<Baseline> baseline = entry.make(spec);
  baseline->restore(ArrayReader(s.arrays, source), pool);
  return baseline;
}

class BaselineModel final : public FittedModel {
 public:
  BaselineModel(const ModelState& state, const ThreadPool& pool)
      : FittedModel(state), baseline_(restored(state, pool, "model")) {}

  std::unique_ptr<FittedModel::Scratch> scratch(const Context& context) const override {
    return std::make_unique<Scratch>(context.pool);
  }

  std::int64_t rows_at_a_time(std::int64_t) const override { return 16384; }

  void answer(const Queries& queries, FittedModel::Scratch& given, Mat<double> out) const override {
    auto& own = static_cast<Scratch&>(given);
    const ModelState& s = state();
    const std::int64_t count = queries.rows();
    const Span<double> mean(out.row(0), count);
    const Span<double> deviation = out.rows > 1 ? Span<double>(out.row(1), count) : Span<double>();
    const Mat<const double> features = scale_rows(s.scaler, queries.features, own.pool, own.scaled);
    baseline_->predict({queries.points, features}, own.pool, mean, deviation);
    for (std::int64_t i = 0; i < std::ssize(deviation); ++i) {
      deviation[i] = column_of(s, OutputKind::deviation, mean[i], deviation[i]);
    }
    for (double& value : mean) value = target_of(s, value);
  }

  std::string summary() const override { return baseline_->summary(); }

 private:
  struct Scratch final : FittedModel::Scratch {
    explicit Scratch(const ThreadPool& threads) : pool(threads) {}

    const ThreadPool& pool;
    Array<double> scaled;
  };

  std::unique_ptr<const Baseline> baseline_;
};

class BaselineKind final : public ModelKind {
 public:
  explicit BaselineKind(const BaselineEntry& entry)
      : ModelKind({.name = entry.info.name,
                   .learner = Learner::baseline,
                   .uses_features = entry.uses_features,
                   .holds_back = entry.holds_back,
                   .weighs_rows = entry.weighs_rows}),
        entry_(entry) {}

  std::vector<OutputColumn> columns(const ModelState&) const override {
    std::vector<OutputColumn> columns{{.kind = OutputKind::mean}};
    if (entry_.gives_deviation) columns.push_back({.kind = OutputKind::deviation});
    return columns;
  }

  std::int64_t parameters(const ModelState& s) const override {
    std::int64_t count = 0;
    for (const NamedArray& array : s.arrays.list()) count += std::ssize(array.values);
    return count;
  }

  int format() const override { return entry_.format; }

  void add(const ModelState& s, TensorFile& file) const override {
    for (const NamedArray& array : s.arrays.list()) {
      const std::string name = std::string(kPrefix) + array.name;
      file.add(name, {array.rows, array.cols}, Span<const double>(array.values));
    }
  }

  void read(const TensorFile& file, const SharedRows&, ModelState& s) const override {
    for (const TensorInfo& tensor : file.tensors()) {
      if (!tensor.name.starts_with(kPrefix)) continue;
      if (tensor.shape.size() != 2) {
        refuse_model(file.source(), fmt::format("tensor '{}' is not a matrix", tensor.name));
      }
      if (tensor.dtype == Dtype::u8) {
        refuse_model(file.source(),
                     fmt::format("tensor '{}' holds boosted trees as XGBoost writes them (model "
                                 "format 1), which are no longer read; train the model again with "
                                 "this version",
                                 tensor.name));
      }
      s.arrays.push({.name = tensor.name.substr(kPrefix.size()),
                     .rows = tensor.shape[0],
                     .cols = tensor.shape[1],
                     .values = file.values<double>(tensor.name)});
    }
    if (file.find("training.points") != nullptr) read_training(file, {}, s);
    // Whether they fit is known by those who read them.
    restored(s, ThreadPool(1), file.source());
  }

  std::unique_ptr<const FittedModel> make(const ModelState& s, const SharedRows&,
                                          const ThreadPool& pool) const override {
    return std::make_unique<BaselineModel>(s, pool);
  }

 private:
  const BaselineEntry& entry_;
};

}  // namespace

const BaselineEntry& baseline_entry(const ModelState& s) {
  return find_part(std::span(baselines()), "model", s.options.model);
}

BaselineSpec baseline_spec(const ModelState& s) {
  return {.options = s.options,
          .space = s.space,
          .features = s.scaler.width(),
          .target = s.scaler.target,
          .metres_per_unit = metres_per_unit(s.space, s.roles.crs)};
}

std::vector<const ModelKind*> baseline_kinds() {
  static const std::vector<std::unique_ptr<const BaselineKind>> kKinds = [] {
    std::vector<std::unique_ptr<const BaselineKind>> made;
    for (const BaselineEntry* entry : baselines()) {
      made.push_back(std::make_unique<const BaselineKind>(*entry));
    }
    return made;
  }();
  std::vector<const ModelKind*> kinds;
  for (const auto& kind : kKinds) kinds.push_back(kind.get());
  return kinds;
}

}  // namespace pegnn
