// pegnn predict: the table's rows with a column of predictions.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>

#include <fmt/core.h>

#include "base/text.h"
#include "cli/columns.h"
#include "cli/csv.h"
#include "cli/input.h"
#include "cli/output.h"
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
    const Model model = Model::load(model_file(model_));
    const Table table = input_table(table_, {.keep_text = true});
    const bool deviation = model.gives_deviation() && !no_deviation_;
    for (const std::string& name : {column_, deviation ? column_ + kDeviationSuffix : column_}) {
      if (table.find(name) == nullptr) continue;
      throw Error(ErrorKind::usage,
                  fmt::format("{} has a column '{}' already; --column names the new one",
                              table.source(), name));
    }
    const auto start = std::chrono::steady_clock::now();
    const Prediction predicted = predict(model, table, session.run_settings());
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    write(table, predicted, digits_for(model.info()), out);
    session.log().note(fmt::format("predicted '{}' for {} rows in {}", model.info().roles.target,
                                   format_count(table.rows()), format_seconds(seconds)));
  }

 private:
  static constexpr const char* kDeviationSuffix = "_sd";

  Prediction predict(const Model& model, const Table& table, const RunSettings& run) const {
    if (!graph_.empty()) return ask(model.with_graph(graph_), table, run);
    return ask(model, table, run);
  }

  Prediction ask(const Model& model, const Table& table, const RunSettings& run) const {
    const ColumnChoice& choice = columns_.choice;
    const bool drop = columns_.drop_missing;
    if (no_deviation_) return {model.predict(table, choice, drop, run), {}};
    return model.predict_with_deviation(table, choice, drop, run);
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
  void write(const Table& table, const Prediction& predicted, int digits, Output& out) const {
    const bool deviation = !predicted.deviation.empty();
    std::string text = table.header_text() + table.delimiter() + csv_name(table, column_);
    if (deviation) text += table.delimiter() + csv_name(table, column_ + kDeviationSuffix);
    text += '\n';
    for (std::int64_t row = 0; row < table.rows(); ++row) {
      const auto at = static_cast<std::size_t>(row);
      text += table.row_text(row);
      text += table.delimiter() + csv_number(table, predicted.mean[at], digits);
      if (deviation)
        text += table.delimiter() + csv_number(table, predicted.deviation[at], kDigits);
      text += '\n';
      if (text.size() > (1U << 20)) {
        out.write(text);
        text.clear();
      }
    }
    out.write(text);
    out.commit();
  }

  std::string model_, table_, out_ = "-", column_ = "pred", graph_;
  bool overwrite_ = false, no_deviation_ = false;
  ColumnArguments columns_;
};

}  // namespace

extern constinit const CommandEntry predict_command{
    "predict", []() -> std::unique_ptr<Command> { return std::make_unique<Predict>(); }};

}  // namespace pegnn
