// A training run takes its memory before the first step.

#include "support/allocations.h"

#ifdef PEGNN_COUNTS_ALLOCATIONS

#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "backbone/backbone.h"
#include "pegnn/log.h"
#include "support/tables.h"
#include "train/setting.h"
#include "train/trainer.h"

namespace pegnn {
namespace {

TEST(Trainer, AStepAsksForNoMemory) {
  const Roles roles = test::smooth_roles();
  const Dataset data = make_dataset(test::smooth_table(600), roles, Space::sphere,
                                    MissingRows::refuse, silent_log());
  std::vector<std::int64_t> rows(600);
  std::iota(rows.begin(), rows.end(), 0);
  for (const BackboneEntry* backbone : backbones()) {
    for (const char* encoder : {"grid", "none"}) {
      for (const int threads : {1, 2}) {
        SCOPED_TRACE(std::string(backbone->info.name) + ", encoder " + encoder + ", " +
                     std::to_string(threads) + " threads");
        const Context context(RunSettings{.threads = threads});
        Options o;
        o.backbone = backbone->info.name;
        o.encoder = encoder;
        o.batch = 128;
        const Setting s = make_setting(data, rows, o, nullptr, context);
        Trainer trainer(data, s.scaler, s.options, rows, {}, s.labels, context.backend);
        // An epoch has four batches: the last ones counted come from another shuffle.
        for (std::int64_t step = 0; step < 6; ++step) trainer.step(step);
        const long before = test::allocations;
        for (std::int64_t step = 6; step < 13; ++step) trainer.step(step);
        const long after = test::allocations;
        EXPECT_EQ(before, after);
      }
    }
  }
}

}  // namespace
}  // namespace pegnn

#endif
