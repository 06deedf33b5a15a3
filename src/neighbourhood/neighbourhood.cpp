#include "neighbourhood/neighbourhood.h"

#include <fmt/core.h>

#include "backbone/backbone.h"
#include "base/text.h"
#include "pegnn/error.h"

namespace pegnn {

#define NEIGHBOURHOOD(name) extern const NeighbourhoodEntry name##_neighbourhood;
#include "neighbourhood/neighbourhoods.def"
#undef NEIGHBOURHOOD

Span<const NeighbourhoodEntry* const> neighbourhoods() {
  static constexpr const NeighbourhoodEntry* kList[] = {
#define NEIGHBOURHOOD(name) &name##_neighbourhood,
#include "neighbourhood/neighbourhoods.def"
#undef NEIGHBOURHOOD
  };
  return kList;
}

const NeighbourhoodEntry& neighbourhood_of(const Options& options) {
  const BackboneEntry& backbone = find_part(backbones(), "backbone", options.backbone);
  const std::string_view own = backbone.neighbourhood;
  return find_part(neighbourhoods(), "neighbourhood",
                   options.neighbourhood == "auto" ? own : options.neighbourhood);
}

void check_neighbourhood(const Options& options) {
  const BackboneEntry& backbone = find_part(backbones(), "backbone", options.backbone);
  const NeighbourhoodEntry& entry = neighbourhood_of(options);
  if (entry.tells != backbone.reads) {
    std::vector<std::string> fitting;
    for (const NeighbourhoodEntry* other : neighbourhoods()) {
      if (other->tells == backbone.reads) fitting.emplace_back(other->info.name);
    }
    throw Error(ErrorKind::usage,
                fmt::format("<option:neighbourhood> {}: backbone {} works with {}", entry.info.name,
                            options.backbone, join(fitting, ", ")));
  }
  if (entry.check != nullptr) entry.check(options);
}

bool links_queries(const Options& options) {
  const NeighbourhoodEntry& entry = neighbourhood_of(options);
  return entry.links_queries != nullptr && entry.links_queries(options);
}

std::shared_ptr<const Neighbourhood> make_neighbourhood(const NeighbourhoodSpec& spec) {
  return neighbourhood_of(spec.options).make(spec);
}

std::int64_t Neighbourhood::most_queries(std::int64_t) const { return kMostQueries; }

GraphSize size_of_points(std::int64_t rows, std::int64_t k) {
  return {.nodes = rows, .edges = rows * k};
}

}  // namespace pegnn
