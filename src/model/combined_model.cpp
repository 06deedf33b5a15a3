// A model made of models, ready to answer, and what is known of such as a kind of model.
//
//   w_m(x) = (1 - w(x)) near_m + w(x) far_m                   weight of part m at x (combination.h)
//   mean   = sum_m w_m mean_m
//   sd^2   = sum_m w_m (sd_m^2 + (mean_m - mean)^2)           of the mixture, if all parts have one

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/core.h>

#include "base/array.h"
#include "base/text.h"
#include "geo/nearest.h"
#include "model/fitted.h"
#include "model/kinds.h"
#include "model/part_tensors.h"
#include "pegnn/error.h"

namespace pegnn {
namespace {

constexpr std::int64_t kNone = -1;

// The number of the deviation among the columns of a model.
std::int64_t deviation_of(const std::vector<OutputColumn>& columns) {
  for (std::int64_t c = 0; c < std::ssize(columns); ++c) {
    if (columns[as_size(c)].kind == OutputKind::deviation) return c;
  }
  return kNone;
}

// Where the features of a part stand among those of the whole.
Array<std::int64_t> places_of(const Roles& part, const Roles& whole) {
  Array<std::int64_t> places;
  for (const std::string& name : part.features) {
    places.push_back(std::ranges::find(whole.features, name) - whole.features.begin());
  }
  return places;
}

class CombinedModel final : public FittedModel {
 public:
  CombinedModel(const ModelState& s, const ThreadPool& pool)
      : FittedModel(s), by_place_(s.combination.near != s.combination.far) {
    for (const ModelState& part : s.parts) {
      parts_.push_back(kind_of(part).make(part, shared_rows(s), pool));
      features_.push_back(places_of(part.roles, s.roles));
    }
    if (by_place_) index_.build(s.points, s.space, pool);
  }

  std::unique_ptr<FittedModel::Scratch> scratch(const Context& context) const override {
    auto own = std::make_unique<Scratch>(context);
    for (const auto& part : parts_) own->parts.push_back(part->scratch(context));
    return own;
  }

  // What the part with the largest stretches likes best; the others are asked for less at a time.
  std::int64_t rows_at_a_time(std::int64_t rows) const override {
    std::int64_t most = 1;
    for (const auto& part : parts_) most = std::max(most, part->rows_at_a_time(rows));
    return most;
  }

  void answer(const Queries& queries, FittedModel::Scratch& given, Mat<double> out) const override {
    auto& own = static_cast<Scratch&>(given);
    const bool deviation = out.rows > 1;
    weigh(queries, own);
    own.means.resize(std::ssize(parts_) * queries.rows());
    own.deviations.resize(deviation ? own.means.size() : 0);
    for (std::int64_t m = 0; m < std::ssize(parts_); ++m) ask_part(m, queries, deviation, own);
    pool(queries.rows(), own, out);
  }

  std::string summary() const override {
    const auto told = [](Span<const double> weights) {
      std::vector<std::string> words;
      for (const double w : weights) words.push_back(format_short(w, 3));
      return join(words, ", ");
    };
    const Combination& c = state().combination;
    if (!by_place_) return fmt::format("weights of the parts {}", told(c.near));
    return fmt::format("weights of the parts near {}, far {}", told(c.near), told(c.far));
  }

  Span<const std::unique_ptr<const FittedModel>> parts() const override { return parts_; }

 private:
  struct Scratch final : FittedModel::Scratch {
    explicit Scratch(const Context& given) : context(given) {}

    const Context& context;
    std::vector<std::unique_ptr<FittedModel::Scratch>> parts;
    Neighbours found;
    Array<double> shares;  // w of each query; empty where weights are the same everywhere
    Array<double> means, deviations;  // parts x queries
    Array<double> features, answers;  // of a part
  };

  void weigh(const Queries& queries, Scratch& own) const {
    constexpr std::int64_t kChunk = 16384, kBlock = 512;
    if (!by_place_) return;
    const Remoteness& remoteness = state().combination.remoteness;
    own.shares.resize(queries.rows());
    for (std::int64_t first = 0; first < queries.rows(); first += kChunk) {
      const std::int64_t count = std::min(kChunk, queries.rows() - first);
      index_.search(queries.points.subspan(first, count), Remoteness::kNeighbours, false,
                    own.context.pool, own.found);
      const std::int64_t k = own.found.k;
      own.context.pool.for_blocks(count, kBlock, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) {
          own.shares[first + i] = remoteness.share({own.found.distances.data() + i * k, k});
        }
      });
    }
  }

  double weight(std::int64_t part, std::int64_t row, const Scratch& own) const {
    const Combination& c = state().combination;
    if (!by_place_) return c.near[part];
    const double w = own.shares[row];
    return (1 - w) * c.near[part] + w * c.far[part];
  }

  Mat<const double> features_of(std::int64_t part, Mat<const double> all, Scratch& own) const {
    const Array<std::int64_t>& places = Span(features_)[part];
    own.features.resize(all.rows * places.size());
    const Mat<double> some(own.features.data(), all.rows, places.size());
    for (std::int64_t i = 0; i < all.rows; ++i) {
      for (std::int64_t f = 0; f < some.cols; ++f) some(i, f) = all(i, places[f]);
    }
    return some;
  }

  // In stretches that the part likes; asks in between whether to stop.
  void ask_part(std::int64_t m, const Queries& all, bool deviation, Scratch& own) const {
    const FittedModel& part = *Span(parts_)[m];
    FittedModel::Scratch& scratch = *Span(own.parts)[m];
    const std::int64_t rows = all.rows(), step = part.rows_at_a_time(rows);
    const std::int64_t sd = deviation ? deviation_of(part.columns()) : 0;
    for (std::int64_t first = 0; first < rows; first += step) {
      const Queries some = all.part(first, std::min(step, rows - first));
      own.answers.resize((sd + 1) * some.rows());
      const Mat<double> answers(own.answers.data(), sd + 1, some.rows());
      part.answer({some.points, features_of(m, some.features, own)}, scratch, answers);
      std::copy_n(answers.row(0), answers.cols, own.means.data() + m * rows + first);
      if (deviation) {
        std::copy_n(answers.row(sd), answers.cols, own.deviations.data() + m * rows + first);
      }
      if (own.context.run.stopped()) {
        throw Error(ErrorKind::interrupted, "stopped before the last row");
      }
    }
    own.out_of_reach = std::max(own.out_of_reach, scratch.out_of_reach);
  }

  void pool(std::int64_t rows, const Scratch& own, Mat<double> out) const {
    const auto parts = std::ssize(parts_);
    const Mat<const double> means(own.means.data(), parts, rows);
    const Mat<const double> deviations(own.deviations.data(), parts, rows);
    for (std::int64_t i = 0; i < rows; ++i) {
      double mean = 0, variance = 0;
      for (std::int64_t m = 0; m < parts; ++m) mean += weight(m, i, own) * means(m, i);
      out(0, i) = mean;
      if (out.rows == 1) continue;
      for (std::int64_t m = 0; m < parts; ++m) {
        const double off = means(m, i) - mean, sd = deviations(m, i);
        variance += weight(m, i, own) * (sd * sd + off * off);
      }
      out(1, i) = std::sqrt(variance);
    }
  }

  bool by_place_;  // weights differ from place to place
  std::vector<std::unique_ptr<const FittedModel>> parts_;
  std::vector<Array<std::int64_t>> features_;  // of each part, among those of the whole
  NearestIndex index_;                         // of the training points
};

class CombinedKind final : public ModelKind {
 public:
  CombinedKind() : ModelKind({.name = "combined", .attaches = true}) {}

  std::vector<OutputColumn> columns(const ModelState& s) const override {
    std::vector<OutputColumn> columns{{.kind = OutputKind::mean}};
    const bool all = std::ranges::all_of(s.parts, [](const ModelState& part) {
      return deviation_of(kind_of(part).columns(part)) != kNone;
    });
    if (all) columns.push_back({.kind = OutputKind::deviation});
    return columns;
  }

  bool needs_all_rows(const ModelState& s) const override {
    return std::ranges::any_of(
        s.parts, [](const ModelState& part) { return kind_of(part).needs_all_rows(part); });
  }

  std::int64_t parameters(const ModelState& s) const override {
    std::int64_t count = 0;
    for (const ModelState& part : s.parts) count += kind_of(part).parameters(part);
    return count;
  }

  int format() const override { return kPartsFormat; }
  void add(const ModelState& s, TensorFile& file) const override { add_parts(s, file); }
  void read(const TensorFile& file, const SharedRows&, ModelState& s) const override {
    read_parts(file, s);
  }

  std::unique_ptr<const FittedModel> make(const ModelState& s, const SharedRows&,
                                          const ThreadPool& pool) const override {
    return std::make_unique<CombinedModel>(s, pool);
  }
};

}  // namespace

const ModelKind& combined_kind() {
  static const CombinedKind kKind;
  return kKind;
}

}  // namespace pegnn
