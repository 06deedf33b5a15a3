#include "flow/predicted_table.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <future>
#include <system_error>
#include <thread>
#include <utility>

#include <fmt/core.h>

#include "base/held_signals.h"
#include "base/thread_pool.h"
#include "pegnn/error.h"
#include "pegnn/log.h"

namespace pegnn {
namespace {

// Rows in memory at a time, twice: as many as a network likes to see together, fewer where there
// are many columns.
std::int64_t piece_rows(const TableInput& input) {
  constexpr std::int64_t kMostRows = 262144, kLeastRows = 1024, kCells = std::int64_t{1} << 22;
  return std::clamp(kCells / static_cast<std::int64_t>(input.names().size()), kLeastRows,
                    kMostRows);
}

// The next rows, read while the last ones are worked on; on one thread, when they are asked for.
// Nobody waits for rows of CSV that are not asked for: an error in the last ones is told at once,
// even when the next never come down a pipe. The reading thread then ends with the process; it
// shares nothing but the input, of which it is an owner. GDAL would not bear that, and its files
// do not keep one waiting.
std::future<Table> read_ahead(std::shared_ptr<TableInput> input, std::int64_t most_rows,
                              int threads) {
  const bool layer = input->is_layer();
  const auto read = [input = std::move(input), most_rows] { return input->next(most_rows); };
  if (threads == 1) return std::async(std::launch::deferred, read);
  const HeldSignals held;  // signals are not the reading thread's business
  try {
    if (layer) return std::async(std::launch::async, read);
    const auto task = std::make_shared<std::packaged_task<Table()>>(read);
    std::future<Table> next = task->get_future();
    std::thread([task] { (*task)(); }).detach();
    return next;
  } catch (const std::system_error&) {  // no thread to be had
    return std::async(std::launch::deferred, read);
  }
}

// The digits of a float; more would only look exact. Of a target far from zero, those before its
// variation begins come on top: the same number for every row.
constexpr int kDigits = 9;
int digits_for(const ModelInfo& info) {
  constexpr int kAll = 17;  // of a double
  const double range = info.target_hi - info.target_lo;
  if (!(range > 0)) return kAll;
  const double largest = std::max(std::abs(info.target_lo), std::abs(info.target_hi));
  const int lead = static_cast<int>(std::ceil(std::log10(largest / range)));
  return std::clamp(kDigits + lead, kDigits, kAll);
}

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

PredictedTable::PredictedTable(const Model& model, const PredictRequest& request, RowOutput& out,
                               Log& log)
    : model_(model), out_(out), request_(request), outputs_(model.outputs()) {
  if (request.mean_only) outputs_.resize(1);
  if (request.applicability) {
    outputs_.push_back({.kind = OutputKind::distance});
    outputs_.push_back({.kind = OutputKind::applicable});
  }
  const ModelInfo info = model.info();
  target_ = info.roles.target;
  input_ = std::make_shared<TableInput>(request.table, out.needs_text(request.table.table));
  name_columns(info);
  refuse_known_columns();
  if (request_.residual) require_target();
  choice_ = input_->settle_for(info.roles, request.choice, log);
  most_rows_ = model.needs_all_rows() ? kAllRows : piece_rows(*input_);
  piece_ = input_->next(most_rows_);
}

PredictedTable::Done PredictedTable::write(const RunSettings& run, const RowsDone& progress,
                                           Log& log) {
  const auto start = std::chrono::steady_clock::now();
  const auto seconds = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  const ThreadPool pool(run.threads);
  Predictor predictor(model_,
                      {.choice = choice_,
                       .drop_missing = request_.drop_missing,
                       .mean_only = request_.mean_only,
                       .applicability = request_.applicability,
                       .count_outside = request_.count_outside},
                      run);
  out_.begin(*input_, added_, log);
  Done done;
  std::int64_t rows = 0;
  for (bool last = false; !last;) {
    std::future<Table> ahead = read_ahead(input_, most_rows_, pool.threads());
    const Answer predicted = predictor.ask(piece_);
    Table next = ahead.get();
    last = next.rows() == 0;
    // Before the last rows go out, so that a small table that is refused leaves nothing behind
    // even on standard output.
    if (last) input_->warn_of_places(log);
    if (last) predictor.finish();
    done.rows +=
        std::ranges::count_if(predicted.mean(), [](double value) { return !std::isnan(value); });
    fill(piece_, predicted);
    if (!predictor.refused()) out_.append(piece_, added_, pool);
    rows += piece_.rows();
    if (progress) progress(rows, seconds());
    piece_ = std::move(next);
  }
  out_.commit(log);
  done.seconds = seconds();
  if (request_.count_outside) warn_of_outside(predictor.outside(), log);
  return done;
}

void PredictedTable::warn_of_outside(const Outside& outside, Log& log) const {
  if (!outside.worth_warning) return;
  std::string text = outside.sentence;
  if (!request_.applicability) {
    text += fmt::format("; {} adds the distance of each and whether it does",
                        log.option("applicability"));
  }
  log.warn(text);
}

// What the model says, and the residual, as far as they are asked for.
void PredictedTable::name_columns(const ModelInfo& info) {
  const int digits = digits_for(info);
  for (const OutputColumn& output : outputs_) {
    const bool located = output.kind == OutputKind::mean || output.kind == OutputKind::quantile;
    const bool flag = output.kind == OutputKind::applicable;
    added_.push_back({.name = column_name(output, request_.column),
                      .kind = flag ? AddedColumn::Kind::integer : AddedColumn::Kind::real,
                      .digits = located ? digits : kDigits});
  }
  if (request_.residual) {
    added_.push_back({.name = request_.column + "_residual", .digits = digits});
  }
}

// A missing prediction is empty.
void PredictedTable::fill(const Table& table, const Answer& predicted) {
  if (request_.residual) {
    const Column& observed = *table.find(target_);
    if (!observed.numeric()) {
      throw Error(
          ErrorKind::data,
          fmt::format(
              "{}, {}, column '{}': '{}' is not a number; <option:residual> needs the target",
              table.source(), table.where(observed.first_text_row), target_, observed.first_text));
    }
    std::vector<double>& residuals = added_.back().values;
    residuals.resize(predicted.mean().size());
    for (std::size_t i = 0; i < residuals.size(); ++i) {
      residuals[i] = observed.values[i] - predicted.mean()[i];
    }
  }
  for (std::size_t c = 0; c < outputs_.size(); ++c) {
    const std::span<const double> column = predicted.column(c);
    added_[c].values.assign(column.begin(), column.end());
  }
}

void PredictedTable::refuse_known_columns() const {
  for (const AddedColumn& column : added_) {
    if (!has(input_->names(), column.name)) continue;
    throw Error(ErrorKind::usage,
                fmt::format("{} has a column '{}' already; <option:column> names the new one",
                            input_->source(), column.name));
  }
}

void PredictedTable::require_target() const {
  if (has(input_->names(), target_)) return;
  throw Error(
      ErrorKind::usage,
      fmt::format(
          "<option:residual> needs the observations: {} has no column '{}', the model's target",
          input_->source(), target_));
}

}  // namespace pegnn
