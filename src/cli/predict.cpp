// pegnn predict: the table's rows with a column of predictions.

#include <cmath>
#include <memory>
#include <utility>

#include <fmt/core.h>

#include "base/text.h"
#include "cli/columns.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/session.h"
#include "cli/table_arguments.h"
#include "flow/input.h"
#include "flow/predicted_table.h"
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
          &request_.column},
         {"--no-deviation", "", "Leave out the standard deviation.", &no_deviation_},
         {"--residual", "",
          "Add NAME_residual, observed minus predicted, where the table has the target.",
          &request_.residual},
         {"--applicability", "",
          "Add NAME_distance, to the nearest training point (metres, or units of projected "
          "coordinates), and NAME_aoa, 1 in the area of applicability and 0 outside.",
          &request_.applicability},
         {"--no-applicability", "",
          "Do not look at how many rows lie outside the area of applicability.", &not_counted_},
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
    if (request_.applicability && not_counted_) {
      throw Error(ErrorKind::usage,
                  "<option:applicability> and <option:no-applicability> exclude each other");
    }
    request_.count_outside = !not_counted_;
    RowOutput out(out_, format_.chosen, overwrite_, print);
    Model model = Model::load(model_file(model_));
    if (!graph_.empty()) model = model.with_graph(graph_);
    request_.table = input_.request;
    request_.choice = columns_.choice;
    request_.drop_missing = columns_.drop_missing;
    request_.mean_only = no_deviation_;
    PredictedTable table(model, request_, out, session.log());
    RowProgress progress;
    RowsDone show;
    if (!session.quiet) show = [&](std::int64_t rows, double seconds) { progress(rows, seconds); };
    const PredictedTable::Done done = table.write(session.run_settings(), show, session.log());
    session.log().note(closing_note(model.info().roles.target, done.rows, done.seconds));
  }

 private:
  // A rate over less than half a second says little.
  static std::string closing_note(const std::string& target, std::int64_t rows, double seconds) {
    constexpr double kLeastSeconds = 0.5;
    std::string text = fmt::format("predicted '{}' for {} row{} in {}", target, format_count(rows),
                                   rows == 1 ? "" : "s", format_seconds(seconds));
    if (seconds < kLeastSeconds) return text;
    const double rate = static_cast<double>(rows) / seconds;
    return text + fmt::format(" ({} rows/s)", format_count(std::llround(rate)));
  }

  std::string model_, out_ = "-", graph_;
  bool overwrite_ = false, no_deviation_ = false, not_counted_ = false;
  PredictRequest request_;
  TableArguments input_;
  FormatArguments format_;
  ColumnArguments columns_;
};

}  // namespace

extern constinit const CommandEntry predict_command{
    "predict", []() -> std::unique_ptr<Command> { return std::make_unique<Predict>(); }};

}  // namespace pegnn
