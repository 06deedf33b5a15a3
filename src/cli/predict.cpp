// pegnn predict: the table's rows with a column of predictions.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <future>
#include <memory>
#include <system_error>
#include <thread>
#include <utility>

#include <fmt/core.h>

#include "base/held_signals.h"
#include "base/text.h"
#include "base/thread_pool.h"
#include "cli/columns.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/session.h"
#include "cli/table_arguments.h"
#include "flow/input.h"
#include "pegnn/error.h"
#include "pegnn/model.h"

namespace pegnn {
namespace {

class Predict final : public Command {
 public:
  std::string_view summary() const override {
    return "Predict at the points of a table with a trained model.";
  }
  std::string_view examples() const override {
    return "  pegnn predict model places.csv -o predicted.csv\n"
           "  pegnn predict model/model.safetensors places.csv           to standard output\n"
           "  pegnn predict model places.csv --lon x --lat y -o -\n"
           "  pegnn predict model places.gpkg -o predicted.gpkg          with its geometry\n";
  }
  std::vector<ArgumentGroup> arguments() override {
    ArgumentGroup files{
        "Input and output",
        {{.flags = "MODEL",
          .value = "",
          .sentence = "Folder made by `pegnn train`, or a model file.",
          .target = &model_,
          .required = true},
         input_.argument(),
         {"-o,--out", "FILE",
          "The table's rows with the prediction as a further column: CSV, or by the ending of the "
          "name .gpkg, .geojson, .shp, .fgb, ...; - is standard output. [-]",
          &out_},
         {"--column", "NAME",
          "Name of the new column; NAME_sd follows where the model gives a standard deviation. "
          "[pred]",
          &column_},
         {"--no-deviation", "", "Leave out the standard deviation.", &no_deviation_},
         {"--residual", "",
          "Add NAME_residual, observed minus predicted, where the table has the target.",
          &residual_},
         {.flags = "--graph",
          .value = "WORD",
          .sentence =
              "train: attach to the training points; test-only: link the rows among themselves. "
              "[as trained]",
          .target = &graph_,
          .limits = {.words = "train|test-only"}},
         {"--overwrite", "", "Replace an output file that is already there.", &overwrite_}}};
    for (Argument& argument : format_.arguments()) files.arguments.push_back(std::move(argument));
    return {files,
            columns_.coordinates("as in training",
                                 "Leave the prediction of rows with missing values empty instead "
                                 "of refusing them."),
            input_.group(false)};
  }

  void run(Session& session) override {
    RowOutput out(out_, format_.chosen, overwrite_, print);
    Model model = Model::load(model_file(model_));
    if (!graph_.empty()) model = model.with_graph(graph_);
    deviation_ = model.gives_deviation() && !no_deviation_;
    const ModelInfo info = model.info();
    const auto input = std::make_shared<TableInput>(input_.request, out.needs_text(input_.request.table));
    std::vector<AddedColumn> added = new_columns(info);
    refuse_known_columns(*input, added);
    if (residual_) require_target(*input, info.roles.target);
    const ColumnChoice choice = input->settle_for(info.roles, columns_.choice, session.log());
    const std::int64_t most_rows = model.needs_all_rows() ? kAllRows : piece_rows(*input);
    Table piece = input->next(most_rows);

    const auto start = std::chrono::steady_clock::now();
    const auto seconds = [&] {
      return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    const RunSettings run = session.run_settings();
    const ThreadPool pool(run.threads);
    Predictor predictor(model, {choice, columns_.drop_missing, deviation_}, run);
    out.begin(*input, added, session.log());
    RowProgress progress;
    std::int64_t rows = 0, predicted_rows = 0;
    for (bool last = false; !last;) {
      std::future<Table> ahead = read_ahead(input, most_rows, pool.threads());
      Prediction predicted = predictor.ask(piece);
      Table next = ahead.get();
      last = next.rows() == 0;
      // Before the last rows go out, so that a small table that is refused leaves nothing behind
      // even on standard output.
      if (last) input->warn_of_places(session.log());
      if (last) predictor.finish();
      predicted_rows += std::count_if(predicted.mean.begin(), predicted.mean.end(),
                                      [](double value) { return !std::isnan(value); });
      fill(piece, info.roles.target, std::move(predicted), added);
      if (!predictor.refused()) out.append(piece, added, pool);
      rows += piece.rows();
      if (!session.quiet) progress(rows, seconds());
      piece = std::move(next);
    }
    out.commit(session.log());
    session.log().note(closing_note(info.roles.target, predicted_rows, seconds()));
  }

 private:
  // Rows in memory at a time, twice: as many as a network likes to see together, fewer where there
  // are many columns.
  static std::int64_t piece_rows(const TableInput& input) {
    constexpr std::int64_t kMostRows = 262144, kLeastRows = 1024, kCells = std::int64_t{1} << 22;
    return std::clamp(kCells / static_cast<std::int64_t>(input.names().size()), kLeastRows,
                      kMostRows);
  }

  // The prediction, its standard deviation and the residual, as far as they are asked for.
  std::vector<AddedColumn> new_columns(const ModelInfo& info) const {
    const int digits = digits_for(info);
    std::vector<AddedColumn> columns{{.name = column_, .digits = digits}};
    if (deviation_) columns.push_back({.name = column_ + "_sd", .digits = kDigits});
    if (residual_) columns.push_back({.name = column_ + "_residual", .digits = digits});
    return columns;
  }

  // A missing prediction is empty.
  void fill(const Table& table, const std::string& target, Prediction predicted,
            std::vector<AddedColumn>& added) const {
    if (residual_) {
      const Column& observed = *table.find(target);
      if (!observed.numeric()) {
        throw Error(ErrorKind::data,
                    fmt::format("{}, {}, column '{}': '{}' is not a number; --residual needs the "
                                "target",
                                table.source(), table.where(observed.first_text_row), target,
                                observed.first_text));
      }
      std::vector<double>& residuals = added.back().values;
      residuals.resize(predicted.mean.size());
      for (std::size_t i = 0; i < residuals.size(); ++i) {
        residuals[i] = observed.values[i] - predicted.mean[i];
      }
    }
    added[0].values = std::move(predicted.mean);
    if (deviation_) added[1].values = std::move(predicted.deviation);
  }

  void refuse_known_columns(const TableInput& input, const std::vector<AddedColumn>& added) const {
    const std::vector<std::string>& names = input.names();
    for (const AddedColumn& column : added) {
      if (std::find(names.begin(), names.end(), column.name) == names.end()) continue;
      throw Error(ErrorKind::usage,
                  fmt::format("{} has a column '{}' already; --column names the new one",
                              input.source(), column.name));
    }
  }

  static void require_target(const TableInput& input, const std::string& target) {
    const std::vector<std::string>& names = input.names();
    if (std::find(names.begin(), names.end(), target) != names.end()) return;
    throw Error(ErrorKind::usage,
                fmt::format("--residual needs the observations: {} has no column '{}', the model's "
                            "target",
                            input.source(), target));
  }

  // The next rows, read while the last ones are worked on; on one thread, when they are asked for.
  // Nobody waits for rows of CSV that are not asked for: an error in the last ones is told at once,
  // even when the next never come down a pipe. The reading thread then ends with the process; it
  // shares nothing but the input, of which it is an owner. GDAL would not bear that, and its files
  // do not keep one waiting.
  static std::future<Table> read_ahead(std::shared_ptr<TableInput> input, std::int64_t most_rows,
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

  // A rate over less than half a second says little.
  static std::string closing_note(const std::string& target, std::int64_t rows, double seconds) {
    constexpr double kLeastSeconds = 0.5;
    std::string text = fmt::format("predicted '{}' for {} row{} in {}", target, format_count(rows),
                                   rows == 1 ? "" : "s", format_seconds(seconds));
    if (seconds < kLeastSeconds) return text;
    const double rate = static_cast<double>(rows) / seconds;
    return text + fmt::format(" ({} rows/s)", format_count(std::llround(rate)));
  }

  // The digits of a float; more would only look exact. Of a target far from zero, those before its
  // variation begins come on top: the same number for every row.
  static constexpr int kDigits = 9;
  static int digits_for(const ModelInfo& info) {
    constexpr int kAll = 17;  // of a double
    const double range = info.target_hi - info.target_lo;
    if (!(range > 0)) return kAll;
    const double largest = std::max(std::abs(info.target_lo), std::abs(info.target_hi));
    const int lead = static_cast<int>(std::ceil(std::log10(largest / range)));
    return std::clamp(kDigits + lead, kDigits, kAll);
  }

  std::string model_, out_ = "-", column_ = "pred", graph_;
  bool overwrite_ = false, no_deviation_ = false, residual_ = false;
  bool deviation_ = false;  // asked for, and given by the model
  TableArguments input_;
  FormatArguments format_;
  ColumnArguments columns_;
};

}  // namespace

extern constinit const CommandEntry predict_command{
    "predict", []() -> std::unique_ptr<Command> { return std::make_unique<Predict>(); }};

}  // namespace pegnn
