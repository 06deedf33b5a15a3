// pegnn train: learn a model from a table.

#include <memory>
#include <utility>

#include <fmt/core.h>

#include "base/text.h"
#include "cli/columns.h"
#include "cli/session.h"
#include "cli/table_arguments.h"
#include "flow/output_folder.h"
#include "flow/train_files.h"
#include "pegnn/error.h"
#include "pegnn/evaluate.h"
#include "pegnn/train.h"

namespace pegnn {
namespace {

class Train final : public Command {
 public:
  std::string_view summary() const override { return "Learn a model from a table of points."; }
  std::string_view examples() const override {
    return "  pegnn train stations.csv --target temperature -o model\n"
           "  pegnn train houses.csv --target price --features rooms,age -o model --seed 7\n"
           "  pegnn train houses.gpkg --target price --to-crs EPSG:28992 -o model\n"
           "  pegnn train houses.csv --target price --no-features --preset paper -o model\n"
           "  pegnn train houses.csv --target price -o model --resume   to continue\n";
  }
  bool takes_model_options() const override { return true; }
  std::vector<ArgumentGroup> arguments() override {
    return {
        {"Input and output",
         {input_.argument(),
          {.flags = "-o,--out",
           .value = "DIR",
           .sentence = "Folder for model.safetensors, options.toml, metrics.jsonl, report.html.",
           .target = &out_,
           .required = true},
          {"--overwrite", "", "Replace a model that is already there.", &overwrite_},
          {"--resume", "", "Continue a run that was interrupted or killed.", &resume_},
          {.flags = "--snapshot-every",
           .value = "N",
           .sentence = "Steps between two snapshots; 0 keeps one only on Ctrl-C. [500]",
           .target = &snapshot_every_,
           .limits = {.lo = 0}},
          {"--no-report", "", "Do not write report.html.", &no_report_}}},
        columns_.with_target(),
        input_.group()};
  }

  void run(Session& session) override {
    const Options options = session.options();
    OutputFolder folder(out_, overwrite_, resume_);
    if (folder.resumes() && !keeps_snapshots(options)) {
      throw Error(ErrorKind::usage,
                  fmt::format("'{}' holds an interrupted run of a network, which {} cannot "
                              "continue; --overwrite in place of --resume starts anew",
                              out_, options.model));
    }
    Table table = read_input(input_.request, columns_.choice, session.log());
    const Roles roles = resolve_roles(table, columns_.choice, session.log());
    RunSettings run = session.run_settings();
    run.snapshot = folder.snapshot();
    run.snapshot_every = snapshot_every_;
    run.resume = folder.resumes();
    if (resume_ && !run.resume) {
      session.log().note(fmt::format("no snapshot in '{}': starting from the first step", out_));
    }
    // Without snapshots the folder stays as it was until the model is there.
    if (keeps_snapshots(options)) folder.log_progress(run);

    const Table name_only(table.source());  // the rows are let go while the model learns
    const TrainResult result = train(std::move(table), roles, options, columns_.drop_missing, run);
    write_train_files(result, name_only,
                      {.wanted = !no_report_,
                       .command = session.command_line,
                       .threads = static_cast<int>(session.threads)},
                      folder);
    folder.finish();
    say(session, result);
  }

 private:
  void say(Session& session, const TrainResult& result) const {
    const ModelInfo info = result.model.info();
    const Metrics m =
        compute_metrics(result.observed, result.predicted, info.target_lo, info.target_hi);
    const std::string effort =
        info.steps > 0 ? fmt::format("{} steps", format_count(info.steps)) : "fitted";
    session.log().note(fmt::format("{}: {} in {}; {} rows: RMSE {}, MAE {}, R2 {}",
                                   model_name(info.options), effort, format_seconds(result.seconds),
                                   name_of(result.shown), format_short(m["rmse"]),
                                   format_short(m["mae"]), format_short(m["r2"], 3)));
    const std::string folder = out_.ends_with('/') ? out_ : out_ + '/';
    session.log().note(fmt::format("wrote {} (model.safetensors, options.toml, metrics.jsonl{})",
                                   folder, no_report_ ? "" : ", report.html"));
  }

  std::string out_;
  TableArguments input_;
  bool overwrite_ = false, resume_ = false, no_report_ = false;
  std::int64_t snapshot_every_ = 500;
  ColumnArguments columns_;
};

}  // namespace

extern constinit const CommandEntry train_command{
    "train", []() -> std::unique_ptr<Command> { return std::make_unique<Train>(); }};

}  // namespace pegnn
