#include "cli/scheme.h"

#include <fmt/core.h>

#include "cli/session.h"
#include "pegnn/error.h"
#include "table/split.h"

namespace pegnn {

ArgumentGroup SchemeArguments::group() {
  const Limits share{.lo = 0.001, .hi = 0.999};
  return {
      "Scheme",
      {{.flags = "--scheme",
        .value = "WORD",
        .sentence =
            "random: any row may be held out; block: whole spatial blocks are, which tells how "
            "the model does away from its data. [random]",
        .target = &settings_.scheme,
        .limits = {.words = "random|block"}},
       {.flags = "--folds",
        .value = "N",
        .sentence = "Parts held out in turn; 1 holds out --test-share once. [5]",
        .target = &settings_.folds,
        .limits = {.lo = 1}},
       {.flags = "--test-share",
        .value = "X",
        .sentence = "Hold out this share once, instead of folds. [0.2]",
        .target = &settings_.test_share,
        .limits = share},
       {.flags = "--block-km",
        .value = "X",
        .sentence = "Size of a block in km; for x/y of unknown CRS in their unit. [the range of "
                    "the residuals of a linear model]",
        .target = &block_km_,
        .limits = {.lo = 1e-6, .hi = 1e12}},
       {"--test-rows", "FILE", "Hold out these rows: 0-based numbers, one per line.", &test_rows_},
       {.flags = "--repeats",
        .value = "N",
        .sentence =
            "Do it all this often, each time with the next training seed: folds are drawn anew, a "
            "single split and --test-rows stay. [1]",
        .target = &settings_.repeats,
        .limits = {.lo = 1, .hi = 10000}},
       {.flags = "--split-seed",
        .value = "N",
        .sentence = "What splits and folds are drawn from. [--seed]",
        .target = &settings_.split_seed,
        .limits = {.lo = 0, .hi = 9.0e15}}}};
}

void SchemeArguments::check(const Session& session) {
  const auto refuse = [](const std::string& what) { throw Error(ErrorKind::usage, what); };
  if (!test_rows_.empty()) {
    for (const char* flag : {"--scheme", "--folds", "--test-share", "--block-km", "--split-seed"}) {
      if (session.was_given(flag)) {
        refuse(fmt::format("--test-rows says which rows are held out; leave out {}", flag));
      }
    }
  }
  if (session.was_given("--block-km") && settings_.scheme != "block") {
    refuse("--block-km goes with --scheme block");
  }
  if (!session.was_given("--test-share")) return;
  if (session.was_given("--folds") && settings_.folds > 1) {
    refuse("--test-share holds out rows once, --folds in turn; give one of them");
  }
  settings_.folds = 1;
}

EvaluateSettings SchemeArguments::settings(const Table& table, const Roles& roles,
                                           bool drop_missing) const {
  EvaluateSettings settings = settings_;
  settings.drop_missing = drop_missing;
  settings.block_size = block_km_ * units_per_km(roles);
  if (!test_rows_.empty()) settings.test_rows = read_row_numbers(test_rows_, table.rows());
  return settings;
}

}  // namespace pegnn
