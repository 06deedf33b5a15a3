#pragma once
// Boosted trees over coordinates, features and what a kind of them adds: what boosting and
// boosting_labels share.

#include <cstdint>
#include <string>

#include "base/array.h"
#include "baseline/baseline.h"
#include "baseline/trees.h"

namespace pegnn {

class Boosted : public Baseline {
 public:
  explicit Boosted(const BaselineSpec& spec) : spec_(spec) {}

  void fit(const BaselineRows& rows, const BaselineRows& held, const ThreadPool& pool,
           FitProgress& progress) final;
  void store(Arrays& arrays) const override;
  void restore(const ArrayReader& arrays, const ThreadPool& pool) override;
  void predict(const BaselineRows& queries, const ThreadPool& pool, Span<double> mean,
               Span<double> deviation) const final;
  std::string summary() const final;

 protected:
  // Columns beside coordinates and features. They see the rows learned from, in the order they are
  // then asked for with `own`: each row without its own label. Rows asked for without `own` are
  // new.
  virtual std::int64_t added_columns() const { return 0; }
  virtual void remember(const BaselineRows&, const ThreadPool&) {}
  virtual void add_columns(const BaselineRows&, bool, const ThreadPool&, Mat<double>) const {}

  BaselineSpec spec_;

 private:
  std::int64_t place_columns() const { return spec_.space == Space::sphere ? 5 : 2; }
  std::int64_t columns() const { return place_columns() + spec_.features + added_columns(); }
  Array<double> columns_of(const BaselineRows& rows, bool own, const ThreadPool& pool) const;
  Array<float> inputs_of(const Array<double>& values) const;

  Array<ColumnScale> scales_;
  ColumnScale target_;
  Trees trees_;
};

}  // namespace pegnn
