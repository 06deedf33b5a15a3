// Attention to labelled sources, with and without attention among them, put on a schedule.

#include "kernels/cpu/labels.h"

#include <algorithm>

#include "kernels/cpu/among.h"
#include "kernels/cpu/label_attention.h"
#include "kernels/cpu/slab_sums.h"

namespace pegnn::cpu {
namespace {

// Inputs of the attention to labelled sources, with the maps packed.
LabelInputs pack(Schedule& schedule, Csr graph, const LabelAttention<float>& attention,
                 Mat<const float> base, Mat<const float> probe) {
  float* const maps = schedule.hold<float>(packed_maps_size(attention));
  pack_maps(attention, maps);
  return {graph, attention, maps, base, probe};
}

// Adds the slabs' gradients of the packed maps, which come first, to those of the maps.
void add_maps(Schedule& schedule, const SlabSums& sums, std::int64_t columns, Mat<float> d_edge_map,
              Mat<float> d_source_map) {
  const auto add_map = [&](Mat<float> map, std::int64_t from) {
    schedule.at_the_end(map.rows * map.cols, [=](std::int64_t begin, std::int64_t end) noexcept {
      sums.for_each([&](const float* slab) {
        for (std::int64_t at = begin; at < end; ++at) {
          map.data[at] += slab[from + at % map.cols * columns + at / map.cols];
        }
      });
    });
  };
  add_map(d_edge_map, 0);
  add_map(d_source_map, d_edge_map.cols * columns);
}

// Rows [begin, end) in groups: f(first, last) for each, of no more than kGroupEdges edges or a
// single row.
template <class F>
void for_groups(Csr graph, std::int64_t begin, std::int64_t end, F&& f) {
  for (std::int64_t i = begin; i < end;) {
    const std::int64_t first = i++;
    while (i < end && graph.offsets[i + 1] - graph.offsets[first] <= kGroupEdges) ++i;
    f(first, i);
  }
}

AmongPlan plan_among(Schedule& schedule, Csr graph, const LabelAttention<float>& attention,
                     const Among<const float>& among, bool backward) {
  AmongPlan plan;
  plan.heads = attention.heads;
  plan.width = attention.edge_map.rows;
  plan.all = among.layer[0].join.cols;
  plan.among = among;
  plan.longest = 1;
  for (std::int64_t i = 0; i < graph.rows; ++i) {
    plan.longest = std::max(plan.longest, graph.offsets[i + 1] - graph.offsets[i]);
  }
  plan.most_edges = std::max(kGroupEdges, plan.longest);
  for (std::int64_t l = 0; l < among.layers; ++l) {
    plan.packed[l] = pack_layer(among.layer[l], backward,
                                schedule.hold<float>(packed_layer_size(plan, backward)));
  }
  return plan;
}

// Adds the slabs' gradients of the layers, which begin at `from`, to those given.
void add_layers(Schedule& schedule, const SlabSums& sums, const AmongPlan& plan, std::int64_t from,
                const Among<float>& d_among) {
  float* const first = sums.of(0);
  const std::int64_t w = plan.width;
  for (std::int64_t l = 0; l < plan.among.layers; ++l, from += gradients_size(plan)) {
    const AmongLayer<float> slab = gradients_at(plan, first + from);
    const AmongLayer<float>& d = d_among.layer[l];
    const auto add = [&](const float* at, std::int64_t count, float* to) {
      sums.add_to(schedule, at - first, count, to);
    };
    for (const auto part :
         {&AmongLayer<float>::mix, &AmongLayer<float>::join, &AmongLayer<float>::hidden,
          &AmongLayer<float>::correction, &AmongLayer<float>::distance}) {
      add((slab.*part).data, (slab.*part).rows * (slab.*part).cols, (d.*part).data);
    }
    add(slab.hidden_bias, w, d.hidden_bias);
    add(slab.correction_bias, w, d.correction_bias);
  }
}

}  // namespace

void label_attend(Schedule& schedule, Csr graph, const LabelAttention<float>& attention,
                  Mat<const float> base, Mat<const float> probe, float* shares, Mat<float> context,
                  Mat<float> label) {
  const LabelInputs inputs = pack(schedule, graph, attention, base, probe);
  const SlabSums scratch(schedule, graph.rows, label_scratch_size(attention));
  schedule.rows(graph.rows, [=](std::int64_t begin, std::int64_t end) noexcept {
    label_attention_rows(inputs, begin, end, shares, context, label, scratch.of(begin));
  });
}

void label_attend_backward(Schedule& schedule, Csr graph, const LabelAttention<float>& attention,
                           Mat<const float> base, Mat<const float> probe, const float* shares,
                           Mat<const float> d_context, Mat<const float> d_label, Mat<float> d_base,
                           Mat<float> d_probe, Mat<float> d_edge_map, Mat<float> d_source_map) {
  const LabelInputs inputs = pack(schedule, graph, attention, base, probe);
  const std::int64_t maps = packed_maps_size(attention), columns = padded(base.cols);
  // The gradients of the packed maps, then work memory.
  const SlabSums sums(schedule, graph.rows, maps + label_scratch_size(attention));
  schedule.rows(graph.rows, [=](std::int64_t begin, std::int64_t end) noexcept {
    float* const slab = sums.of(begin);
    if (sums.first(begin)) std::fill_n(slab, maps, 0.0F);
    label_attention_rows_backward(inputs, begin, end, shares, d_context, d_label, d_base, d_probe,
                                  slab, slab + maps);
  });
  add_maps(schedule, sums, columns, d_edge_map, d_source_map);
}

void among_attend(Schedule& schedule, Csr graph, const LabelAttention<float>& attention,
                  const Among<const float>& among, Mat<const float> base, Mat<const float> probe,
                  float* shares, Mat<float> context, Mat<float> label) {
  const LabelInputs inputs = pack(schedule, graph, attention, base, probe);
  const AmongPlan plan = plan_among(schedule, graph, attention, among, false);
  const std::int64_t own = label_scratch_size(attention);
  const SlabSums scratch(schedule, graph.rows, own + AmongWork(plan, false, nullptr).size());
  schedule.rows(graph.rows, [=](std::int64_t begin, std::int64_t end) noexcept {
    float* const slab = scratch.of(begin);
    const AmongWork work(plan, false, slab + own);
    for_groups(graph, begin, end, [&](std::int64_t first, std::int64_t last) {
      label_tokens(inputs, first, last, work.tokens(), nullptr, slab);
      const float* const tokens =
          work.forward({graph.offsets + first, last - first, inputs.attention.edges,
                        inputs.attention.log_weights});
      token_attention_rows(inputs, first, last, tokens, shares, context, label, slab);
    });
  });
}

void among_attend_backward(Schedule& schedule, Csr graph, const LabelAttention<float>& attention,
                           const Among<const float>& among, Mat<const float> base,
                           Mat<const float> probe, const float* shares, Mat<const float> d_context,
                           Mat<const float> d_label, Mat<float> d_base, Mat<float> d_probe,
                           Mat<float> d_edge_map, Mat<float> d_source_map,
                           const Among<float>& d_among) {
  const LabelInputs inputs = pack(schedule, graph, attention, base, probe);
  const AmongPlan plan = plan_among(schedule, graph, attention, among, true);
  const std::int64_t maps = packed_maps_size(attention), of_layer = gradients_size(plan);
  const std::int64_t gradients = maps + among.layers * of_layer;
  const std::int64_t own = label_scratch_size(attention);
  // The gradients of the packed maps and of the layers, then work memory.
  const SlabSums sums(schedule, graph.rows,
                      gradients + own + AmongWork(plan, true, nullptr).size());
  schedule.rows(graph.rows, [=](std::int64_t begin, std::int64_t end) noexcept {
    float* const slab = sums.of(begin);
    float* const scratch = slab + gradients;
    if (sums.first(begin)) std::fill_n(slab, gradients, 0.0F);
    const AmongWork work(plan, true, scratch + own);
    for_groups(graph, begin, end, [&](std::int64_t first, std::int64_t last) {
      const AmongGroup group{graph.offsets + first, last - first, inputs.attention.edges,
                             inputs.attention.log_weights};
      label_tokens(inputs, first, last, work.tokens(), work.slopes(), scratch);
      token_attention_rows_backward(inputs, first, last, work.forward(group), shares, d_context,
                                    d_label, d_probe, work.gradient(), scratch);
      work.backward(group, slab + maps);
      label_tokens_backward(inputs, first, last, work.gradient(), work.slopes(), d_base, slab,
                            scratch);
    });
  });
  add_maps(schedule, sums, padded(base.cols), d_edge_map, d_source_map);
  add_layers(schedule, sums, plan, maps, d_among);
}

}  // namespace pegnn::cpu
