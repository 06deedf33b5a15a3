#pragma once
// The arguments by which a user names columns, shared by several commands.

#include <string>

#include "cli/command.h"
#include "pegnn/table.h"

namespace pegnn {

struct ColumnArguments {
  ColumnChoice choice;
  bool drop_missing = false;

  // `otherwise` is where the coordinates come from when they are not named.
  ArgumentGroup coordinates(const std::string& otherwise, const std::string& drop_na) {
    const std::string rest = " [" + otherwise + "]";
    return {"Columns",
            {{"--lon", "COL", "Longitude in degrees." + rest, &choice.lon},
             {"--lat", "COL", "Latitude in degrees." + rest, &choice.lat},
             {"--x", "COL", "Projected x, in place of --lon and --lat." + rest, &choice.x},
             {"--y", "COL", "Projected y, in the unit of x." + rest, &choice.y},
             {"--drop-na", "", drop_na, &drop_missing}}};
  }
  ArgumentGroup coordinates() {
    return coordinates("guessed from the name",
                       "Leave out rows with missing values instead of refusing them.");
  }
  ArgumentGroup with_target() {
    ArgumentGroup group = coordinates();
    group.arguments.insert(
        group.arguments.begin(),
        {{.flags = "--target",
          .value = "COL",
          .sentence = "The quantity to learn.",
          .target = &choice.target,
          .required = true},
         {"--features", "A,B,...", "Columns to learn from. [all other numeric columns]",
          &choice.features},
         {"--no-features", "", "Learn from the coordinates alone (interpolation).",
          &choice.no_features},
         {"--weight", "COL",
          "How much each row counts in training; rows of weight 0 are left out. [all alike]",
          &choice.weight}});
    return group;
  }
};

}  // namespace pegnn
