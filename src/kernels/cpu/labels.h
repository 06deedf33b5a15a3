#pragma once
// The kernels of attention to labelled sources; their contract is in kernels/kernels.h.

#include "kernels/kernels.h"

namespace pegnn::cpu {

void label_attend(Schedule& schedule, Csr graph, const LabelAttention<float>& attention,
                  Mat<const float> base, Mat<const float> probe, float* shares, Mat<float> context,
                  Mat<float> label);

void label_attend_backward(Schedule& schedule, Csr graph, const LabelAttention<float>& attention,
                           Mat<const float> base, Mat<const float> probe, const float* shares,
                           Mat<const float> d_context, Mat<const float> d_label, Mat<float> d_base,
                           Mat<float> d_probe, Mat<float> d_edge_map, Mat<float> d_source_map);

void among_attend(Schedule& schedule, Csr graph, const LabelAttention<float>& attention,
                  const Among<const float>& among, Mat<const float> base, Mat<const float> probe,
                  float* shares, Mat<float> context, Mat<float> label);

void among_attend_backward(Schedule& schedule, Csr graph, const LabelAttention<float>& attention,
                           const Among<const float>& among, Mat<const float> base,
                           Mat<const float> probe, const float* shares, Mat<const float> d_context,
                           Mat<const float> d_label, Mat<float> d_base, Mat<float> d_probe,
                           Mat<float> d_edge_map, Mat<float> d_source_map,
                           const Among<float>& d_among);

}  // namespace pegnn::cpu
