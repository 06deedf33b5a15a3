#include "paper/runner.h"

#include <atomic>
#include <filesystem>
#include <mutex>

#include <gtest/gtest.h>

#include "pegnn/error.h"
#include "pegnn/log.h"
#include "support/options.h"
#include "support/paper.h"

namespace pegnn {
namespace {

class KeepingLog final : public Log {
 public:
  void note(std::string_view text) override {
    notes.emplace_back(text);
    ++told;
  }
  void warn(std::string_view text) override { warnings.emplace_back(text); }
  void detail(std::string_view) override {}
  std::vector<std::string> notes, warnings;
  std::atomic<int> told{0};
};

class Runner : public testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove_all(folder_); }

  static RunSpec spec_of(const std::string& model, std::int64_t seed = 0) {
    RunSpec spec{.name = model,
                 .dataset = "air-temperature",
                 .task = Task::regression,
                 .options = test::small_model(model),
                 .keeps_predictions = false,
                 .timed_threads = 0};
    spec.options.seed = seed;
    return spec;
  }
  std::vector<RunSpec> several() const {
    std::vector<RunSpec> specs;
    for (std::int64_t seed = 0; seed < 3; ++seed) {
      for (const char* model : {"pe-gcn", "pe-sage", "kriging"}) {
        specs.push_back(spec_of(model, seed));
      }
    }
    return specs;
  }
  std::vector<double> errors(const std::vector<RunSpec>& specs, RunBook& book) const {
    std::vector<double> all;
    for (const RunSpec& spec : specs) {
      const RunResult* result = book.find(spec);
      all.push_back(result == nullptr ? -1 : result->errors.mse);
    }
    return all;
  }

  const std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() /
      ("runner_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
  const PaperSets sets_ = test::small_sets();
};

TEST_F(Runner, ARunAskedForTwiceIsWantedOnce) {
  RunBook book(folder_, sets_);
  EXPECT_EQ(nullptr, book.find(spec_of("knn")));
  EXPECT_EQ(nullptr, book.find(spec_of("knn")));
  EXPECT_EQ(nullptr, book.find(spec_of("idw")));
  ASSERT_EQ(2U, book.wanted().size());
  EXPECT_EQ("idw", book.wanted()[1].name);
}

TEST_F(Runner, JobsSideBySideGiveTheSameNumbers) {
  const std::vector<RunSpec> specs = several();
  std::vector<double> first;
  for (const int jobs : {1, 2, 3}) {
    RunBook book(folder_ / std::to_string(jobs), sets_);
    for (const RunSpec& spec : specs) book.find(spec);
    do_wanted_runs(book, {.jobs = jobs, .threads = 3, .log = nullptr, .stop = {}});
    if (first.empty()) first = errors(specs, book);
    EXPECT_EQ(first, errors(specs, book)) << jobs;
    EXPECT_EQ(9, book.runs());
  }
}

TEST_F(Runner, WhatWasTrainedIsNotTrainedAgain) {
  const std::vector<RunSpec> specs = several();
  RunBook book(folder_, sets_);
  for (const RunSpec& spec : specs) book.find(spec);
  do_wanted_runs(book, {});
  RunBook later(folder_, sets_);
  EXPECT_EQ(errors(specs, book), errors(specs, later));
  EXPECT_TRUE(later.wanted().empty());
}

TEST_F(Runner, TrainedAnewARunReplacesItsFileAndNoOther) {
  RunBook book(folder_, sets_);
  for (const RunSpec& spec : several()) book.find(spec);
  do_wanted_runs(book, {});
  const RunSpec one = spec_of("kriging");
  RunResult wrong;
  wrong.errors = {7, 7};
  book.add(one, wrong);
  EXPECT_EQ(7, RunBook(folder_, sets_).find(one)->errors.mse);

  RunBook anew(folder_, sets_, true);
  EXPECT_EQ(nullptr, anew.find(one));
  EXPECT_EQ(nullptr, anew.find(one));
  ASSERT_EQ(1U, anew.wanted().size());
  do_wanted_runs(anew, {});
  RunBook later(folder_, sets_);
  EXPECT_LT(later.find(one)->errors.mse, 1);
  for (const RunSpec& spec : several()) EXPECT_NE(nullptr, later.find(spec));
}

TEST_F(Runner, AnInterruptedOneGoesOnToTheSameNumbers) {
  const std::vector<RunSpec> specs = several();
  RunBook whole(folder_ / "whole", sets_);
  for (const RunSpec& spec : specs) whole.find(spec);
  do_wanted_runs(whole, {.jobs = 2, .threads = 2, .log = nullptr, .stop = {}});

  RunBook cut(folder_ / "cut", sets_);
  for (const RunSpec& spec : specs) cut.find(spec);
  // After three of them, in the middle of the steps of others.
  KeepingLog log;
  try {
    do_wanted_runs(cut,
                   {.jobs = 2, .threads = 2, .log = &log, .stop = [&] { return log.told >= 3; }});
    FAIL() << "it was not interrupted";
  } catch (const Error& e) {
    EXPECT_EQ(ErrorKind::interrupted, e.kind());
  }
  EXPECT_LT(cut.runs(), 9);
  EXPECT_GT(cut.runs(), 0);

  RunBook resumed(folder_ / "cut", sets_);
  for (const RunSpec& spec : specs) resumed.find(spec);
  EXPECT_EQ(9 - cut.runs(), static_cast<std::int64_t>(resumed.wanted().size()));
  do_wanted_runs(resumed, {});
  EXPECT_EQ(errors(specs, whole), errors(specs, resumed));
}

TEST_F(Runner, ARunThatFailsIsToldAndTriedAgainNextTime) {
  RunSpec broken = spec_of("pe-gcn");
  broken.options.learning_rate = 100;
  broken.options.loss = "no such loss";
  RunBook book(folder_, sets_);
  book.find(broken);
  book.find(spec_of("knn"));
  KeepingLog log;
  do_wanted_runs(book, {.jobs = 2, .threads = 2, .log = &log, .stop = {}});
  const RunResult* result = book.find(broken);
  ASSERT_NE(nullptr, result);
  EXPECT_NE(std::string::npos, result->reason.find("no such loss"));
  ASSERT_EQ(1U, log.warnings.size());
  EXPECT_NE(std::string::npos, log.warnings[0].find("pe-gcn"));
  RunBook later(folder_, sets_);
  EXPECT_EQ(nullptr, later.find(broken));
  EXPECT_NE(nullptr, later.find(spec_of("knn")));
}

TEST_F(Runner, EveryRunIsToldWithWhatItGave) {
  RunBook book(folder_, sets_);
  for (const RunSpec& spec : several()) book.find(spec);
  KeepingLog log;
  do_wanted_runs(book, {.jobs = 1, .threads = 1, .log = &log, .stop = {}});
  ASSERT_EQ(9U, log.notes.size());
  EXPECT_NE(std::string::npos, log.notes[0].find("[1/9]"));
  EXPECT_NE(std::string::npos, log.notes[0].find(" left"));
  EXPECT_NE(std::string::npos, log.notes[8].find("[9/9]"));
  EXPECT_EQ(std::string::npos, log.notes[8].find(" left"));
}

TEST_F(Runner, TimedRunsComeLast) {
  RunBook book(folder_, sets_);
  RunSpec timed = spec_of("pe-gcn");
  timed.timed_threads = 1;
  book.find(timed);
  book.find(spec_of("knn"));
  KeepingLog log;
  do_wanted_runs(book, {.jobs = 2, .threads = 2, .log = &log, .stop = {}});
  ASSERT_EQ(2U, log.notes.size());
  EXPECT_NE(std::string::npos, log.notes[1].find("ms a step"));
}

}  // namespace
}  // namespace pegnn
