#include "paper/report/reproduction_json.h"

#include "base/json_writer.h"
#include "pegnn/version.h"

namespace pegnn {
namespace {

void write_errors(const char* name, const Errors& errors, JsonWriter& json) {
  json.object(name, [&] {
    json.field("mse", errors.mse);
    json.field("mae", errors.mae);
  });
}

// A row of a table on the data set of column `d`.
void write_cell(const PaperTable& table, const TableRow& row, std::size_t d, JsonWriter& json) {
  const TableCell& cell = row.cells[d];
  json.field("name", row.name);
  json.field("model", row.model);
  json.field("in_paper", row.in_paper);
  json.field("dataset", table.columns[d]);
  write_errors("ours", cell.ours, json);
  json.field("seeds", cell.seeds);
  write_errors("spread", cell.spread, json);
  write_errors("published", cell.published, json);
  json.field("difference", cell.ours.mse / cell.published.mse - 1);
  json.field("comparable", cell.comparable);
  write_errors("independent", cell.independent, json);
  json.field("seconds", cell.seconds);
  if (!table.notes[d].empty()) json.field("rows", table.notes[d]);
  if (!cell.reason.empty()) json.field("reason", cell.reason);
}

void write(const char* name, const PaperTable& table, JsonWriter& json) {
  json.object(name, [&] {
    json.field("title", table.title);
    json.list("rows", [&] {
      for (const TableRow& row : table.rows) {
        for (std::size_t d = 0; d < row.cells.size(); ++d) {
          json.object([&] { write_cell(table, row, d, json); });
        }
      }
    });
  });
}

void write_curves(const CurvePanel& panel, JsonWriter& json) {
  json.field("title", panel.title);
  json.list("curves", [&] {
    for (const Curve& curve : panel.curves) {
      json.object([&] {
        json.field("name", curve.name);
        json.list("step", curve.x);
        json.list("test_mse", curve.y);
      });
    }
  });
}

void write(const char* name, const Figure2& figure, JsonWriter& json) {
  json.object(name, [&] {
    json.field("value", figure.value_name);
    json.list("points", [&] {
      for (const Point& p : figure.points) {
        json.list([&] {
          json.item(p.x);
          json.item(p.y);
        });
      }
    });
    json.list("maps", [&] {
      for (const NamedValues& map : figure.maps) {
        json.object([&] {
          json.field("name", map.name);
          json.list("values", map.values);
        });
      }
    });
    json.list("curves", [&] {
      for (const CurvePanel& panel : figure.curves) json.object([&] { write_curves(panel, json); });
    });
  });
}

void write_bars(const BarPanel& panel, JsonWriter& json) {
  json.field("dataset", panel.title);
  json.list("bars", [&] {
    for (const Bar& bar : panel.bars) {
      json.object([&] {
        json.field("name", bar.name);
        json.field("mean", bar.mean);
        json.field("deviation", bar.deviation);
        json.field("runs", bar.runs);
        json.field("published", bar.published);
      });
    }
  });
  if (!panel.note.empty()) json.field("rows", panel.note);
}

void write(const char* name, const Figure3& figure, JsonWriter& json) {
  json.list(name, [&] {
    for (const BarPanel& panel : figure.panels) json.object([&] { write_bars(panel, json); });
  });
}

void write(const char* name, const Figure4& figure, JsonWriter& json) {
  json.list(name, [&] {
    for (const SensitivityPanel& panel : figure.panels) {
      json.object([&] {
        json.field("model", panel.model);
        json.list("k", panel.k);
        json.list("batch", panel.batch);
        json.list("mse", [&] {
          for (const std::vector<double>& line : panel.mse) {
            json.list([&] {
              for (const double value : line) json.item(value);
            });
          }
        });
      });
    }
  });
}

void write(const char* name, const Figure5& figure, JsonWriter& json) {
  json.object(name, [&] {
    json.list("step", figure.step);
    json.list("main_loss", figure.main_loss);
    json.list("auxiliary_loss", figure.auxiliary_loss);
    json.list("sigma_main", figure.sigma_main);
    json.list("sigma_auxiliary", figure.sigma_auxiliary);
    json.field("test_mse", figure.test_mse);
  });
}

void write(const DataNote& data, JsonWriter& json) {
  json.field("name", data.name);
  json.field("file", data.file);
  json.field("rows", data.rows);
  json.field("whole_rows", data.whole_rows);
  json.field("verified", data.verified);
  json.field("hash", data.hash);
}

void write(const StepTime& time, std::int64_t threads, JsonWriter& json) {
  json.field("name", time.name);
  json.field("published", time.published);
  json.field("one_thread", time.one_thread);
  json.field("all_threads", time.all_threads);
  json.field("threads", threads);
  if (!time.note.empty()) json.field("note", time.note);
}

}  // namespace

std::string reproduction_json(const Reproduction& found, const std::string& command_line) {
  JsonWriter json(1);
  json.object([&] {
    json.field("version", version());
    json.field("command", command_line);
    json.field("preset", found.preset);
    json.field("quick", found.quick);
    json.field("seeds", found.seeds);
    json.field("training_runs", found.runs);
    json.field("seconds", found.compute_seconds);
    json.list("remarks", found.remarks);
    if (!found.data.empty()) {
      json.list("data", [&] {
        for (const DataNote& data : found.data) json.object([&] { write(data, json); });
      });
    }
    if (found.table1) write("table1", *found.table1, json);
    if (found.table2) write("table2", *found.table2, json);
    if (found.figure2) write("figure2", *found.figure2, json);
    if (found.figure3) write("figure3", *found.figure3, json);
    if (found.figure4) write("figure4", *found.figure4, json);
    if (found.figure5) write("figure5", *found.figure5, json);
    if (!found.step_times.empty()) {
      json.list("step_seconds", [&] {
        for (const StepTime& time : found.step_times) {
          json.object([&] { write(time, found.threads, json); });
        }
      });
    }
  });
  return json.text() + "\n";
}

}  // namespace pegnn
