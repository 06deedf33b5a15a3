#include "model/member_pool.h"

#include <algorithm>
#include <cmath>

namespace pegnn {

void MemberPool::begin(std::int64_t members, Mat<float> out) {
  members_ = members;
  for (std::int64_t i = 0; i < out.rows; ++i) std::fill_n(out.row(i), out.cols, 0.0F);
  if (!has_column(columns_, OutputKind::deviation)) return;
  mean_.assign(out.rows, 0.0);
  square_.assign(out.rows, 0.0);
}

void MemberPool::add(Mat<const float> answers, Mat<float> out) {
  const float share = 1.0F / static_cast<float>(members_);
  for (std::int64_t c = 0; c < out.cols; ++c) {
    if (columns_[as_size(c)].kind == OutputKind::deviation && members_ > 1) {
      for (std::int64_t i = 0; i < out.rows; ++i) {
        const auto mean = static_cast<double>(answers(i, 0)),
                   sd = static_cast<double>(answers(i, c));
        mean_[i] += mean / static_cast<double>(members_);
        square_[i] += (sd * sd + mean * mean) / static_cast<double>(members_);
      }
      continue;
    }
    for (std::int64_t i = 0; i < out.rows; ++i) {
      out(i, c) = members_ == 1 ? answers(i, c) : out(i, c) + share * answers(i, c);
    }
  }
}

void MemberPool::finish(Mat<float> out) {
  if (members_ == 1) return;
  for (std::int64_t c = 0; c < out.cols; ++c) {
    if (columns_[as_size(c)].kind != OutputKind::deviation) continue;
    for (std::int64_t i = 0; i < out.rows; ++i) {
      const double variance = square_[i] - mean_[i] * mean_[i];
      out(i, c) = static_cast<float>(std::sqrt(std::max(0.0, variance)));
    }
  }
}

}  // namespace pegnn
