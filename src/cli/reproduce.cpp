// pegnn reproduce: the paper's tables and figures beside the published numbers.

#include <algorithm>
#include <filesystem>
#include <memory>
#include <set>

#include <fmt/core.h>

#include "base/atomic_file.h"
#include "base/leftovers.h"
#include "base/text.h"
#include "base/thread_pool.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/session.h"
#include "flow/folder_lock.h"
#include "paper/experiments.h"
#include "paper/report/reproduction_json.h"
#include "paper/report/reproduction_page.h"
#include "paper/report/reproduction_text.h"
#include "pegnn/error.h"

namespace pegnn {
namespace {

using Names = std::vector<std::string>;

class Reproduce final : public Command {
 public:
  std::string_view summary() const override {
    return "The paper's tables and figures beside the published numbers.";
  }
  std::string_view examples() const override {
    return "  pegnn reproduce all --data-dir data\n"
           "  pegnn reproduce all --quick\n"
           "  pegnn reproduce table1,figure3 --datasets california-housing --seeds 3 -o "
           "california\n";
  }
  std::vector<ArgumentGroup> arguments() override {
    constexpr double kMany = 1e6;
    return {
        {"Input and output",
         {{.flags = "WHAT",
           .value = "",
           .sentence = "Some of table1, table2, figure2, figure3, figure4, figure5 and speed (the "
                       "time of a "
                       "training step), separated by commas; or all.",
           .target = &what_,
           .required = true},
          {"--data-dir", "DIR",
           "Folder with the data sets; see `pegnn datasets`. [the folder it fetches into]", &data_},
          {"--datasets", "A,B,...", "Only these data sets. [all that are needed]", &datasets_},
          {"-o,--out", "DIR",
           "Folder for reproduction.html, results.json and the training runs. What an earlier "
           "command trained there is not trained again. [pegnn-reproduction]",
           &out_},
          {"--overwrite", "", "Train anew what is asked for.", &overwrite_}}},
        {"What is trained",
         {{.flags = "--preset",
           .value = "NAME",
           .sentence =
               "Settings of the paper's networks: reference, the published code; paper, its text. "
               "[reference]",
           .target = &effort_.preset,
           .limits = {.words = "reference|paper"}},
          {.flags = "--seeds",
           .value = "N",
           .sentence = "Training runs behind each number of the tables. [1]",
           .target = &effort_.seeds,
           .limits = {1, kMany}},
          {.flags = "--runs",
           .value = "N",
           .sentence = "Training runs behind each bar of Figure 3. [10]",
           .target = &effort_.runs,
           .limits = {1, kMany}},
          {.flags = "--steps",
           .value = "N",
           .sentence =
               "Steps of the paper's networks. [6,000 from 10,000 training rows on, else 3,000]",
           .target = &effort_.steps,
           .limits = {1, 1e12}},
          {"--quick", "",
           "Far fewer steps: everything in minutes, to see what the page will look like. The "
           "numbers prove nothing.",
           &effort_.quick},
          {.flags = "--jobs",
           .value = "N",
           .sentence = "Training runs side by side, which share the threads. [as many as threads]",
           .target = &jobs_,
           .limits = {0, kMany}}}}};
  }

  void run(Session& session) override {
    const Names asked = experiments();
    effort_.threads = session.threads > 0 ? static_cast<int>(session.threads) : available_cores();
    const PaperSets sets = load(asked, session.log());
    make_folder();
    const FolderLock lock(runs_folder());
    // What a killed run has left of runs that nobody may ask for again.
    remove_leftovers_in(runs_folder(),
                        [](std::string_view name) { return name.ends_with(".json"); });
    // Better to learn now than after the first run that nothing can be written here.
    const AtomicFile probe(std::filesystem::path(out_) / "results.json");
    RunBook book(runs_folder(), sets, overwrite_);
    const FindRun find = [&](const RunSpec& spec) { return book.find(spec); };
    (void)assemble(asked, sets, effort_, find);
    tell_plan(book, session.log());
    try {
      do_wanted_runs(book, {.jobs = jobs(),
                            .threads = effort_.threads,
                            .log = &session.log(),
                            .stop = session.run_settings().stop});
    } catch (const Error& e) {
      if (e.kind() != ErrorKind::interrupted) throw;
      throw Error(
          ErrorKind::interrupted,
          fmt::format("interrupted; training runs kept in '{}': {} of {}; the same command{} "
                      "goes on from there",
                      out_, book.runs(), book.runs() + remaining(book),
                      overwrite_ ? " without --overwrite" : ""));
    }
    show(assemble(asked, sets, effort_, find), book, session);
  }

 private:
  std::filesystem::path runs_folder() const { return std::filesystem::path(out_) / "runs"; }

  int jobs() const {
    return jobs_ > 0 ? static_cast<int>(std::min<std::int64_t>(jobs_, effort_.threads))
                     : effort_.threads;
  }

  Names experiments() const {
    const std::span<const std::string_view> known = experiment_names();
    if (what_ == Names{"all"}) return {known.begin(), known.end()};
    Names words(known.begin(), known.end());
    words.emplace_back("all");
    for (const std::string& name : what_) {
      if (name == "all") throw Error(ErrorKind::usage, "'all' stands alone");
      if (std::find(words.begin(), words.end(), name) == words.end()) {
        throw Error(ErrorKind::usage, unknown_word("experiment", name, words));
      }
    }
    return what_;
  }

  PaperSets load(const Names& asked, Log& log) const {
    std::set<std::string_view> needed;
    for (const std::string& name : asked) {
      for (const std::string_view set : datasets_of(name)) needed.insert(set);
    }
    for (const std::string& name : datasets_) {
      const DatasetEntry& entry = find_dataset(name);
      if (!needed.contains(entry.name)) {
        throw Error(ErrorKind::usage,
                    fmt::format("--datasets: {} has no part in {}", name, join(asked, ", ")));
      }
    }
    const std::filesystem::path folder =
        data_.empty() ? default_data_folder() : std::filesystem::path(data_);
    PaperSets sets;
    for (const DatasetEntry* entry : datasets()) {
      if (!needed.contains(entry->name)) continue;
      const std::string name(entry->name);
      const bool left_out = std::find(datasets_.begin(), datasets_.end(), name) == datasets_.end();
      if (!datasets_.empty() && left_out) continue;
      try {
        sets[name] = with_paper_split(load_dataset(*entry, folder, log));
      } catch (const Error& e) {
        if (e.kind() != ErrorKind::data) throw;
        throw Error(ErrorKind::data,
                    fmt::format("{}\n--datasets A,B goes without the others", e.what()));
      }
    }
    return sets;
  }

  void make_folder() const {
    std::error_code error;
    std::filesystem::create_directories(runs_folder(), error);
    if (error) {
      throw Error(ErrorKind::resource,
                  fmt::format("'{}' cannot be made: {}", out_, error.message()));
    }
  }

  void tell_plan(const RunBook& book, Log& log) const {
    const auto wanted = static_cast<long long>(book.wanted().size());
    if (book.runs() > 0) {
      log.note(fmt::format("training runs there already: {}", format_count(book.runs())));
    }
    if (wanted == 0) return;
    double seconds = 0;
    for (const RunSpec& spec : book.wanted()) seconds += expected_seconds(spec, book.rows_of(spec));
    log.note(fmt::format("training runs to do: {}, {} at a time, about {}", format_count(wanted),
                         jobs(), format_seconds(seconds / jobs())));
  }

  static std::int64_t remaining(RunBook& book) {
    std::int64_t left = 0;
    for (const RunSpec& spec : book.wanted()) left += book.find(spec) == nullptr ? 1 : 0;
    return left;
  }

  void show(Reproduction found, const RunBook& book, Session& session) const {
    found.runs = book.runs();
    found.compute_seconds = book.compute_seconds();
    const std::filesystem::path folder(out_);
    FilesTogether files;
    files.add(folder / "results.json", reproduction_json(found, session.command_line));
    files.add(folder / "reproduction.html", reproduction_page(found, session.command_line));
    files.commit();
    print(reproduction_text(found));
    session.log().note(fmt::format("In {0}/: reproduction.html, results.json, runs/", out_));
  }

  Names what_, datasets_;
  std::string data_, out_ = "pegnn-reproduction";
  bool overwrite_ = false;
  std::int64_t jobs_ = 0;
  Effort effort_;
};

}  // namespace

extern constinit const CommandEntry reproduce_command{
    "reproduce", []() -> std::unique_ptr<Command> { return std::make_unique<Reproduce>(); }};

}  // namespace pegnn
