#pragma once
// Neighbourhoods: whom a point listens to, in a step of training and when it is asked for.

#include <cstdint>
#include <memory>

#include "base/array.h"
#include "base/part.h"
#include "compute/context.h"
#include "graph/input_columns.h"
#include "neighbourhood/training_points.h"
#include "neighbourhood/view.h"
#include "pegnn/options.h"
#include "table/dataset.h"
#include "table/scaler.h"

namespace pegnn {

// Made for a set of training points. Const: any number of threads may ask, each with a scratch of
// its own. What is asked for does not depend on their number, nor, unless points are linked to each
// other, on which points are asked for together.
class Neighbourhood {
 public:
  virtual ~Neighbourhood() = default;

  // What one caller keeps from one question to the next.
  struct Scratch {
    virtual ~Scratch() = default;
  };
  virtual std::unique_ptr<Scratch> scratch() const = 0;

  // What neighbourhoods of the same training points have in common, whatever their seeds.
  struct Common {
    virtual ~Common() = default;
  };

  // What training rows, by their numbers, see in a step, with the reverse edges where the network
  // passes messages. Where it links the batch (links_batch) the rows may come out in another order
  // (`out.query_rows`).
  virtual void of_step(Span<const std::int32_t> rows, std::int64_t step,
                       const Backend<float>& backend, Scratch& scratch,
                       NeighbourhoodView& out) const = 0;
  // What training rows see when they are predicted as if they were new.
  virtual void of_own(Span<const std::int32_t> rows, const Backend<float>& backend,
                      Scratch& scratch, NeighbourhoodView& out) const = 0;
  // What new points see.   features: places x features, scaled
  virtual void of_queries(Span<const Point> places, Mat<const float> features,
                          const Backend<float>& backend, Scratch& scratch,
                          NeighbourhoodView& out) const = 0;

  // Training rows that are learned from, ascending; empty: all of them.
  virtual Span<const std::int32_t> rows_learned_from() const { return {}; }
  // Whether the same rows see others in every step.
  virtual bool changes_by_step() const { return false; }
  // Whether the graph of a step is that of the k nearest among its rows: what the paper takes
  // Moran's I of.
  virtual bool links_batch() const { return false; }

  // Most points to be asked for at a time, of at most `rows`, so that memory stays bounded; all of
  // them where they are linked to each other. The same for training rows (`of_own`).
  virtual std::int64_t most_queries(std::int64_t rows) const;
  virtual std::int64_t most_own(std::int64_t rows) const { return most_queries(rows); }
  // How many of many queries a thread is best given to ask for by itself, while other threads ask
  // for others; 0: all threads work on one question, since each has a cost of its own.
  virtual std::int64_t queries_of_a_thread() const { return 0; }
  // Does beforehand, on all threads, what the first question would.
  virtual void make_ready(const Backend<float>&) const {}
};

// Enough points at a time for many threads. Four times as many take four times the memory, 0.6 GB
// where points are scattered and neighbourhoods hardly overlap, and are no faster.
inline constexpr std::int64_t kMostQueries = 4096;

struct NeighbourhoodSpec {
  const Options& options;  // resolved; for the call alone
  Space space;
  std::int64_t hops;        // of the backbone: how many edges away a point can matter
  TrainingPoints training;  // borrowed for the life of the neighbourhood
  // Found by NeighbourhoodEntry::find_common for the same points, space and options but for the
  // seed; null: the neighbourhood finds what it needs itself.
  std::shared_ptr<const Neighbourhood::Common> common = nullptr;
};

// Nodes and edges that the work memory of a network is made for.
struct GraphSize {
  std::int64_t nodes = 0, edges = 0;
};

struct NeighbourhoodEntry {
  PartInfo info;
  InputColumns tells = {};      // what backbones on it read (BackboneEntry::reads)
  bool from_batch = false;      // rows listen to rows of their batch, else to any training row
  bool reads_labels = false;    // a prediction needs the labels of the training points
  bool uses_held_back = false;  // new points listen to rows that training held back, too
  bool tells_gaps = false;      // says how much a point lies in a gap, where far members answer
  // Error{usage} for options it cannot work with; null: any.
  void (*check)(const Options& options) = nullptr;
  // Whether new points are linked to each other; null: never.
  bool (*links_queries)(const Options& options) = nullptr;
  // What is learned of the training rows before a network is; null: nothing. `options` are
  // resolved.
  LabelModel (*fit)(const Dataset& data, const Options& options, const Scaler& scaler,
                    const Context& context) = nullptr;
  // Of a step of so many rows.
  GraphSize (*size)(std::int64_t rows, std::int64_t k) = nullptr;
  // Bytes that so many training rows take in training, beside the rows themselves.
  double (*bytes)(std::int64_t rows, std::int64_t k, std::int64_t features) = nullptr;
  // What neighbourhoods that are trained on the same points share; null: nothing.
  std::shared_ptr<const Neighbourhood::Common> (*find_common)(
      const NeighbourhoodSpec& spec, const Backend<float>& backend) = nullptr;
  std::unique_ptr<Neighbourhood> (*make)(const NeighbourhoodSpec& spec) = nullptr;
};

Span<const NeighbourhoodEntry* const> neighbourhoods();

// That of a network with these options: the one they name, or the backbone's own. Error{usage} for
// a part that is not in its list.
const NeighbourhoodEntry& neighbourhood_of(const Options& options);

// Error{usage} where the backbone reads something else than the neighbourhood tells, or the
// neighbourhood lacks an option.
void check_neighbourhood(const Options& options);

// Whether new points are linked to each other there, so that all of a table must come at once.
bool links_queries(const Options& options);

std::shared_ptr<const Neighbourhood> make_neighbourhood(const NeighbourhoodSpec& spec);

// Nodes of a graph without copies of training points, and of one that is linked by the k nearest.
GraphSize size_of_points(std::int64_t rows, std::int64_t k);

}  // namespace pegnn
