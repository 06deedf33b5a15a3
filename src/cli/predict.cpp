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
#include "cli/csv.h"
#include "cli/input.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/session.h"
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
           "  pegnn predict model places.csv --lon x --lat y -o -\n";
  }
  std::vector<ArgumentGroup> arguments() override {
    return {
        {"Input and output",
         {{"MODEL", "", "Folder made by `pegnn train`, or a model file.", &model_, true},
          {"TABLE", "", kTableSentence, &table_, true},
          {"-o,--out", "FILE",
           "The table's rows with the prediction as a further column; - is standard output. [-]",
           &out_},
          {"--column", "NAME",
           "Name of the new column; NAME_sd follows where the model gives a standard deviation. "
           "[pred]",
           &column_},
          {"--no-deviation", "", "Leave out the standard deviation.", &no_deviation_},
          {"--graph",
           "WORD",
           "train: attach to the training points; test-only: link the rows among themselves. "
           "[as trained]",
           &graph_,
           false,
           false,
           {.words = "train|test-only"}},
          {"--overwrite", "", "Replace an output file that is already there.", &overwrite_}}},
        columns_.coordinates("as in training",
                             "Leave the prediction of rows with missing values empty instead of "
                             "refusing them.")};
  }

  void run(Session& session) override {
    Output out(out_, overwrite_);
    Model model = Model::load(model_file(model_));
    if (!graph_.empty()) model = model.with_graph(graph_);
    deviation_ = model.gives_deviation() && !no_deviation_;
    const auto reader = std::make_shared<TableReader>(input_reader(table_, {.keep_text = true}));
    refuse_known_columns(*reader);
    const std::int64_t most_rows = model.needs_all_rows() ? kAllRows : piece_rows(*reader);
    Table piece = reader->next(most_rows);
    const ModelInfo info = model.info();
    digits_ = digits_for(info);

    const auto start = std::chrono::steady_clock::now();
    const auto seconds = [&] {
      return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    const RunSettings run = session.run_settings();
    const ThreadPool pool(run.threads);
    Predictor predictor(model, {columns_.choice, columns_.drop_missing, deviation_}, run);
    RowProgress progress;
    std::int64_t rows = 0, predicted_rows = 0;
    for (bool last = false; !last;) {
      std::future<Table> ahead = read_ahead(reader, most_rows, pool.threads());
      const Prediction predicted = predictor.ask(piece);
      Table next = ahead.get();
      last = next.rows() == 0;
      // Before the last rows go out, so that a small table that is refused leaves nothing behind
      // even on standard output.
      if (last) predictor.finish();
      if (!predictor.refused()) write(piece, predicted, rows == 0, pool, out);
      rows += piece.rows();
      predicted_rows += std::count_if(predicted.mean.begin(), predicted.mean.end(),
                                      [](double value) { return !std::isnan(value); });
      if (!session.quiet) progress(rows, seconds());
      piece = std::move(next);
    }
    out.commit();
    session.log().note(closing_note(info.roles.target, predicted_rows, seconds()));
  }

 private:
  static constexpr const char* kDeviationSuffix = "_sd";

  // Rows in memory at a time, twice: as many as a network likes to see together, fewer where there
  // are many columns.
  static std::int64_t piece_rows(const TableReader& reader) {
    constexpr std::int64_t kMostRows = 262144, kLeastRows = 1024, kCells = std::int64_t{1} << 22;
    return std::clamp(kCells / static_cast<std::int64_t>(reader.names().size()), kLeastRows,
                      kMostRows);
  }

  void refuse_known_columns(const TableReader& reader) const {
    const std::vector<std::string>& names = reader.names();
    for (const std::string& name : {column_, deviation_ ? column_ + kDeviationSuffix : column_}) {
      if (std::find(names.begin(), names.end(), name) == names.end()) continue;
      throw Error(ErrorKind::usage,
                  fmt::format("{} has a column '{}' already; --column names the new one",
                              table_ == "-" ? "standard input" : table_, name));
    }
  }

  // The next rows, read while the last ones are worked on; on one thread, when they are asked for.
  // Nobody waits for rows that are not asked for: an error in the last ones is told at once, even
  // when the next never come down a pipe. The reading thread then ends with the process; it shares
  // nothing but the reader, of which it is an owner.
  static std::future<Table> read_ahead(std::shared_ptr<TableReader> reader, std::int64_t most_rows,
                                       int threads) {
    const auto read = [reader = std::move(reader), most_rows] { return reader->next(most_rows); };
    if (threads == 1) return std::async(std::launch::deferred, read);
    const auto task = std::make_shared<std::packaged_task<Table()>>(read);
    std::future<Table> next = task->get_future();
    const HeldSignals held;  // signals are not the reading thread's business
    try {
      std::thread([task] { (*task)(); }).detach();
    } catch (const std::system_error&) {  // no thread to be had
      (*task)();
    }
    return next;
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

  // Rows go out as they came in, byte for byte, with a field or two more. A missing prediction is
  // empty.
  void write(const Table& table, const Prediction& predicted, bool first, const ThreadPool& pool,
             Output& out) const {
    if (first) {
      std::string header = table.header_text() + table.delimiter() + csv_name(table, column_);
      if (deviation_) header += table.delimiter() + csv_name(table, column_ + kDeviationSuffix);
      out.write(header + '\n');
    }
    // As many blocks at a time as give every thread some, few enough for little memory.
    constexpr std::int64_t kBlock = 1024, kBlocks = 64;
    std::vector<std::string> texts(kBlocks);
    for (std::int64_t done = 0; done < table.rows(); done += kBlock * kBlocks) {
      const std::int64_t count = std::min(kBlock * kBlocks, table.rows() - done);
      pool.for_blocks(count, kBlock, [&](std::int64_t begin, std::int64_t end) {
        std::string& text = texts[static_cast<std::size_t>(begin / kBlock)];
        text.clear();
        append_rows(table, predicted, done + begin, done + end, text);
      });
      for (std::int64_t block = 0; block * kBlock < count; ++block) {
        out.write(texts[static_cast<std::size_t>(block)]);
      }
    }
  }

  void append_rows(const Table& table, const Prediction& predicted, std::int64_t begin,
                   std::int64_t end, std::string& text) const {
    for (std::int64_t row = begin; row < end; ++row) {
      const auto at = static_cast<std::size_t>(row);
      text += table.row_text(row);
      text += table.delimiter();
      append_csv_number(table, predicted.mean[at], digits_, text);
      if (deviation_) {
        text += table.delimiter();
        append_csv_number(table, predicted.deviation[at], kDigits, text);
      }
      text += '\n';
    }
  }

  std::string model_, table_, out_ = "-", column_ = "pred", graph_;
  bool overwrite_ = false, no_deviation_ = false;
  bool deviation_ = false;  // asked for, and given by the model
  int digits_ = kDigits;
  ColumnArguments columns_;
};

}  // namespace

extern constinit const CommandEntry predict_command{
    "predict", []() -> std::unique_ptr<Command> { return std::make_unique<Predict>(); }};

}  // namespace pegnn
