#pragma once
// What a reproduction of the paper found: its tables and figures with the published numbers beside
// ours, ready to be shown. Errors are those of the target scaled to [0, 1] over all rows, as the
// paper's (but for curves under a preset that scales by the training rows); NaN stands for what is
// not there.

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "pegnn/geo.h"

namespace pegnn {

inline constexpr double kNotThere = std::numeric_limits<double>::quiet_NaN();

struct Errors {
  double mse = kNotThere, mae = kNotThere;
};

// One model on one data set.
struct TableCell {
  Errors published;            // in the paper
  Errors independent;          // of the same protocol in PyTorch Geometric and GPyTorch
  Errors ours;                 // mean over the seeds
  Errors spread;               // standard deviation over the seeds, where there are several
  std::int64_t seeds = 0;      // how many were trained
  double seconds = kNotThere;  // of one training run
  std::string reason;          // why `ours` is not there
  bool comparable = true;      // false: ours is of a part of the rows behind the published number
};

struct TableRow {
  std::string name;         // "PE-GCN λ=0.25"
  std::string model;        // what --model calls it: "pe-gcn"
  bool line_above = false;  // another kind of model begins here
  bool in_paper = true;     // false: a further row of ours
  std::vector<TableCell> cells;
};

struct PaperTable {
  std::string title;                 // "Table 1: spatial interpolation"
  std::vector<std::string> columns;  // data sets: "California Housing"
  std::vector<std::string> notes;    // of each column: "5,000 of 434,874 rows"; may be empty
  std::vector<TableRow> rows;
};

struct Curve {
  std::string name;
  std::vector<double> x, y;
};

// Curves that share one picture.
struct CurvePanel {
  std::string title;
  std::vector<Curve> curves;
};

// Values at the points of a map.
struct NamedValues {
  std::string name;
  std::vector<double> values;
};

// Truth and predictions on the test rows; test error over the training steps, by backbone.
struct Figure2 {
  std::string value_name;          // "MedHouseVal"
  std::vector<Point> points;       // longitude, latitude
  std::vector<NamedValues> maps;   // truth first; values in the target's units
  std::vector<CurvePanel> curves;  // GCN, GAT, GraphSAGE; test MSE by step
};

struct Bar {
  std::string name;   // "PE-GCN λ=0.25"
  std::string group;  // its backbone: "GCN"
  double mean = kNotThere;
  double deviation = kNotThere;  // standard deviation over the runs
  double published = kNotThere;  // the mean squared error of Table 1
  std::int64_t runs = 0;
};
struct BarPanel {
  std::string title, note;  // the data set, and what there is of it
  std::vector<Bar> bars;
};
// Mean test MSE and two standard deviations over training runs.
struct Figure3 {
  std::vector<BarPanel> panels;
};

// Test MSE by the number of neighbours (rows) and the batch size (columns).
struct SensitivityPanel {
  std::string model;  // "PE-GCN"
  std::vector<std::int64_t> k, batch;
  std::vector<std::vector<double>> mse;  // mse[i][j] of k[i], batch[j]
};
struct Figure4 {
  std::vector<SensitivityPanel> panels;
};

// Learning under uncertainty weights, by step.
struct Figure5 {
  std::vector<double> step, main_loss, auxiliary_loss, sigma_main, sigma_auxiliary;
  double test_mse = kNotThere;
};

// Seconds of one step on all training rows of California Housing.
struct StepTime {
  std::string name;                // "PE-GCN with auxiliary task"
  double published = kNotThere;    // in the paper, one CPU
  double one_thread = kNotThere;   // ours
  double all_threads = kNotThere;  // ours
  std::string note;                // where the two are not quite the same
};

// What was trained on.
struct DataNote {
  std::string name, file;
  std::int64_t rows = 0, whole_rows = 0;
  bool verified = false;  // the values are the known ones
  std::string hash;
};

struct Reproduction {
  std::optional<PaperTable> table1, table2;
  std::optional<Figure2> figure2;
  std::optional<Figure3> figure3;
  std::optional<Figure4> figure4;
  std::optional<Figure5> figure5;
  std::vector<StepTime> step_times;
  std::int64_t threads = 1;  // behind `all_threads`

  std::string preset;          // "reference"
  bool quick = false;          // far fewer steps: shows the page, proves nothing
  std::int64_t seeds = 1;      // of the tables
  std::int64_t runs = 0;       // training runs behind all of it
  double compute_seconds = 0;  // of all of them, added up
  std::vector<DataNote> data;
  std::vector<std::string> remarks;  // sentences a reader must know: what is missing, what was cut
};

}  // namespace pegnn
