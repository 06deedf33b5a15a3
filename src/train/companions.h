#pragma once
// Models of other kinds beside a network, and what all of them say of rows they did not learn from.

#include <cstdint>
#include <string>
#include <vector>

#include "base/array.h"
#include "compute/context.h"
#include "model/state.h"
#include "train/fit.h"

namespace pegnn {

// Rows held out, each as often as folds hold it out: what every model says of it that learned from
// the other rows alone.
struct OutOfFold {
  Array<std::int64_t> rows;
  Array<std::int32_t> folds;   // numbers of `far`
  Array<std::int32_t> groups;  // rows of one number, whatever their fold, go together
  Array<double> observed;
  std::vector<Array<double>> predicted;  // by the network, then by each companion
  Array<double>
      distances;  // rows x neighbours, ascending: to the nearest rows not held out with it
  std::int64_t neighbours = 0;
  std::vector<bool> far;  // of each fold: whether its rows are whole blocks
  // A row held out near is answered by one network here and by the mean of all later: the share of
  // the network's squared error that this takes away. Of rows held out far it is not known: two far
  // members share a few blocks.
  double averaged = 0;

  std::int64_t size() const { return rows.size(); }
  bool is_far(std::int64_t i) const { return far[as_size(folds[i])]; }
};

// Fewer rows held out near or far tell nothing.
inline constexpr std::int64_t kFewestHeldOut = 20;

struct Companions {
  std::vector<ModelState> states;
  OutOfFold held;
};

// Fits the models that can stand beside this network on these rows, and asks them for the rows that
// folds of the network hold out: those of the first few members, as many as the table is small, and
// of all far members. None where these are too few to tell how far they have a say. What comes of
// it does not depend on the number of threads.
Companions fit_companions(const Dataset& data, const Fit& network, const Context& context);

}  // namespace pegnn
