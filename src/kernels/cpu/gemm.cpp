#include "kernels/cpu/gemm.h"

#ifdef PEGNN_WITH_ONEDNN
#include <algorithm>

#include <omp.h>

#include <oneapi/dnnl/dnnl.h>

#include "base/aligned_buffer.h"
#include "base/assert.h"
#include "base/held_signals.h"
#endif

namespace pegnn::cpu {

#ifdef PEGNN_WITH_ONEDNN

namespace {

// Keeps oneDNN, which takes its threads from OpenMP, on the calling thread.
class OneThread {
 public:
  OneThread() : before_(omp_get_max_threads()) {
    if (before_ != 1) omp_set_num_threads(1);
  }
  ~OneThread() {
    if (before_ != 1) omp_set_num_threads(before_);
  }
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;

 private:
  int before_;
};

void sgemm(bool transpose_a, bool transpose_b, Mat<const float> a, Mat<const float> b, Mat<float> c,
           bool accumulate) noexcept {
  const OneThread one_thread;
  // oneDNN before 3.12 lets the stack pointer point into the heap here: a handler that runs then
  // overwrites other people's memory (uxlfoundation/oneDNN, issue 4845).
  const HeldSignals held;
  const std::int64_t inner = transpose_a ? a.rows : a.cols;
  const dnnl_status_t status =
      dnnl_sgemm(transpose_a ? 'T' : 'N', transpose_b ? 'T' : 'N', c.rows, c.cols, inner, 1.0F,
                 a.data, a.stride, b.data, b.stride, accumulate ? 1.0F : 0.0F, c.data, c.stride);
  PEGNN_ASSERT(status == dnnl_success, "oneDNN accepts every shape with positive strides");
}

// How oneDNN takes the sums of a row depends on how many rows there are: its AVX-512 code goes
// another way below 16 rows, its AVX2 code treats what remains after groups of six apart. With rows
// in multiples of 48, the last ones filled up with zeros, every row gets the same bits wherever it
// stands (tests/kernels checks it; tried for AVX-512, AVX2, AVX and SSE4.1 by DNNL_MAX_CPU_ISA).
constexpr std::int64_t kRowGroup = 48;

// Never more than a few hundred kilobytes per thread, allocated the first time it is needed.
float* padding(std::int64_t size) {
  static thread_local AlignedBuffer<float> buffer;
  buffer.resize(size);
  return buffer.data();
}

}  // namespace

void gemm(bool transpose_a, bool transpose_b, Mat<const float> a, Mat<const float> b, Mat<float> c,
          bool accumulate) noexcept {
  if (transpose_a) {
    sgemm(true, transpose_b, a, b, c, accumulate);
    return;
  }
  const std::int64_t whole = c.rows / kRowGroup * kRowGroup;
  const std::int64_t rest = c.rows - whole;
  if (whole > 0) {
    sgemm(false, transpose_b, a.block(0, whole), b, c.block(0, whole), accumulate);
  }
  if (rest == 0) return;
  float* scratch = padding(kRowGroup * (a.cols + c.cols));
  const Mat<float> padded_a(scratch, kRowGroup, a.cols);
  const Mat<float> padded_c(scratch + kRowGroup * a.cols, kRowGroup, c.cols);
  for (std::int64_t i = 0; i < rest; ++i) {
    std::copy_n(a.row(whole + i), a.cols, padded_a.row(i));
    if (accumulate) std::copy_n(c.row(whole + i), c.cols, padded_c.row(i));
  }
  sgemm(false, transpose_b, padded_a, b, padded_c, accumulate);
  for (std::int64_t i = 0; i < rest; ++i) {
    std::copy_n(padded_c.row(i), c.cols, c.row(whole + i));
  }
}

#else  // A build without the library: correct, deterministic, slow.

void gemm(bool transpose_a, bool transpose_b, Mat<const float> a, Mat<const float> b, Mat<float> c,
          bool accumulate) noexcept {
  const std::int64_t inner = transpose_a ? a.rows : a.cols;
  for (std::int64_t i = 0; i < c.rows; ++i) {
    float* row = c.row(i);
    if (!accumulate) {
      for (std::int64_t j = 0; j < c.cols; ++j) row[j] = 0;
    }
    for (std::int64_t l = 0; l < inner; ++l) {
      const float left = transpose_a ? a(l, i) : a(i, l);
      for (std::int64_t j = 0; j < c.cols; ++j) row[j] += left * (transpose_b ? b(j, l) : b(l, j));
    }
  }
}

#endif

}  // namespace pegnn::cpu
