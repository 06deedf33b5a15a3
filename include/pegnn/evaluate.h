#pragma once
// Honest evaluation: train on some rows, score on others; one model, or a league of them on the
// same folds.

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "pegnn/geo.h"
#include "pegnn/metrics.h"
#include "pegnn/run.h"
#include "pegnn/stats.h"
#include "pegnn/table.h"
#include "pegnn/train.h"

namespace pegnn {

class Log;

struct EvaluateSettings {
  // random; block: whole spatial blocks are held out; knndm: folds whose rows lie as far from the
  // others as the `places` do from all rows.
  std::string scheme = "random";
  std::int64_t folds = 5;               // 1: one split, `test_share` of the rows held out
  double test_share = 0.2;              // for one split
  double block_size = 0;                // metres or coordinate units; 0: chosen from the data
  std::vector<std::int64_t> test_rows;  // 0-based table rows; not empty: this one split
  // A column that says which rows are held out together, in place of a scheme: each of its values
  // is a fold, or where `folds` is not kFoldPerValue they are drawn into so many.
  std::string fold_column = {};
  // Training rows nearer than this to a row held out are left out; metres or coordinate units.
  double buffer = 0;
  // For knndm: where predictions will be asked for, in the CRS of the table; empty: a regular grid
  // over the extent of its rows.
  std::vector<Point> places = {};
  bool drop_missing = false;
  // The whole is done this often. Repeat r trains with seed + r. What is drawn of blocks, of groups
  // or in folds is drawn anew for each, blocks from a grid moved at random after the first; one
  // random split, given test rows and a fold for each value stay.
  std::int64_t repeats = 1;
  // What splits and folds are drawn from; negative: the seed of the options, in a league those of
  // its first entry.
  std::int64_t split_seed = -1;
  // The error on the rows held out is also measured as a network learns, for `run.progress`
  // (TrainProgress::watched). It decides nothing.
  bool watch = false;
  // Where the model gives a distribution, it is scored too; else the mean alone is asked for, which
  // for exact Gaussian processes saves much of the time of prediction.
  bool scores = true;
};

// EvaluateSettings::folds with a fold column: every value is a fold of its own.
inline constexpr std::int64_t kFoldPerValue = 0;

// A length as a user gives it: in kilometres or in the unit of x and y. 0: not said.
struct SaidLength {
  double km = 0, size = 0;
};

// As EvaluateSettings has it: in metres for longitude and latitude, else in the unit of x and y.
// `what` is what it is the length of, in the names of the two options: block (<option:block-km>,
// <option:block-size>) or buffer. Error{usage} where both are said, for kilometres where the unit
// of x and y is not known, and for units where they are degrees.
double length_of(const SaidLength& said, const Roles& roles, const std::string& what);

struct FoldScore {
  Metrics metrics;
  std::int64_t train_rows = 0, test_rows = 0;
  std::int64_t repeat = 0;
  double train_seconds = 0, predict_seconds = 0;
  double seconds() const { return train_seconds + predict_seconds; }
};

// What was held out, as results tell it.
struct SchemeInfo {
  std::string scheme;                 // "random", "block", "knndm", "fold-column", "test-rows"
  double block_size = 0, buffer = 0;  // metres or coordinate units
  double metres_per_unit = 0;         // of these two; 0: not known
  std::string fold_column = {};
  std::vector<std::string> fold_names = {};  // the value of each fold, where each has its own
  bool redrawn = false;  // every repeat holds out other rows, or the same in other folds
  double knndm_w = 0;    // how far the distances of the first repeat are from those of the places

  bool operator==(const SchemeInfo&) const = default;
};

struct Evaluation {
  std::string model;  // "pe-gcn", "gcn", ...
  SchemeInfo scheme;
  std::int64_t repeats = 1;
  std::vector<FoldScore> folds;  // those of the first repeat, then those of the second, ...
  Metrics mean;                  // of the folds; `rows` is how many were scored in one repeat
  Metrics sd;                    // their standard deviation; 0 for one
  double seconds = 0;            // of all folds
  // Moran's I of the residuals (observed - predicted) among 5 neighbours; NaN where undefined.
  double residual_moran = std::numeric_limits<double>::quiet_NaN();
  // Per table row, of the first repeat; NaN for rows that were never held out.
  std::vector<double> predicted;
  // In which of its folds, from 0, the row was held out; -1 for rows that were not.
  std::vector<std::int64_t> fold;

  std::int64_t folds_per_repeat() const {
    return static_cast<std::int64_t>(folds.size()) / repeats;
  }
  // Of one fold on average, leaving out those of a model that was not trained again because its
  // training does not depend on the seed.
  double train_seconds() const;
  double predict_seconds() const;
};

// The name of the model that the options describe: the baseline's, or the network's: its backbone,
// with "pe-" before it when there is an encoder.
std::string model_name(const Options& options);

// Trains and scores once per fold and repeat. The folds depend on the split seed alone, so that
// models can be compared on the same ones. The target's range for the min-max metrics is that of
// all rows. Leaks that would flatter any model (rows of one place on both sides, a feature that
// copies the target) are warnings in the log. Errors as in `train`; Error{usage} for settings that
// contradict each other or the table.
Evaluation evaluate(const Table& table, const Roles& roles, const Options& options,
                    const EvaluateSettings& settings, const RunSettings& run);

// Which rows are held out together.
struct Folds {
  // In which fold, from 0, each row of the table is held out; -1 for rows that are not, because
  // there is one split alone or because they cannot be used.
  std::vector<std::int64_t> fold;
  std::int64_t folds = 1;
  SchemeInfo scheme = {};
};

// The folds of the first repeat of an evaluation, with these settings, of a model that uses the
// features of `roles`; drawn from `settings.split_seed` (negative: 0). The roles may be without a
// target: then it is the extent of the points that blocks of no given size are taken from. Errors
// as in `evaluate`.
Folds make_folds(const Table& table, const Roles& roles, const EvaluateSettings& settings,
                 const RunSettings& run);

// One model of a league, by the name it is to have in the table.
struct CompareEntry {
  std::string name;
  Options options;
};

enum class Verdict {
  best,         // the lowest mean squared error
  tied,         // its distance from the best may be chance
  worse,        // it is not: p_holm < 0.05
  not_trained,  // an error stopped it
};
const char* name_of(Verdict verdict);  // "best", "tied", "worse", "not trained"

struct LeagueRow {
  Evaluation evaluation;  // of a model not trained: the name alone
  Verdict verdict = Verdict::not_trained;
  std::string reason;  // why it was not trained, in the words of the log's readers
  double lead = std::numeric_limits<double>::quiet_NaN();  // of the best: mse / its mse - 1
  // Chance that two equally good models lie this far apart, by random signs of whole spatial
  // blocks (stats/paired.h); and corrected for the number of models, by Holm.
  double p = std::numeric_limits<double>::quiet_NaN();
  double p_holm = std::numeric_limits<double>::quiet_NaN();
};

struct Comparison {
  std::vector<LeagueRow> rows;  // from the lowest mean squared error up, then those not trained
  SchemeInfo scheme;
  std::int64_t folds = 1, repeats = 1, split_seed = 0;
  std::vector<std::string> warnings;  // leaks, as sentences in the words of the log's readers
  bool interrupted = false;           // some models were still to come
  // The rows of the table that could be used, for maps of residuals.
  Space space = Space::sphere;  // sphere or plane
  std::vector<std::int64_t> table_rows;
  std::vector<Point> points;
  std::vector<double> observed;
};

// The models of a league, and those that cannot be in it, with the reason.
struct LeagueEntries {
  std::vector<CompareEntry> entries;
  std::vector<LeagueRow> refused;
};

// The models of these names, each with what else was asked for as far as it has a use for it: the
// words of `model`, and those of presets for their own networks; "all" alone for every one there
// is; no name for the usual ones: baselines, a plain graph network, graph networks with an encoder
// and the default. Error{usage} for an unknown or repeated name, and the first error where none is
// left.
LeagueEntries league_entries(const std::vector<std::string>& names, const OptionRequest& request,
                             Log& log);

// A league: every entry is trained and scored on the same rows and the same folds, one after the
// other, and the paired differences of their squared errors are judged. An entry that cannot be
// trained becomes a row with the reason; the league goes on. When `run.stop` says so after at least
// one entry is done, what is done is returned with `interrupted` set. Rows with a missing value in
// any feature are left out (or refused) for all entries alike, unless none of them uses features.
// Errors as in `evaluate`; the first entry's error where no entry could be trained.
Comparison compare(const Table& table, const Roles& roles, const std::vector<CompareEntry>& entries,
                   const EvaluateSettings& settings, const RunSettings& run);

}  // namespace pegnn
