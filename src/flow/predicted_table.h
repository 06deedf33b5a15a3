#pragma once
// A table on its way through a model: its rows come out with the predictions as columns more.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "flow/row_output.h"
#include "flow/table_input.h"
#include "pegnn/model.h"

namespace pegnn {

class Log;

struct PredictRequest {
  TableRequest table = {};
  ColumnChoice choice = {};     // where the coordinates are; not said: as in training
  bool drop_missing = false;    // rows with a missing value: no prediction instead of Error{data}
  std::string column = "pred";  // of the prediction; with _sd and _residual, of the others
  bool mean_only = false;       // leave out what else the model says
  bool residual = false;        // observed minus predicted; the table has the target
  bool applicability = false;   // COLUMN_distance and COLUMN_aoa
  bool count_outside = true;    // a warning where many rows lie outside the area of applicability
};

// Told how many rows are done, and the seconds since the first; may be empty.
using RowsDone = std::function<void(std::int64_t rows, double seconds)>;

class PredictedTable {
 public:
  // Opens the table and reads its first rows. `model` and `out` are borrowed for the life of this
  // object. Error{usage} for a column that would be there twice, or a target that is not
  // there.
  PredictedTable(const Model& model, const PredictRequest& request, RowOutput& out, Log& log);
  PredictedTable(const PredictedTable&) = delete;
  PredictedTable& operator=(const PredictedTable&) = delete;

  struct Done {
    std::int64_t rows = 0;  // that have a prediction
    double seconds = 0;
  };
  // Predicts piece by piece and writes the rows; they are committed. To be called once. Errors as
  // in Predictor. The last thing that is said is the warning.
  Done write(const RunSettings& run, const RowsDone& progress, Log& log);

 private:
  void name_columns(const ModelInfo& info);
  void refuse_known_columns() const;
  void require_target() const;
  void fill(const Table& table, const Answer& predicted);
  void warn_of_outside(const Outside& outside, Log& log) const;

  const Model& model_;
  RowOutput& out_;
  PredictRequest request_;
  std::string target_;
  std::vector<OutputColumn> outputs_;  // of the model, as far as they are asked for
  std::shared_ptr<TableInput> input_;
  std::vector<AddedColumn> added_;
  ColumnChoice choice_;  // by which the model finds the coordinates
  std::int64_t most_rows_ = 0;
  Table piece_;
};

}  // namespace pegnn
