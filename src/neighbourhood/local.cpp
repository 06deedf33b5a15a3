// Copies of the nearest training points, on a complete graph of their own for every point; copies
// carry their labels (Appleby, Liu and Liu, AAAI 2020).

#include <algorithm>

#include "base/lazy.h"
#include "graph/local.h"
#include "neighbourhood/neighbourhood.h"

namespace pegnn {
namespace {

class Local final : public Neighbourhood {
 public:
  explicit Local(const NeighbourhoodSpec& spec)
      : training_(spec.training), space_(spec.space), k_(spec.options.k) {}

  std::unique_ptr<Scratch> scratch() const override { return std::make_unique<Own>(); }

  void of_step(Span<const std::int32_t> rows, std::int64_t, const Backend<float>& backend,
               Scratch& scratch, NeighbourhoodView& out) const override {
    of_own(rows, backend, scratch, out);
    out.query_rows.assign(rows.begin(), rows.end());
    add_reverse(out.graph);
  }

  void of_own(Span<const std::int32_t> rows, const Backend<float>& backend, Scratch& scratch,
              NeighbourhoodView& out) const override {
    attacher(backend.pool).attach_own(rows, backend.pool, static_cast<Own&>(scratch).attach, out);
    tell_labels(backend, out);
  }

  void of_queries(Span<const Point> places, Mat<const float>, const Backend<float>& backend,
                  Scratch& scratch, NeighbourhoodView& out) const override {
    attacher(backend.pool).attach(places, backend.pool, static_cast<Own&>(scratch).attach, out);
    tell_labels(backend, out);
  }

  // Local graphs grow with the square of k.
  std::int64_t most_queries(std::int64_t) const override {
    constexpr std::int64_t kMostEdges = kMostQueries * 30;
    return std::clamp<std::int64_t>(kMostEdges / (k_ * (k_ + 1)), 1, kMostQueries);
  }

 private:
  struct Own final : Scratch {
    AttachScratch attach;
  };

  const LocalAttacher& attacher(const ThreadPool& pool) const {
    return attacher_.get([&] { return LocalAttacher(training_.points, space_, k_, pool); });
  }

  void tell_labels(const Backend<float>& backend, NeighbourhoodView& out) const {
    out.node_width = std::ssize(kLabelColumns);
    backend.grow(out.node_numbers, out.inputs() * out.node_width);
    const Mat<float> told(out.node_numbers.data(), out.inputs(), out.node_width);
    const std::int64_t copies = out.train_rows.size();
    const std::int64_t label = column_number(kLabelColumns, "label");
    const std::int64_t is_query = column_number(kLabelColumns, "is_query");
    for (std::int64_t i = 0; i < told.rows; ++i) {
      const bool query = i >= copies;
      told(i, label) = query ? 0.0F : training_.labels[out.train_rows[i]];
      told(i, is_query) = query ? 1.0F : 0.0F;
    }
  }

  TrainingPoints training_;
  Space space_;
  std::int64_t k_;
  Lazy<LocalAttacher> attacher_;
};

}  // namespace

extern constinit const NeighbourhoodEntry local_neighbourhood{
    .info = {.name = "local",
             .summary = "A graph of its own for every point, with copies of its k nearest training "
                        "points that carry their labels.",
             .source = "Appleby, Liu and Liu, AAAI 2020"},
    .tells = {.node = kLabelColumns},
    .reads_labels = true,
    .size = [](std::int64_t rows, std::int64_t k) { return size_of_points(rows * (k + 1), k); },
    .bytes = [](std::int64_t rows, std::int64_t k,
                std::int64_t) { return 12.0 * static_cast<double>(k) * static_cast<double>(rows); },
    .make = [](const NeighbourhoodSpec& spec) -> std::unique_ptr<Neighbourhood> {
      return std::make_unique<Local>(spec);
    }};

}  // namespace pegnn
