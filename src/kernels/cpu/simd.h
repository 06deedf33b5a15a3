#pragma once
// Vectorised pieces of the cpu backend, each on a range of rows and the calling thread. The
// instruction set is chosen at run time (Highway).

#include <cstdint>
#include <span>

#include "kernels/kernels.h"

namespace pegnn::cpu {

// Applies the epilogue in place to `y`, whose first row is row `first_row` of the whole matrix.
void epilogue_rows(const Epilogue<float>& epilogue, std::int64_t first_row, Mat<float> y) noexcept;

// Gradient of the epilogue in place, for the same rows; adds column sums to `db` unless null.
void epilogue_rows_backward(const Epilogue<float>& epilogue, std::int64_t first_row,
                            Mat<const float> y, Mat<float> dy, float* db) noexcept;

// Rows [begin, end) of y_i = self_weight_i x_i + sum_e weight_e x_j, without the epilogue.
void aggregate_rows(Csr graph, std::int64_t begin, std::int64_t end, const float* weight,
                    const float* self_weight, Mat<const float> x, Mat<float> y) noexcept;

// Rows [begin, end) of y_i = largest x_j, column by column; 0 without edges.
void aggregate_max_rows(Csr graph, std::int64_t begin, std::int64_t end, Mat<const float> x,
                        Mat<float> y) noexcept;

// Its gradient in two steps. First, for the receivers [begin, end), dy_i is divided by the number
// of neighbours that are the largest together; when all rows are done, for the senders [begin,
// end), dx_j += dy_i wherever x_j = y_i.
void share_among_largest(Csr graph, std::int64_t begin, std::int64_t end, Mat<const float> x,
                         Mat<const float> y, Mat<float> dy) noexcept;
void aggregate_max_rows_backward(Csr reverse, std::int64_t begin, std::int64_t end,
                                 Mat<const float> x, Mat<const float> y, Mat<const float> dy,
                                 Mat<float> dx) noexcept;

// Sinusoidal transform of the given rows.
void sinusoidal_rows(Mat<const double> coordinates, std::span<const double> scales,
                     Mat<float> out) noexcept;

struct AdamConstants {
  float rate, root2, beta1, beta2, epsilon, coupled, shrink;
};
void adam_range(const AdamConstants& constants, std::int64_t n, const float* gradient,
                float* first_moment, float* second_moment, float* parameters) noexcept;

// sum[i] += addend[i].
void add(std::int64_t n, const float* addend, float* sum) noexcept;

}  // namespace pegnn::cpu
