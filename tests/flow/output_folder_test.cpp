#include "flow/output_folder.h"

#include <limits>

#include <gtest/gtest.h>

#include "base/atomic_file.h"
#include "support/gdal.h"
#include "support/refused.h"

namespace pegnn {
namespace {

namespace fs = std::filesystem;

TEST(OutputFolder, IsMadeAndTakenAwayAgainWhenNothingCame) {
  const test::Folder folder;
  {
    const OutputFolder out(folder / "a/b", false, false);
    EXPECT_TRUE(fs::is_directory(folder / "a/b"));
    EXPECT_EQ(folder / "a/b/model.safetensors", out.model());
    EXPECT_FALSE(out.resumes());
  }
  EXPECT_EQ(0, folder.entries());
}

TEST(OutputFolder, TwoRunsDoNotShareOne) {
  const test::Folder folder;
  const OutputFolder first(folder / "model", false, false);
  const std::string refused =
      test::refusal([&] { OutputFolder(folder / "model", false, false); }, ErrorKind::resource);
  EXPECT_TRUE(refused.starts_with("another run is writing into ")) << refused;
}

TEST(OutputFolder, AModelThatIsThereStaysUnlessItIsToBeReplaced) {
  const test::Folder folder;
  fs::create_directory(folder / "model");
  write_file(folder / "model/model.safetensors", "old");
  const auto refused = [&](bool resume) {
    return test::refusal([&] { OutputFolder(folder / "model", false, resume); });
  };
  EXPECT_TRUE(refused(false).ends_with("exists; --overwrite replaces it, -o takes another folder"));
  EXPECT_TRUE(refused(true).ends_with("there is nothing to resume; --overwrite starts anew"));
  { const OutputFolder out(folder / "model", true, false); }
  EXPECT_EQ("old", read_file(folder / "model/model.safetensors"));
}

TEST(OutputFolder, ASnapshotIsResumedOnlyWhenAsked) {
  const test::Folder folder;
  fs::create_directory(folder / "model");
  write_file(folder / "model/snapshot.safetensors", "half");
  const std::string refused = test::refusal([&] { OutputFolder(folder / "model", false, false); });
  EXPECT_TRUE(
      refused.ends_with("holds an interrupted run; --resume continues it, --overwrite "
                        "starts anew"))
      << refused;
  OutputFolder out(folder / "model", false, true);
  EXPECT_TRUE(out.resumes());
  out.finish();
  EXPECT_FALSE(fs::exists(out.snapshot()));
}

TEST(OutputFolder, FilesBeyondARunsOwnStandInTheWayToo) {
  const test::Folder folder;
  fs::create_directory(folder / "demo");
  write_file(folder / "demo/places.csv", "mine");
  { const OutputFolder out(folder / "demo", false, false); }
  test::refusal([&] { OutputFolder(folder / "demo", false, false, {"places.csv"}); });
}

TEST(OutputFolder, MeasurementsAreLoggedAsTheyCome) {
  const test::Folder folder;
  OutputFolder out(folder / "model", false, false);
  RunSettings run;
  std::int64_t shown = 0;
  run.progress = [&](const TrainProgress&) { ++shown; };
  out.log_progress(run);
  run.progress({.step = 1});
  run.progress({.step = 2, .loss = 0.5, .measured = true});
  EXPECT_EQ(2, shown);
  EXPECT_TRUE(read_file(out.metrics()).starts_with("{\"step\": 2, \"loss\": 0.5"));
}

TEST(OutputFolder, TheLogOfARunThatFailedGoesAndTheOldOneComesBack) {
  const test::Folder folder;
  fs::create_directory(folder / "model");
  write_file(folder / "model/metrics.jsonl", "{\"step\": 7}\n");
  {
    OutputFolder out(folder / "model", false, false);
    RunSettings run;
    out.log_progress(run);
    run.progress({.step = 1, .measured = true});
    EXPECT_TRUE(read_file(out.metrics()).starts_with("{\"step\": 1"));
  }
  EXPECT_EQ("{\"step\": 7}\n", read_file(folder / "model/metrics.jsonl"));
}

TEST(MetricsLine, LeavesOutWhatWasNotMeasured) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  const TrainProgress p{
      .step = 30, .loss = 0.25, .main = 0.25, .auxiliary = kNan, .validation = 2, .seconds = 1.5};
  EXPECT_EQ("{\"step\": 30, \"loss\": 0.25, \"main\": 0.25, \"validation\": 2, \"seconds\": 1.5}\n",
            metrics_line(p));
  EXPECT_EQ(metrics_line(p) + metrics_line(p), metrics_lines({p, p}));
}

TEST(MetricsLine, SaysWhichOfSeveralNetworksItIsOf) {
  EXPECT_TRUE(metrics_line({.step = 30, .part = "member 2 of 6"})
                  .starts_with("{\"step\": 30, \"part\": \"member 2 of 6\", \"loss\": 0"));
}

}  // namespace
}  // namespace pegnn
