// The verbs of the paper in a command that is built without it.

#include <string>

#include <gtest/gtest.h>

#include "cli/command.h"
#include "pegnn/error.h"

namespace pegnn {

extern const CommandEntry reproduce_command, datasets_command;

namespace {

TEST(WithoutPaper, BothVerbsSaySoBeforeAnyWordIsRead) {
  for (const CommandEntry* entry : {&reproduce_command, &datasets_command}) {
    try {
      entry->make()->arguments();
      ADD_FAILURE() << entry->name << " was not refused";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::usage);
      EXPECT_NE(std::string(error.what()).find("-DPEGNN_PAPER=ON"), std::string::npos);
    }
  }
}

TEST(WithoutPaper, TheListOfCommandsSaysThatTheyAreMissing) {
  EXPECT_EQ(reproduce_command.name, "reproduce");
  EXPECT_EQ(datasets_command.name, "datasets");
  EXPECT_TRUE(reproduce_command.make()->summary().starts_with("Not in this build"));
}

}  // namespace
}  // namespace pegnn
