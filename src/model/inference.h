#pragma once
// A network at work: predictions for points attached to the training points, or among themselves.

#include <cstdint>
#include <memory>
#include <optional>

#include "base/array.h"
#include "compute/backend.h"
#include "graph/attach.h"
#include "graph/local.h"
#include "model/far.h"
#include "model/label_field.h"
#include "model/member_pool.h"
#include "model/network.h"
#include "model/training_points.h"

namespace pegnn {

// Scaled inputs of a set of points, ready for the network, with their graph: one row for each node
// that is not there for degrees alone. The buffers may be larger, as they are kept from one set to
// the next.
struct Prepared {
  AttachedGraph attached;
  LabelGraph around;  // instead, where the network listens to labels
  Buffer<float> features, basis, labels;
  std::int64_t queries = 0;

  std::int64_t inputs() const { return attached.graph.nodes - attached.degree_only; }
};

// What every node of local graphs is told of labels: its own and 0 for a training point, 0 and 1
// for a node that is asked for.   out: nodes x kLabelInputs
void label_inputs(const AttachedGraph& attached, Span<const float> labels, Mat<float> out);

// What several members compute on the way to their answers, copied out: row i of member m stands at
// m * rows + i.
struct MemberTraces {
  std::int64_t rows = 0;
  Span<float> encoder;    // encoder().width() for each
  Span<float> embedding;  // embedding_width() for each
  Span<float> mean;       // the answers in scaled units, before any blend with a smoother
  Span<float> auxiliary;  // empty where there is no auxiliary task
};

// Runs a network on new points. Works in scaled units. One caller at a time.
class Inference {
 public:
  // `training` is borrowed for the life of this object. `options` are resolved. The training
  // points are indexed and linked when they are first attached to.
  Inference(const Options& options, Space space, const TrainingPoints& training,
            const Backend<float>& backend);

  // Attaches the queries to the training points (`graph train`), or links them among themselves
  // (`graph test-only`: then all queries of a table must come in one call).
  void prepare(Span<const Point> queries, Mat<const float> features, Prepared& out);

  // Training rows by their numbers, linked among themselves, or each with the training points other
  // than itself where labels are read.
  void prepare_own(Span<const std::int32_t> rows, Prepared& out);

  // The same for networks that listen to labels, with surroundings already found.
  void prepare(Span<const Point> queries, Mat<const float> features,
               const LabelNeighbourhoods& around, Prepared& out);
  // What such networks see; made when it is first asked for.
  const std::shared_ptr<const LabelField>& field();

  // What the model says of each query.
  const std::vector<OutputColumn>& columns() const { return pool_of_members_.columns(); }

  // What the head of one network puts out for the queries; valid until the next call.
  //   returns queries x head().outputs()
  Mat<const float> outputs(const Prepared& prepared, Span<const float> parameters);

  // Answers to the queries, in scaled units. Far members have their say by how much a query lies in
  // a gap of the training points.   out: queries x columns()
  void run(const Prepared& prepared, const MemberWeights& weights, Mat<float> out);

  // The three together for any number of queries, in passes of bounded memory. Those of one pass
  // lie near each other, whatever their order, so that they share the work on their neighbours.
  // Returns how many are out of reach (AttachedGraph).
  std::int64_t predict(Span<const Point> queries, Mat<const float> features,
                       const MemberWeights& weights, Mat<float> out);

  // In the same passes, what the members on the way to it computed; far members are left out. The
  // queries are rows [first, first + queries) of `out`.
  void trace(Span<const Point> queries, Mat<const float> features, Span<const float> parameters,
             std::int64_t first, const MemberTraces& out);
  const Network<float>& network() const { return network_; }

  // Most queries for one pass, of at most `rows`, so that its memory stays bounded: local graphs
  // grow with the square of k. All rows where queries are linked to each other; else predictions do
  // not depend on how rows are cut into passes.
  std::int64_t chunk(std::int64_t rows) const;

  // Networks that read labels always attach to the training points.
  bool test_only() const {
    return options_.graph == "test-only" && !network_.reads_labels() && network_.hops() > 0;
  }

 private:
  void attach(Span<const Point> queries, AttachedGraph& out);
  const LocalAttacher& local();
  void link_among_themselves(Span<const Point> queries, AttachedGraph& out);
  void fill(Span<const Point> queries, Mat<const float> features, Prepared& out);
  void fill_labelled(Span<const Point> queries, Mat<const float> features, Prepared& out);
  NetworkInput<float> input_of(const Prepared& prepared) const;
  void require_room(const NetworkInput<float>& input) const;
  // Prepares any number of queries pass by pass and calls f(rows) after each: the rows of the
  // queries that `pass_` holds; empty where it holds all as they come.
  template <class F>
  void for_passes(Span<const Point> queries, Mat<const float> features, F&& f);
  // Runs the members one after the other and calls f(m, pass, answers) after each.
  template <class F>
  void for_members(Network<float>& network, const NetworkInput<float>& input,
                   Span<const float> parameters, F&& f);
  void average(Network<float>& network, const NetworkInput<float>& input,
               Span<const float> parameters, Mat<float> out);
  void keep_share(double share, const NetworkInput<float>& input, Mat<float> out) const;
  bool attends_to_labels() const { return network_.neighbourhood() == Neighbourhood::labels; }

  Options options_;
  Space space_;
  TrainingPoints training_;
  Backend<float> backend_;
  const ThreadPool& pool_ = backend_.pool;
  Schedule schedule_ = backend_.queue();
  Network<float> network_;
  std::optional<Network<float>> far_network_;  // where there are far members
  MemberPool pool_of_members_;
  std::optional<Attacher> attacher_;           // made when it is first asked for
  std::optional<LocalAttacher> local_;         // the same for networks on local graphs
  std::shared_ptr<const LabelField> field_;
  LabelNeighbourhoods around_;  // of the points that are being prepared
  Array<std::int32_t> all_ranks_, in_order_;
  Array<Point> places_;  // of the nodes that are being prepared
  Prepared pass_;        // one pass of many, and its inputs
  Array<std::int32_t> pass_rows_;
  Array<Point> pass_points_;
  Array<float> pass_features_, pass_out_, far_out_, answers_;
  Array<std::int32_t> node_of_;  // lent to the attacher: one for all sets of points
};

}  // namespace pegnn
