// pegnn demo: the embedded sample from table to report, offline, in under a minute.

#include <filesystem>
#include <memory>

#include <fmt/core.h>

#include "base/atomic_file.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/map_progress.h"
#include "cli/output.h"
#include "cli/session.h"
#include "flow/map_files.h"
#include "flow/output_folder.h"
#include "flow/prepared_map.h"
#include "flow/results.h"
#include "flow/train_files.h"
#include "pegnn/evaluate.h"
#include "pegnn/train.h"

namespace pegnn {

// data/airports.csv and data/land.geojson, put into the program when it is built.
extern const char airports_csv[];
extern const char land_geojson[];

namespace {

class Demo final : public Command {
 public:
  std::string_view summary() const override {
    return "Train, evaluate, predict and report on an embedded sample.";
  }
  std::string_view examples() const override {
    return "  pegnn demo\n  pegnn demo -o airports --overwrite\n";
  }
  std::vector<ArgumentGroup> arguments() override {
    return {{"Input and output",
             {{"-o,--out", "DIR",
               "Folder for the sample, the model, predictions and the report. "
               "[pegnn-demo]",
               &out_},
              {"--overwrite", "", "Replace what an earlier demo wrote there.", &overwrite_}}}};
  }

  void run(Session& session) override {
    StderrLog& log = session.log();
    const std::filesystem::path base(out_);
    OutputFolder folder(out_, overwrite_, false,
                        {"airports.csv", "places.csv", "predicted.csv", "elevation.tif",
                         "elevation.qml", "elevation.png", "land.geojson"});
    const Table table = parse_table(airports_csv, "airports.csv");
    log.note(
        fmt::format("The sample: {} airports of the world with their elevation in metres "
                    "(OurAirports through OpenFlights).",
                    format_count(table.rows())));
    ColumnChoice choice;
    choice.target = "elevation";
    choice.no_features = true;
    const Roles roles = resolve_roles(table, choice, log);
    const Options options = demo_options();

    log.note(
        "\n1. Which model predicts the elevation of an airport best from where it lies? One fifth "
        "of the airports is held out from all of them.");
    EvaluateSettings settings;
    settings.folds = 1;
    RunSettings run = session.run_settings();
    print(comparison_table(compare(table, roles, league(options), settings, run)));

    log.note("\n2. Train on all of them, with a tenth held back for early stopping.");
    const TrainResult result = train(table, roles, options, false, run);
    write_train_files(result, table,
                      {.command = "pegnn demo", .threads = static_cast<int>(session.threads)},
                      folder);
    write_file(base / "airports.csv", airports_csv);

    log.note("\n3. Predict at the crossings of a 10-degree net over the Andes.");
    write_file(base / "places.csv", places());
    const Table net = parse_table(places(), "places.csv");
    const std::vector<double> predicted = result.model.predict(net, {}, false, run);
    write_file(base / "predicted.csv", with_predictions(net, predicted));
    const std::string map = can_map() ? draw_map_of(result.model, session) : "";
    folder.finish();
    log.note(
        fmt::format("\nIn {0}/: airports.csv, model.safetensors, options.toml, metrics.jsonl, "
                    "places.csv, predicted.csv, {1}report.html\n"
                    "Open {0}/report.html in a browser. Then try\n"
                    "  pegnn info {0}\n"
                    "  pegnn moran {0}/airports.csv --value elevation\n"
                    "  pegnn predict {0} {0}/places.csv",
                    out_, map));
  }

 private:
  // The names of its files, for a list of more.
  std::string draw_map_of(const Model& model, Session& session) const {
    session.log().note(
        "\n4. Map it on land (Natural Earth), the Pacific in the middle; hatched where no airport "
        "is "
        "near.");
    const std::filesystem::path base(out_);
    write_file(base / "land.geojson", land_geojson);
    const MapPlace globe{.box = {"0", "-60", "360", "80"}, .cell = {"0.5"}};
    const PreparedMap map(
        model, {.mask = (base / "land.geojson").string(), .place = globe, .mean_only = true},
        session.log());
    MapFiles files((base / "elevation.tif").string(), {}, {.unit = "m"}, true);
    print(describe_map(map.plan(), write_map(files, map, session)));
    return files.names().size() > 2 ? "land.geojson, elevation.tif, .qml, .png, "
                                    : "land.geojson, elevation.tif, .qml, ";
  }

  // Fewer steps and members than the default and nothing chosen, so that the whole takes well under
  // a minute on two cores.
  static Options demo_options() {
    Options options = preset("default");
    options.steps = 500;
    options.members = 2;
    options.part.set("far-members", 1);
    options.choose = "none";
    return options;
  }

  // Quick ones of every kind: a mean, neighbours, Gaussian processes, networks.
  static std::vector<CompareEntry> league(const Options& options) {
    std::vector<CompareEntry> entries;
    for (const char* name : {"mean", "knn", "idw", "kriging", "nngp", "pe-gcn"}) {
      CompareEntry entry{name, named_model(name)};
      entry.options.steps = 1500;
      entries.push_back(std::move(entry));
    }
    entries.push_back({"default", options});
    return entries;
  }

  static std::string places() {
    std::string text = "longitude,latitude\n";
    for (int latitude = 10; latitude >= -50; latitude -= 10) {
      for (int longitude = -80; longitude <= -60; longitude += 10) {
        text += fmt::format("{},{}\n", longitude, latitude);
      }
    }
    return text;
  }

  static std::string with_predictions(const Table& net, const std::vector<double>& predicted) {
    std::string text = "longitude,latitude,pred\n";
    for (std::size_t i = 0; i < predicted.size(); ++i) {
      text += fmt::format("{},{},{}\n", net.columns()[0].values[i], net.columns()[1].values[i],
                          format_short(predicted[i], 5));
    }
    return text;
  }

  std::string out_ = "pegnn-demo";
  bool overwrite_ = false;
};

}  // namespace

extern constinit const CommandEntry demo_command{
    "demo", []() -> std::unique_ptr<Command> { return std::make_unique<Demo>(); }};

}  // namespace pegnn
