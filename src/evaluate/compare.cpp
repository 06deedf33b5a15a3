// A league: models one after the other on the same folds, then judged in pairs.

#include <algorithm>
#include <cmath>
#include <exception>
#include <new>
#include <set>

#include <fmt/core.h>

#include "base/array.h"
#include "base/text.h"
#include "evaluate/scorer.h"
#include "pegnn/error.h"
#include "pegnn/evaluate.h"
#include "pegnn/log.h"
#include "stats/paired.h"

namespace pegnn {
namespace {

// What a model among many says of itself is detail; warnings carry its name and come once.
class EntryLog final : public Log {
 public:
  EntryLog(Log& log, std::string name) : log_(log), name_(std::move(name)) {}

  void note(std::string_view text) override { detail(text); }
  void warn(std::string_view text) override {
    if (said_.emplace(text).second) log_.warn(fmt::format("{}: {}", name_, text));
  }
  void detail(std::string_view text) override { log_.detail(fmt::format("{}: {}", name_, text)); }
  bool wants_detail() const override { return log_.wants_detail(); }
  OptionStyle option_style() const override { return log_.option_style(); }

 private:
  Log& log_;
  std::string name_;
  std::set<std::string, std::less<>> said_;
};

// A league row with what is needed to judge it.
struct Candidate {
  LeagueRow row;
  Score score;  // without its evaluation, which is in the row
};

// Fills verdicts of trained candidates, ordered by error.
void judge(Span<Candidate> trained, const Scorer& scorer, std::uint64_t seed) {
  if (trained.empty()) return;
  const Repeats& repeats = scorer.repeats();
  const Array<std::int64_t>& held = repeats.held();
  Array<Point> points;
  for (const std::int64_t row : held) points.push_back(scorer.data().points[row]);
  const Candidate& best = trained.front();
  Array<double> p;
  // Over all repeats: a row held out in several is one witness, as are all rows of a block.
  Array<double> differences(held.size()), loss(scorer.data().rows(), 0.0),
      blocks(best.score.blocks.size());
  for (Candidate& other : trained) {
    const double error = other.row.evaluation.mean["mse"], least = best.row.evaluation.mean["mse"];
    other.row.lead = error == least ? 0.0 : error / least - 1;
    for (std::int64_t i = 0; i < std::ssize(held); ++i) {
      differences[i] = other.score.loss[held[i]] - best.score.loss[held[i]];
      loss[held[i]] = differences[i];
    }
    if (&other == &best) continue;
    for (std::int64_t i = 0; i < blocks.size(); ++i) {
      blocks[i] = other.score.blocks[i] - best.score.blocks[i];
    }
    other.row.p = paired_p(points, scorer.ground(), differences, repeats.noise(loss, blocks), seed);
    p.push_back(other.row.p);
  }
  constexpr double kLevel = 0.05;
  const Array<double> corrected = holm(p);
  trained.front().row.verdict = Verdict::best;
  for (std::int64_t i = 0; i < std::ssize(corrected); ++i) {
    LeagueRow& row = trained[i + 1].row;
    row.p_holm = corrected[i];
    row.verdict = corrected[i] < kLevel ? Verdict::worse : Verdict::tied;
  }
}

// One entry after the other.
class League {
 public:
  League(const Scorer& scorer, std::int64_t entries, const RunSettings& run)
      : scorer_(scorer), entries_(entries), run_(run) {}

  // False when the league is to stop.
  bool take(const CompareEntry& entry) {
    Candidate next;
    next.row.evaluation.model = entry.name;
    const std::string place =
        fmt::format("model {} of {}, {}", candidates_.size() + 1, entries_, entry.name);
    try {
      EntryLog quiet(log(), entry.name);
      RunSettings run = run_;
      run.log = &quiet;
      next.score = scorer_.score(entry, place, log(), run);
      next.row.evaluation = std::move(next.score.evaluation);
      next.row.verdict = Verdict::tied;  // until it is judged
      const Evaluation& e = next.row.evaluation;
      log().note(fmt::format("{}: RMSE {}, {}", place, format_short(e.mean["rmse"]),
                             format_seconds(e.seconds)));
    } catch (const Error& e) {
      if (e.kind() == ErrorKind::interrupted) {
        if (!trained()) throw;
        return false;
      }
      fail(next.row, e.message(log().option_style()));
    } catch (const std::bad_alloc&) {
      fail(next.row, "not enough memory");
    }
    candidates_.push_back(std::move(next));
    return true;
  }

  Array<Candidate> finish() {
    if (!trained() && first_error_) std::rethrow_exception(first_error_);
    const auto end = std::stable_partition(candidates_.begin(), candidates_.end(), done);
    std::stable_sort(candidates_.begin(), end, [](const Candidate& a, const Candidate& b) {
      return a.row.evaluation.mean["mse"] < b.row.evaluation.mean["mse"];
    });
    judge({candidates_.begin(), end}, scorer_, static_cast<std::uint64_t>(scorer_.plan().seed()));
    return std::move(candidates_);
  }

 private:
  static bool done(const Candidate& c) { return c.row.verdict != Verdict::not_trained; }
  bool trained() const { return std::any_of(candidates_.begin(), candidates_.end(), done); }
  Log& log() const { return run_.logger(); }
  void fail(LeagueRow& row, const std::string& reason) {
    row.reason = reason;
    if (!first_error_) first_error_ = std::current_exception();
    log().warn(fmt::format("{} is not trained: {}", row.evaluation.model, reason));
  }

  const Scorer& scorer_;
  std::int64_t entries_;
  const RunSettings& run_;
  Array<Candidate> candidates_;
  std::exception_ptr first_error_;
};

}  // namespace

const char* name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::best:
      return "best";
    case Verdict::tied:
      return "tied";
    case Verdict::worse:
      return "worse";
    case Verdict::not_trained:
      return "not trained";
  }
  return "";
}

Comparison compare(const Table& table, const Roles& roles, const std::vector<CompareEntry>& entries,
                   const EvaluateSettings& settings, const RunSettings& run) {
  if (entries.empty()) throw Error(ErrorKind::usage, "there are no models to compare");
  const Scorer scorer(table, roles, entries, settings, run);
  Comparison comparison;
  League league(scorer, std::ssize(entries), run);
  for (const CompareEntry& entry : entries) {
    comparison.interrupted = !league.take(entry);
    if (comparison.interrupted) break;
  }
  for (Candidate& candidate : league.finish()) comparison.rows.push_back(std::move(candidate.row));
  const SplitPlan& plan = scorer.plan();
  comparison.scheme = plan.scheme();
  comparison.folds = plan.folds();
  comparison.repeats = plan.repeats();
  comparison.split_seed = plan.seed();
  comparison.warnings = scorer.warnings();
  comparison.space = scorer.ground();
  comparison.table_rows = scorer.data().table_rows;
  comparison.points = scorer.data().points;
  comparison.observed = scorer.data().y;
  return comparison;
}

}  // namespace pegnn
