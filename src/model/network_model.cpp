// A trained network, ready to answer, and what is known of networks as a kind of model.

#include <algorithm>

#include <fmt/core.h>

#include "base/array.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/text.h"
#include "model/fitted.h"
#include "model/inference.h"
#include "model/kinds.h"
#include "model/network_tensors.h"
#include "model/scale_rows.h"
#include "pegnn/error.h"
#include "pegnn/model.h"

namespace pegnn {
namespace {

// What new points attach to: a part's own rows, or those that it shares with the whole.
TrainingPoints rows_of(const ModelState& s, const SharedRows& shared) {
  TrainingPoints rows = s.training();
  if (!s.points.empty() || shared.points.empty()) return rows;
  rows.points = shared.points;
  rows.features = s.features.empty() && s.scaler.width() > 0
                      ? shared.features
                      : Mat<const float>(s.features.data(), shared.points.size(), s.scaler.width());
  return rows;
}

class NetworkModel final : public FittedModel {
 public:
  NetworkModel(const ModelState& state, const SharedRows& shared)
      : FittedModel(state), inference_(state.options, state.space, rows_of(state, shared)) {}

  std::unique_ptr<FittedModel::Scratch> scratch(const Context& context) const override {
    return std::make_unique<Scratch>(*this, context);
  }

  std::int64_t rows_at_a_time(std::int64_t rows) const override {
    // A network puts near rows together; the more there are, the more they share. Random places
    // among 434,874 training points take 16.7, 7.9 and 3.5 microseconds each with 16 K, 64 K and
    // 256 K at a time.
    constexpr std::int64_t kChunk = 262144;
    return inference_.links_queries() ? std::max<std::int64_t>(1, rows) : kChunk;
  }

  void answer(const Queries& queries, FittedModel::Scratch& given, Mat<double> out) const override {
    auto& own = static_cast<Scratch&>(given);
    const ModelState& s = state();
    const std::int64_t count = queries.rows(), width = std::ssize(columns());
    own.out.resize(count * width);
    const Mat<float> answers(own.out.data(), count, width);
    own.out_of_reach +=
        inference_.predict(queries.points, scaled(queries, own), s.weights(), *own.work, answers);
    for (std::int64_t c = 0; c < out.rows; ++c) {
      for (std::int64_t i = 0; i < count; ++i) {
        out(c, i) = column_of(s, columns()[as_size(c)].kind, static_cast<double>(answers(i, 0)),
                              static_cast<double>(answers(i, c)));
      }
    }
  }

  Activations activations(const Queries& queries, const Context& context) const override {
    Scratch own(*this, context);
    Activations found = room_for(queries.rows(), inference_.network());
    Array<float> output(found.members * found.rows);
    const MemberTraces traces{found.rows, found.encoder, found.embedding, output, found.moran};
    const std::int64_t step = rows_at_a_time(queries.rows());
    for (std::int64_t first = 0; first < queries.rows(); first += step) {
      const Queries part = queries.part(first, std::min(step, queries.rows() - first));
      inference_.trace(part.points, scaled(part, own), state().parameters, first, *own.work,
                       traces);
      if (context.run.stopped()) {
        throw Error(ErrorKind::interrupted, "stopped before the last row");
      }
    }
    found.mean.reserve(as_size(output.size()));
    for (const float value : output) {
      found.mean.push_back(target_of(state(), static_cast<double>(value)));
    }
    return found;
  }

 private:
  struct Scratch final : FittedModel::Scratch {
    Scratch(const NetworkModel& model, const Context& context)
        : pool(context.pool), work(model.inference_.scratch(context.backend)) {}

    const ThreadPool& pool;
    std::unique_ptr<Inference::Scratch> work;
    Array<float> scaled, out;
  };

  Mat<const float> scaled(const Queries& queries, Scratch& own) const {
    return scale_rows(state().scaler, queries.features, own.pool, own.scaled);
  }

  Activations room_for(std::int64_t rows, const Network<float>& network) const {
    Activations found{.rows = rows,
                      .members = state().options.members,
                      .encoder_width = network.encoder().width(),
                      .embedding_width = network.embedding_width(),
                      .encoder = {},
                      .embedding = {},
                      .mean = {},
                      .moran = {}};
    const std::int64_t answers = found.members * found.rows;
    const std::int64_t floats = found.encoder_width + found.embedding_width + 3;
    require_memory(4.0 * static_cast<double>(answers) * static_cast<double>(floats),
                   fmt::format("activations of {} rows and {} members", format_count(found.rows),
                               found.members),
                   "fewer rows at a time need less");
    found.encoder.resize(as_size(answers * found.encoder_width));
    found.embedding.resize(as_size(answers * found.embedding_width));
    if (network.auxiliary()) found.moran.resize(as_size(answers));
    return found;
  }

  Inference inference_;
};

class NetworkKind final : public ModelKind {
 public:
  NetworkKind()
      : ModelKind({.name = "network",
                   .learner = Learner::network,
                   .of_parts = true,
                   .in_steps = true,
                   .attaches = true,
                   .tells_learned = false}) {}

  std::vector<OutputColumn> columns(const ModelState& s) const override {
    return make_head<float>(s.options.head)->columns();
  }

  bool needs_all_rows(const ModelState& s) const override { return links_queries(s.options); }

  std::int64_t parameters(const ModelState& s) const override {
    const Network<float> network(s.options, s.scaler.width());
    const std::int64_t near = network.layout().parameters() * s.options.members;
    const std::int64_t far = far_members(s.options);
    if (far == 0) return near;
    const Network<float> far_network(far_options(s.options), s.scaler.width());
    return near + far_network.layout().parameters() * far;
  }

  void set_graph(ModelState& s, const std::string& graph) const override {
    set_option(s.options, "graph", graph, "<option:graph>");
  }

  void add(const ModelState& s, TensorFile& file) const override { add_network(s, file); }
  void read(const TensorFile& file, const SharedRows& shared, ModelState& s) const override {
    read_network(file, shared, s);
  }

  std::unique_ptr<const FittedModel> make(const ModelState& s, const SharedRows& shared,
                                          const ThreadPool&) const override {
    return std::make_unique<NetworkModel>(s, shared);
  }
};

}  // namespace

const ModelKind& network_kind() {
  static const NetworkKind kKind;
  return kKind;
}

}  // namespace pegnn
