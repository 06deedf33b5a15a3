#pragma once
// The kernels that move rows and weigh edges; their contract is in kernels/kernels.h.

#include "kernels/kernels.h"

namespace pegnn::cpu {

void fill(Schedule& schedule, float value, Mat<float> y);
void copy(Schedule& schedule, Mat<const float> x, Mat<float> y);
void add(Schedule& schedule, Mat<const float> x, Mat<float> y);

void normalise_symmetric(Schedule& schedule, Csr graph, const double* weight, Csr reverse,
                         const std::int64_t* reverse_edge, const NormalisedEdges<float>& out);
void normalise_mean(Schedule& schedule, Csr graph, Csr reverse, float* forward, float* backward);
void weigh_loops(Schedule& schedule, Csr graph, const double* weight, float* edge, float* loop);

}  // namespace pegnn::cpu
