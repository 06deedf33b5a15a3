#include "cli/scheme.h"

#include "cli/session.h"

namespace pegnn {

ArgumentGroup SchemeArguments::group() {
  const Limits share{.lo = 0.001, .hi = 0.999}, length{.lo = 1e-6, .hi = 1e12};
  return {
      "Scheme",
      {{.flags = "--scheme",
        .value = "WORD",
        .sentence =
            "random: any row may be held out; block: whole spatial blocks are, which tells how "
            "the model does away from its data; knndm: rows as far from the others as --places "
            "are. [random]",
        .target = &request.settings.scheme,
        .limits = {.words = "random|block|knndm"}},
       {.flags = "--folds",
        .value = "N",
        .sentence = "Parts held out in turn; 1 holds out --test-share once. [5]",
        .target = &request.settings.folds,
        .limits = {.lo = 1}},
       {.flags = "--test-share",
        .value = "X",
        .sentence = "Hold out this share once, instead of folds. [0.2]",
        .target = &request.settings.test_share,
        .limits = share},
       {.flags = "--block-km",
        .value = "X",
        .sentence = "Size of a block in km. [the range of the residuals of a linear model]",
        .target = &request.block.km,
        .limits = length},
       {.flags = "--block-size",
        .value = "X",
        .sentence = "Size of a block in the unit of x and y.",
        .target = &request.block.size,
        .limits = length},
       {.flags = "--buffer-km",
        .value = "X",
        .sentence = "Leave out training rows nearer than this to a row held out. [none]",
        .target = &request.buffer.km,
        .limits = length},
       {.flags = "--buffer-size",
        .value = "X",
        .sentence = "The same in the unit of x and y.",
        .target = &request.buffer.size,
        .limits = length},
       {"--fold-column", "COL",
        "Rows with one value in this column are held out together: a fold for each value, or "
        "--folds N of them. No feature.",
        &request.settings.fold_column},
       {"--places", "FILE",
        "For --scheme knndm: a table of the places to predict. [a regular grid over the extent of "
        "the rows]",
        &request.places},
       {"--test-rows", "FILE", "Hold out these rows: 0-based numbers, one per line.",
        &request.test_rows},
       {.flags = "--repeats",
        .value = "N",
        .sentence =
            "Do it all this often, each time with the next training seed: folds and blocks are "
            "drawn anew, one random split and --test-rows stay. [1]",
        .target = &request.settings.repeats,
        .limits = {.lo = 1, .hi = 10000}},
       {.flags = "--split-seed",
        .value = "N",
        .sentence = "What splits and folds are drawn from. [--seed]",
        .target = &request.settings.split_seed,
        .limits = {.lo = 0, .hi = 9.0e15}}}};
}

void SchemeArguments::check(const Session& session) {
  settle_scheme(request,
                [&](std::string_view name) { return session.was_given("--" + std::string(name)); });
}

}  // namespace pegnn
