#include "train/room.h"

#include <algorithm>

#include <fmt/core.h>

#include "base/memory.h"
#include "base/text.h"
#include "model/network.h"
#include "neighbourhood/neighbourhood.h"
#include "train/training_set.h"

namespace pegnn {
namespace {

std::int64_t batch_of(const Options& o, std::int64_t rows) {
  return o.batch == 0 ? rows : std::min(o.batch, rows);
}

}  // namespace

double training_bytes(const Options& o, std::int64_t rows, std::int64_t features) {
  const Network<float> network(o, features);
  const NeighbourhoodEntry& neighbourhood = neighbourhood_of(o);
  // A point, its target, its places in the index and in the order of batches, as measured on 10
  // million rows, and its features.
  const double per_row = 150.0 + 4.0 * static_cast<double>(features);
  const std::int64_t batch = batch_of(o, rows);
  const GraphSize size = neighbourhood.size(batch, o.k);
  // Two batches: the next one is made ready beside the step.
  const double inputs = 2 * 4.0 * static_cast<double>(size.nodes) *
                        static_cast<double>(features + network.encoder().basis_width());
  const double gradients = static_cast<double>(network.gradient_bytes()) *
                           static_cast<double>(Schedule::slabs_for(network.gradient_bytes()));
  const double basis =
      4.0 * static_cast<double>(rows) * static_cast<double>(network.encoder().basis_width());
  return per_row * static_cast<double>(rows) + neighbourhood.bytes(rows, o.k, features) + inputs +
         (basis <= static_cast<double>(kMostBasisBytes) ? basis : 0.0) + gradients +
         network.bytes_for(size.nodes, size.edges, true);
}

void require_room(const Options& o, std::int64_t rows, std::int64_t features) {
  require_memory(training_bytes(o, rows, features),
                 fmt::format("training on {} rows in batches of {}", format_count(rows),
                             format_count(batch_of(o, rows))),
                 "a smaller <option:batch>, <option:width> or <option:k>, or fewer rows take less");
}

}  // namespace pegnn
