#include "pegnn/train.h"
#include "base/array.h"

#include <filesystem>

#include <fmt/core.h>

#include "model/model_kind.h"
#include "pegnn/error.h"
#include "pegnn/log.h"
#include "train/fit.h"
#include "train/hold_out.h"
#include "train/resolve.h"

namespace pegnn {

const char* name_of(ShownRows rows) {
  switch (rows) {
    case ShownRows::validation:
      return "validation";
    case ShownRows::left_out:
      return "left-out";
    case ShownRows::training:
      return "training";
  }
  return "";
}

bool keeps_snapshots(const Options& options) { return kind_of(options).traits().in_steps; }

namespace {

Dataset usable_rows(const Table& table, const Roles& roles, const Options& options,
                    bool drop_missing, Log& log) {
  Dataset data = make_dataset(table, roles, space_for(options, roles),
                              drop_missing ? MissingRows::drop : MissingRows::refuse, log);
  if (data.rows() < kFewestRows) {
    throw Error(ErrorKind::data,
                fmt::format("{}: {} row{} to train on, at least {} are needed; give a longer table",
                            table.source(), data.rows(), data.rows() == 1 ? "" : "s", kFewestRows));
  }
  return data;
}

TrainResult train_on(const Dataset& data, const std::string& source, const Roles& roles,
                     const Options& options, const RunSettings& run) {
  Fit fit = fit_model(data, roles, options, nullptr, run);
  // Without the folder, so that the bytes of a model do not depend on where its table lay.
  fit.state.provenance.table = std::filesystem::path(source).filename().string();
  return {.model = Model(std::move(fit.state)),
          .curve = std::move(fit.curve),
          .shown_rows = gather(data.table_rows, fit.shown_rows),
          .points = gather(data.points, fit.shown_rows),
          .observed = std::move(fit.observed),
          .predicted = std::move(fit.predicted),
          .shown = fit.shown,
          .seconds = fit.seconds};
}

Roles training_roles(const Options& options, const Roles& given, Log& log) {
  if (given.target.empty()) throw Error(ErrorKind::usage, "no column is named as the target");
  return roles_for(options, given, log);
}

}  // namespace

TrainResult train(const Table& table, const Roles& given, const Options& options, bool drop_missing,
                  const RunSettings& run) {
  Log& log = run.logger();
  const Roles roles = training_roles(options, given, log);
  return train_on(usable_rows(table, roles, options, drop_missing, log), table.source(), roles,
                  options, run);
}

TrainResult train(Table&& table, const Roles& given, const Options& options, bool drop_missing,
                  const RunSettings& run) {
  Log& log = run.logger();
  const Roles roles = training_roles(options, given, log);
  const Dataset data = usable_rows(table, roles, options, drop_missing, log);
  const std::string source = table.source();
  table = Table();
  return train_on(data, source, roles, options, run);
}

}  // namespace pegnn
