// The nearest training points with their features and labels, how they lie, and what kriging makes
// of them. In training a step sees a part of them, or points from farther away (label_lists.h):
// shuffled neighbourhoods, as the paper has, with labels.

#include <algorithm>
#include <numeric>

#include "base/lazy.h"
#include "neighbourhood/label_lists.h"
#include "neighbourhood/label_model.h"
#include "neighbourhood/neighbourhood.h"

namespace pegnn {
namespace {

// The training points as a field, and who is near to whom in it.
struct LabelCommon final : Neighbourhood::Common {
  std::shared_ptr<const LabelField> field;
  std::shared_ptr<const LabelLists::Near> near;
};

std::shared_ptr<const LabelField> make_field(const TrainingPoints& training, Space space,
                                             const Options& options,
                                             const Backend<float>& backend) {
  return std::make_shared<const LabelField>(
      training, space, options.k, options.part.word("smoother") != "none", options.taper, backend);
}

class LabelledNeighbourhood final : public Neighbourhood {
 public:
  explicit LabelledNeighbourhood(const NeighbourhoodSpec& spec)
      : training_(spec.training),
        space_(spec.space),
        options_(spec.options),
        common_(std::static_pointer_cast<const LabelCommon>(spec.common)) {}

  std::unique_ptr<Scratch> scratch() const override { return std::make_unique<Own>(); }

  void of_step(Span<const std::int32_t> rows, std::int64_t step, const Backend<float>& backend,
               Scratch& scratch, NeighbourhoodView& out) const override {
    Own& own = static_cast<Own&>(scratch);
    gather(training_.points, rows, own.places);
    lists(backend).link(rows, own.places, step, backend, own.list, out);
    out.query_rows.assign(rows.begin(), rows.end());
  }

  void of_own(Span<const std::int32_t> rows, const Backend<float>& backend, Scratch& scratch,
              NeighbourhoodView& out) const override {
    Own& own = static_cast<Own&>(scratch);
    gather(training_.points, rows, own.places);
    gather_features(training_, rows, own.features);
    const Mat<const float> features(own.features.data(), rows.size(), training_.features.cols);
    see_all(own.places, features, rows, backend, own, out);
  }

  void of_queries(Span<const Point> places, Mat<const float> features,
                  const Backend<float>& backend, Scratch& scratch,
                  NeighbourhoodView& out) const override {
    see_all(places, features, {}, backend, static_cast<Own&>(scratch), out);
  }

  // Points share nothing, so threads need not wait for each other, and what a network works in
  // stays in a thread's own cache. One member took 2.20, 2.14, 2.12 and 2.14 microseconds with 256,
  // 512, 1,024 and 2,048 at a time, and 2.37 with 4,096 and all threads.
  std::int64_t queries_of_a_thread() const override { return 1024; }
  void make_ready(const Backend<float>& backend) const override { field(backend); }

  Span<const std::int32_t> rows_learned_from() const override {
    if (common_ != nullptr) return common_->near->rows;
    return learned_from_.get([&] {
      return LabelLists::rows_of(training_.points.size(),
                                 static_cast<std::uint64_t>(options_.seed));
    });
  }
  bool changes_by_step() const override { return true; }

 private:
  struct Own final : Scratch {
    LabelNeighbourhoods around;
    LabelLists::Scratch list;
    Array<std::int32_t> all_ranks, in_order;
    Array<Point> places;
    Array<float> features;
  };

  const std::shared_ptr<const LabelField>& field(const Backend<float>& backend) const {
    if (common_ != nullptr) return common_->field;
    return field_.get([&] { return make_field(training_, space_, options_, backend); });
  }
  const LabelLists& lists(const Backend<float>& backend) const {
    return lists_.get([&] {
      const auto seed = static_cast<std::uint64_t>(options_.seed);
      return LabelLists(field(backend),
                        common_ != nullptr
                            ? common_->near
                            : LabelLists::find_near(*field(backend), seed, backend.pool),
                        options_, backend.pool);
    });
  }

  // All neighbours that there are, of places that are training rows where `rows` is given.
  void see_all(Span<const Point> places, Mat<const float> features, Span<const std::int32_t> rows,
               const Backend<float>& backend, Own& own, NeighbourhoodView& out) const {
    const LabelField& all = *field(backend);
    all.find_neighbours(all.all(), places, features, rows, backend.pool, own.around);
    own.all_ranks.resize(own.around.found.k);
    std::iota(own.all_ranks.begin(), own.all_ranks.end(), 0);
    own.in_order.resize(places.size());
    std::iota(own.in_order.begin(), own.in_order.end(), 0);
    all.link(places, own.around, own.in_order, own.all_ranks, backend, out);
  }

  TrainingPoints training_;
  Space space_;
  Options options_;
  std::shared_ptr<const LabelCommon> common_;  // may be null
  Lazy<std::shared_ptr<const LabelField>> field_;
  Lazy<Array<std::int32_t>> learned_from_;
  Lazy<LabelLists> lists_;
};

}  // namespace

extern constinit const NeighbourhoodEntry labelled_neighbourhood{
    .info = {.name = "labelled",
             .summary = "The k nearest training points with features and labels, how they lie, and "
                        "what kriging makes of them.",
             .source = "docs/decisions/0018"},
    .tells = {.node = kSmootherColumns, .edge = kOffsetColumns},
    .reads_labels = true,
    .uses_held_back = true,
    .tells_gaps = true,
    .fit = fit_label_model,
    .size = size_of_points,
    .bytes =
        [](std::int64_t rows, std::int64_t k, std::int64_t features) {
          // A row's place and residual, and its features as a source; and neighbours with their
          // two weights, twelve bytes for each of at most six lists, and how those of one list lie.
          const std::int64_t listed = std::min(rows, LabelLists::kMostRows);
          return (60.0 + 16.0 * static_cast<double>(features)) * static_cast<double>(rows) +
                 (72.0 + 4.0 * kEdgeInputs) * static_cast<double>(k) * static_cast<double>(listed);
        },
    .find_common = [](const NeighbourhoodSpec& spec, const Backend<float>& backend)
        -> std::shared_ptr<const Neighbourhood::Common> {
      auto common = std::make_shared<LabelCommon>();
      common->field = make_field(spec.training, spec.space, spec.options, backend);
      common->near = LabelLists::find_near(
          *common->field, static_cast<std::uint64_t>(spec.options.seed), backend.pool);
      return common;
    },
    .make = [](const NeighbourhoodSpec& spec) -> std::unique_ptr<Neighbourhood> {
      return std::make_unique<LabelledNeighbourhood>(spec);
    }};

}  // namespace pegnn
