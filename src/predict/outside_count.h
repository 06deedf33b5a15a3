#pragma once
// How many of the rows that a model is asked for lie outside its area of applicability, without
// looking at all of a long table.

#include <cstdint>

#include "base/array.h"
#include "base/thread_pool.h"
#include "model/fitted.h"
#include "pegnn/model.h"
#include "predict/applicability.h"

namespace pegnn {

// Rows come in any number of pieces, and which of them are looked at depends on their number alone:
// all of the first, then every second of as many as there were before, every fourth of as many as
// there were then, and so on. So prediction takes hardly longer, whatever the model.
class OutsideCount {
 public:
  // `area` is borrowed.
  explicit OutsideCount(const Applicability& area);

  // The next rows; some of them are judged.
  void add(const Queries& rows, const ThreadPool& pool);
  // The same where all are judged already.
  void add(Span<const Judgement> rows);

  Outside found() const;

 private:
  void take(const Judgement& row, std::int64_t weight);

  const Applicability& area_;
  std::int64_t each_;  // rows that are all looked at
  std::int64_t rows_ = 0, judged_ = 0;
  std::int64_t weight_ = 0, distant_ = 0, unlike_ = 0;  // of rows judged, by what they stand for
  bool far_ = false;
  double farthest_ = 0;
};

}  // namespace pegnn
