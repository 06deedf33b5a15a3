#pragma once
// A network at work: predictions for points among those it listens to.

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "base/array.h"
#include "compute/backend.h"
#include "model/far.h"
#include "model/member_pool.h"
#include "model/network.h"
#include "model/prepared.h"
#include "neighbourhood/neighbourhood.h"

namespace pegnn {

// What several members compute on the way to their answers, copied out: row i of member m stands at
// m * rows + i.
struct MemberTraces {
  std::int64_t rows = 0;
  Span<float> encoder;    // encoder().width() for each
  Span<float> embedding;  // embedding_width() for each
  Span<float> mean;       // the answers in scaled units, before any blend with a smoother
  Span<float> auxiliary;  // empty where there is no auxiliary task
};

// Networks of one shape, to be run on new points. Works in scaled units. Const, and shared by any
// number of callers, each with a scratch of its own. The training points are indexed and linked
// when they are first asked for.
class Inference {
 public:
  // `training` is borrowed for the life of this object. `options` are resolved. `common`, which may
  // be null: what is found of the neighbourhoods of these points already.
  Inference(const Options& options, Space space, const TrainingPoints& training,
            std::shared_ptr<const Neighbourhood::Common> common = nullptr);
  Inference(const Inference&) = delete;
  Inference& operator=(const Inference&) = delete;

  // What one caller needs: threads, work memory, and what is kept from one call to the next.
  class Scratch;
  std::unique_ptr<Scratch> scratch(const Backend<float>& backend) const;

  // What the model says of each query.
  const std::vector<OutputColumn>& columns() const { return columns_; }
  const Network<float>& network() const { return network_; }
  const std::shared_ptr<const Neighbourhood>& neighbourhood() const { return neighbourhood_; }
  // Whether queries are linked to each other, so that all of a table must come at once.
  bool links_queries() const { return pegnn::links_queries(options_); }
  // Most queries for one pass, of at most `rows`, so that its memory stays bounded. Predictions do
  // not depend on how rows are cut into passes, unless they are linked to each other: then all
  // rows.
  std::int64_t chunk(std::int64_t rows) const { return neighbourhood_->most_queries(rows); }

  // New points, and training rows by their numbers as if they were new.
  void prepare(Span<const Point> queries, Mat<const float> features, Scratch& scratch,
               Prepared& out) const;
  void prepare_own(Span<const std::int32_t> rows, Scratch& scratch, Prepared& out) const;

  // What the head of one network puts out for the queries; valid until the next call with this
  // scratch.   returns queries x head().outputs()
  Mat<const float> outputs(const Prepared& prepared, Span<const float> parameters,
                           Scratch& scratch) const;

  // Answers to the queries, in scaled units. Far members have their say by how much a query lies in
  // a gap of the training points. Members are asked for the queries alone where they have any.
  //   out: queries x columns()
  void run(const Prepared& prepared, const MemberWeights& weights, Scratch& scratch,
           Mat<float> out) const;

  // Both together for any number of queries, in passes of bounded memory. Those of one pass lie
  // near each other, whatever their order, so that they share the work on their neighbours. Returns
  // how many are out of reach (AttachedGraph).
  std::int64_t predict(Span<const Point> queries, Mat<const float> features,
                       const MemberWeights& weights, Scratch& scratch, Mat<float> out) const;

  // In the same passes, what the members on the way to it computed; far members are left out. The
  // queries are rows [first, first + queries) of `out`.
  void trace(Span<const Point> queries, Mat<const float> features, Span<const float> parameters,
             std::int64_t first, Scratch& scratch, const MemberTraces& out) const;

 private:
  // Inputs of the nodes of `out.view`.
  void fill(Span<const Point> queries, Mat<const float> features, Scratch& scratch,
            Prepared& out) const;
  NetworkInput<float> input_of(const Prepared& prepared) const;
  void require_room(const NetworkInput<float>& input, const Scratch& scratch) const;
  // Prepares any number of queries pass by pass and calls f(pass, rows) after each: the rows of the
  // queries that it holds; empty where it holds all as they come.
  template <class F>
  void for_passes(Span<const Point> queries, Mat<const float> features, Scratch& scratch,
                  F&& f) const;
  // Prepares those of these rows.
  void prepare_some(Span<const Point> queries, Mat<const float> features,
                    Span<const std::int32_t> rows, Scratch& scratch) const;
  // Puts the answers of a pass where they belong.
  void run_pass(const Prepared& pass, Span<const std::int32_t> rows, const MemberWeights& weights,
                Scratch& scratch, Mat<float> out) const;
  // Every thread makes passes of its own, of so many queries.
  void predict_side_by_side(Span<const Point> queries, Mat<const float> features, std::int64_t most,
                            const MemberWeights& weights, Scratch& scratch, Mat<float> out) const;
  // What the members of one kind say of points: the mean of their answers, of whose corrections of
  // the smoother that share is kept. Of a share of 0 the smoother's answer is left, and nobody is
  // asked where that is all there is to say.
  void ask(Network<float>& network, Span<const float> parameters, double share,
           const Prepared& prepared, Scratch& scratch, Mat<float> out) const;
  // Keeps a share of the corrections of the smoother. Quantiles go with the mean.
  void keep_share(double share, Span<const float> smooth, Mat<float> out) const;

  Options options_;
  Space space_;
  TrainingPoints training_;
  Network<float> network_;  // what it is made of; those that work are in a scratch
  std::vector<OutputColumn> columns_;
  std::shared_ptr<const Neighbourhood> neighbourhood_;
};

class Inference::Scratch {
 public:
  Scratch(const Inference& of, const Backend<float>& backend);

 private:
  friend class Inference;

  // One for a thread that makes passes of its own, until it is given back. May be asked by any
  // number of threads.
  std::unique_ptr<Scratch> lend(const Inference& of);
  void give_back(std::unique_ptr<Scratch> lent);

  // Runs members one after the other and calls f(m, pass, answers) after each.
  template <class F>
  void for_members(Network<float>& network, const NetworkInput<float>& input,
                   Span<const float> parameters, F&& f);
  void average(Network<float>& network, const NetworkInput<float>& input,
               Span<const float> parameters, Mat<float> out);

  Backend<float> backend;
  Schedule schedule;
  Network<float> network;
  std::optional<Network<float>> far;  // where there are far members
  MemberPool pool_of_members;
  std::unique_ptr<Neighbourhood::Scratch> neighbours;
  Array<Point> places;  // of the nodes that are being prepared
  Prepared pass;        // one pass of many, and its inputs
  Prepared part;        // some rows of a pass
  Array<std::int32_t> pass_rows, near_rows, far_rows;
  Array<Point> pass_points, own_points;
  Array<float> pass_features, pass_out, own_features, near_out, far_out, answers;
  std::mutex lending;
  std::vector<std::unique_ptr<Scratch>> idle;  // of threads, as many as were ever busy at once
};

}  // namespace pegnn
