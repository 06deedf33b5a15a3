// pegnn datasets: the data sets of the paper, fetched, checked and written as tables.

#include <memory>
#include <optional>

#include <unistd.h>

#include <fmt/core.h>

#include "base/json_writer.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/help.h"
#include "cli/output.h"
#include "cli/session.h"
#include "cli/talk.h"
#include "flow/csv.h"
#include "paper/dataset_files.h"
#include "paper/datasets.h"
#include "paper/fetch_dataset.h"
#include "pegnn/error.h"

namespace pegnn {
namespace {

// What a folder has of a data set.
struct State {
  std::string word;  // whole, part, other values, unreadable, missing
  std::int64_t rows = 0;
  std::string file = {}, reason = {};
};

State state_of(const DatasetEntry& entry, const std::filesystem::path& folder) {
  State state{"missing"};
  try {
    const std::optional<DatasetFiles> files = find_dataset_files(entry, folder);
    if (!files) return state;
    state.file = files->name();
    const PaperData data = load_dataset(entry, folder, silent_log());
    state.rows = data.table.rows();
    state.word = !data.verified ? "other values" : data.whole ? "whole" : "part";
  } catch (const Error& error) {
    state.word = "unreadable";
    state.reason = error.what();
  }
  return state;
}

std::vector<std::string> words(std::span<const std::string_view> names) {
  return {names.begin(), names.end()};
}

class Datasets final : public Command {
 public:
  std::string_view summary() const override {
    return "List the paper's data sets, fetch them, write them as tables.";
  }
  std::string_view examples() const override {
    return "  pegnn datasets\n"
           "  pegnn datasets --fetch\n"
           "  pegnn datasets california-housing -o housing.csv\n";
  }
  std::vector<ArgumentGroup> arguments() override {
    return {
        {"Input and output",
         {{"NAME", "", "california-housing, election, air-temperature or 3d-road. [all]", &name_},
          {"--data-dir", "DIR", "Folder of the data sets. [PEGNN_DATA, or ~/.cache/pegnn]",
           &folder_},
          {"--fetch", "", "Fetch what is missing into that folder.", &fetch_},
          {"-o,--out", "FILE", "The data set as a table; - is standard output.", &out_},
          {"--overwrite", "", "Replace an output file that is already there.", &overwrite_},
          json_.argument("As JSON, to FILE.json or standard output.")}}};
  }

  void run(Session& session) override {
    const DatasetEntry* chosen = name_.empty() ? nullptr : &find_dataset(name_);
    if (!out_.empty() && chosen == nullptr) {
      throw Error(ErrorKind::usage,
                  "-o writes one data set; name it: pegnn datasets NAME -o " + out_);
    }
    std::unique_ptr<Output> out;
    if (!out_.empty()) out = std::make_unique<Output>(out_, overwrite_, print);
    json_.open(overwrite_);
    const std::filesystem::path folder =
        folder_.empty() ? default_data_folder() : std::filesystem::path(folder_);
    if (fetch_) fetch(chosen, folder, session);
    end_progress();
    if (out) {
      write(load_dataset(*chosen, folder, session.log()), *out);
      if (out->to_stream()) return;
    }
    if (chosen != nullptr) {
      const State state = state_of(*chosen, folder);
      JsonWriter json(2);
      json.object([&] { write(*chosen, state, json); });
      json_.emit(page(*chosen, state, folder), json.text() + "\n");
    } else {
      list(folder, session);
    }
  }

 private:
  // Of several, one that cannot be had does not keep the others away.
  static void fetch(const DatasetEntry* chosen, const std::filesystem::path& folder,
                    Session& session) {
    FetchSettings settings;
    settings.stop = session.run_settings().stop;
    const bool shown = !session.quiet && ::isatty(STDERR_FILENO) != 0;
    if (shown) {
      settings.progress = [](const std::string& file, std::int64_t now, std::int64_t of) {
        talk_progress(
            of > 0 ? fmt::format("{}: {} of {} bytes", file, format_count(now), format_count(of))
                   : fmt::format("{}: {} bytes", file, format_count(now)));
      };
    }
    if (chosen != nullptr) {
      fetch_dataset(*chosen, folder, settings, session.log());
      return;
    }
    std::vector<std::string> failed;
    std::optional<Error> first;
    for (const DatasetEntry* entry : datasets()) {
      try {
        fetch_dataset(*entry, folder, settings, session.log());
      } catch (const Error& error) {
        if (error.kind() == ErrorKind::interrupted) throw;
        session.log().warn(error.what());
        failed.emplace_back(entry->name);
        if (!first) first = error;
      }
    }
    if (first) {
      throw Error(first->kind(), fmt::format("{} of {} data sets could not be fetched: {}",
                                             failed.size(), datasets().size(), join(failed, ", ")));
    }
  }

  static void write(const PaperData& data, Output& out) {
    const std::vector<Column>& columns = data.table.columns();
    std::string text;
    for (const Column& column : columns) {
      text += (text.empty() ? "" : ",") + csv_name(Table(), column.name);
    }
    constexpr std::size_t kPiece = std::size_t{1} << 20;
    for (std::size_t row = 0; row < static_cast<std::size_t>(data.table.rows()); ++row) {
      for (std::size_t c = 0; c < columns.size(); ++c) {
        const double value = columns[c].values[row];
        text += c == 0 ? '\n' : ',';
        if (value == value) text += format_number(value);
      }
      if (text.size() < kPiece) continue;
      out.write(text);
      text.clear();
    }
    out.write(text + "\n");
    out.commit();
  }

  void list(const std::filesystem::path& folder, Session& session) {
    std::string text = fmt::format("{:<20}{:>9}  {:<13}{:>8}  in '{}'\n", "name", "rows", "target",
                                   "features", folder.string());
    bool complete = true;
    JsonWriter json(2);
    const auto add = [&](const DatasetEntry& entry) {
      const State state = state_of(entry, folder);
      if (!state.reason.empty()) session.log().warn(state.reason);
      complete = complete && state.word == "whole";
      text += fmt::format("{:<20}{:>9}  {:<13}{:>8}  {}{}\n", entry.name, format_count(entry.rows),
                          entry.target, entry.features.size(), state.word, rows_here(entry, state));
      json.object([&] { write(entry, state, json); });
    };
    json.object([&] {
      json.field("folder", folder.string());
      json.list("datasets", [&] {
        for (const DatasetEntry* entry : datasets()) add(*entry);
      });
    });
    text += "\n`pegnn datasets NAME` tells all that is known of one";
    text += complete ? ".\n" : "; --fetch fetches what is missing.\n";
    json_.emit(text, json.text() + "\n");
  }

  static std::string rows_here(const DatasetEntry& entry, const State& state) {
    if (state.rows == 0 || state.rows == entry.rows) return "";
    return fmt::format(" ({} row{})", format_count(state.rows), state.rows == 1 ? "" : "s");
  }

  static std::string page(const DatasetEntry& e, const State& state,
                          const std::filesystem::path& folder) {
    const auto line = [](const char* name, std::string_view value) {
      return value.empty() ? std::string() : help_row(name, value);
    };
    std::string text = fmt::format("{} ({})\n\n", e.title, e.name);
    text +=
        line("source", e.source) + line("licence", e.licence) + line("rules", e.rules) +
        line("note", e.remark) + line("rows", format_count(e.rows)) +
        line("coordinates", fmt::format("{}, {}", e.x, e.y)) + line("target", e.target) +
        line("features", e.features.empty() ? "none" : join(words(e.features), ", ")) +
        line("digest", e.whole.digest) +
        line("files",
             fmt::format("{}.csv or {}{}; each may be packed (.gz)", e.prepared, source_names(e),
                         e.part.empty() ? "" : fmt::format("; a part: {}.csv", e.part)));
    for (const SourceFile& file : e.sources) {
      text += line("from", address_of(e, file));
      if (!file.sha256.empty()) text += line("sha256", file.sha256);
    }
    text += line("state", fmt::format("{}{} in '{}'", state.word, rows_here(e, state),
                                      state.file.empty() ? folder.string() : state.file));
    text += line("reason", state.reason);
    return text;
  }

  static std::string source_names(const DatasetEntry& entry) {
    std::vector<std::string> names;
    for (const SourceFile& file : entry.sources) names.emplace_back(file.name);
    return join(names, ", ");
  }

  static void write(const DatasetEntry& e, const State& state, JsonWriter& json) {
    json.field("name", e.name);
    json.field("title", e.title);
    json.field("rows", e.rows);
    json.list("coordinates", {e.x, e.y});
    json.field("target", e.target);
    json.list("features", e.features);
    json.field("state", state.word);
    json.field("rows_here", state.rows);
    json.text_or_null("file", state.file);
    json.text_or_null("digest", e.whole.digest);
    json.field("source", e.source);
    json.field("licence", e.licence);
    json.field("rules", e.rules);
    json.field("note", e.remark);
    json.list("sources", [&] {
      for (const SourceFile& file : e.sources) json.object([&] { write(e, file, json); });
    });
  }

  static void write(const DatasetEntry& e, const SourceFile& file, JsonWriter& json) {
    json.field("name", file.name);
    json.field("url", address_of(e, file));
    json.text_or_null("sha256", file.sha256);
    if (file.bytes > 0) {
      json.field("bytes", file.bytes);
    } else {
      json.field("bytes", nullptr);
    }
  }

  std::string name_, folder_, out_;
  bool fetch_ = false, overwrite_ = false;
  JsonOutput json_;
};

}  // namespace

extern constinit const CommandEntry datasets_command{
    "datasets", []() -> std::unique_ptr<Command> { return std::make_unique<Datasets>(); }};

}  // namespace pegnn
