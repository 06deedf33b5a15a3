#pragma once
// A trained model: load, save, predict.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pegnn/answer.h"
#include "pegnn/geo.h"
#include "pegnn/options.h"
#include "pegnn/run.h"
#include "pegnn/table.h"

namespace pegnn {

class Applicability;
class FittedModel;
class ThreadPool;
struct ModelState;

struct ModelInfo {
  Options options;
  Roles roles;
  Space space = Space::sphere;
  std::string table, table_hash;
  std::int64_t rows = 0;             // rows of the table it was trained on
  std::int64_t training_points = 0;  // of them, those it learned from
  std::int64_t parameters = 0;
  std::int64_t steps = 0, best_step = 0;
  double best_validation = 0;  // NaN without validation rows
  double target_lo = 0, target_hi = 0;
  std::string learned;           // what a baseline found, in one line; empty for networks
  std::vector<ModelInfo> parts;  // of a model made of others
};

// What a network computes on the way to its prediction, member by member, far members left out.
struct Activations {
  std::int64_t rows = 0, members = 0, encoder_width = 0, embedding_width = 0;
  std::vector<float> encoder;    // members x rows x encoder_width: what the encoder says of a place
  std::vector<float> embedding;  // members x rows x embedding_width: what the heads read
  // members x rows: their predictions, in the target's units. Of a network that corrects a smoother
  // the member's own, before a share of its corrections is kept (docs/decisions/0026).
  std::vector<double> mean;
  std::vector<float> moran;  // members x rows: the auxiliary head; empty without that task
};

// Whether places are like those that a model learned from.
struct Applicable {
  std::vector<double> distance;  // to the nearest training point: metres on the sphere, else units
  std::vector<bool> inside;      // near enough, on the ground and among the features
  double reach = 0;              // the largest distance that is near enough
};

// Rows asked for that are not like those that a model learned from: outside the area of
// applicability. Of rows behind the 8,192nd fewer and fewer are looked at, evenly; of a model with
// more than 8 features, behind the 1,024th.
struct Outside {
  std::int64_t rows = 0;       // asked for
  std::int64_t judged = 0;     // of them, those looked at
  double share = 0;            // of rows outside; an estimate where not all were looked at
  double farthest = 0;         // largest distance seen to the nearest training point
  double reach = 0;            // the largest distance that is near enough
  bool worth_warning = false;  // more than a third is outside, or one is farther than all training
                               // points are from each other's nearest, ten times over
  std::string sentence;        // for people, with neither capital nor stop; empty: none is outside
};

// How a table is asked for.
struct Question {
  ColumnChoice choice = {};   // columns are found by the names of training unless it says otherwise
  bool drop_missing = false;  // rows with a missing value: NaN instead of Error{data}
  bool mean_only = false;     // leave out all that the model says but the mean
  bool applicability = false;  // then distance and area; Error{usage} as in Model::applicability
  bool count_outside = false;  // Predictor::outside() is wanted
};

// Const methods may run at the same time, on any number of threads: what they are computed from is
// made once and shared, what they work in is each caller's own.
class Model {
 public:
  // Error{model} when the file is damaged, truncated or of a newer format; Error{resource} when it
  // cannot be read; Error{usage} when this build lacks the library that such a model needs.
  static Model load(const std::filesystem::path& file);
  // Whole or not at all; Error{resource} when it cannot be written.
  void save(const std::filesystem::path& file) const;
  // The same in memory: the bytes of the file. `source` is what messages call them.
  static Model from_bytes(std::string bytes, const std::string& source = "model");
  std::string bytes() const;

  explicit Model(ModelState state);
  Model(Model&&) noexcept;
  Model& operator=(Model&&) noexcept;
  ~Model();

  ModelInfo info() const;

  // The same model with another graph for prediction: "train" or "test-only" (Options::graph).
  Model with_graph(const std::string& graph) const;

  // One prediction per row of `table`, in the target's units. Columns are found by the names the
  // model was trained with unless `choice` says otherwise. A row with a missing value is an
  // Error{data}; with `drop_missing` its prediction is NaN. Under `graph train` a prediction
  // depends on its own row alone. For tables larger than memory there is `Predictor`.
  std::vector<double> predict(const Table& table, const ColumnChoice& choice, bool drop_missing,
                              const RunSettings& run) const;

  // True under `graph test-only`, where the rows of a table are linked to each other: they must all
  // be there before one is predicted.
  bool needs_all_rows() const;

  // What it says of each row, in this order; the mean comes first.
  std::vector<OutputColumn> outputs() const;
  // As `predict`, with all of these columns, or those that the question asks for.
  Answer ask(const Table& table, const Question& question, const RunSettings& run) const;

  // The same for places and unscaled features (rows x features) already in hand. Error{usage} for
  // those that are not finite or not on the globe; longitudes may go up to 360. A prediction that
  // is no finite number is an Error{failure}, here as above.
  std::vector<double> predict(const std::vector<Point>& points, const std::vector<double>& features,
                              const RunSettings& run) const;
  Answer ask(const std::vector<Point>& points, const std::vector<double>& features,
             const RunSettings& run) const;

  // What happens inside a network on the way to a prediction. Error{usage} for a baseline, and for
  // places or features that are not finite or not on the globe.
  Activations activations(std::span<const Point> points, std::span<const double> features,
                          const RunSettings& run) const;

  // How far places are from what was learned from, and whether the model may be believed there
  // (docs/decisions/0022). Error{usage} for a model file that does not keep its training points,
  // else as above.
  Applicable applicability(std::span<const Point> points, std::span<const double> features,
                           const RunSettings& run) const;

  const ModelState& state() const { return *state_; }
  // The same ready to answer: made when it is first asked for, on that caller's threads, and from
  // then on the one for all.
  const FittedModel& fitted(const ThreadPool& pool) const;
  // The same of what judges places. Error{usage} as in `applicability`.
  const Applicability& area(const ThreadPool& pool) const;

 private:
  struct Shared;

  std::unique_ptr<ModelState> state_;
  std::unique_ptr<Shared> shared_;
};

// A model that is asked for one piece of a table after the other, so that memory does not grow with
// the table. One caller at a time; any number of predictors may be at work on one model.
class Predictor {
 public:
  // `model` and what `run` points to are borrowed for the life of this object.
  Predictor(const Model& model, const Question& question, const RunSettings& run);
  Predictor(const Predictor&) = delete;
  Predictor& operator=(const Predictor&) = delete;
  ~Predictor();

  // What the model says of the next rows; of all rows at once where the model needs them. Errors as
  // in Model::predict; only rows refused for a missing value wait for `finish`, and from the first
  // of them on the answers are NaN.
  Answer ask(const Table& piece);
  // Whether such a row has come.
  bool refused() const;
  // After the last piece: notes and warnings on all rows, Error{data} when rows are refused or when
  // there was none to predict.
  void finish();
  // Of all rows so far that have an answer. None are judged unless the question asked for it, nor
  // where the model's file does not keep its training points.
  Outside outside() const;

  // The same for places and unscaled features (rows x features) already in hand. Errors as in
  // Model::predict.
  Answer ask(std::span<const Point> points, std::span<const double> features);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace pegnn
