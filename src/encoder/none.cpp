// No positional encoder: the backbone sees the features alone, as the plain networks of the paper's
// tables do.

#include "encoder/encoder.h"

namespace pegnn {
namespace {

template <class T>
class None final : public Encoder<T> {
 public:
  std::int64_t basis_width() const override { return 0; }
  std::int64_t width() const override { return 0; }
  void plan(Builder) override {}
  void initialise(Initialiser<T>&) const override {}
  void basis(const Kernels<T>&, const ThreadPool&, Mat<const double>, Mat<T>) const override {}
  void forward(const Pass<T>&, Mat<const T>, Mat<T>) override {}
  void backward(const Pass<T>&, Mat<const T>, Mat<const T>, Mat<T>) override {}
};

}  // namespace

extern constinit const EncoderEntry none_encoder{
    .info = {.name = "none",
             .summary = "No encoder: the network sees the features alone.",
             .source = "the plain networks of Klemmer et al. 2023, Tables 1 and 2"},
    .make_float = [](const Options&) -> std::unique_ptr<Encoder<float>> {
      return std::make_unique<None<float>>();
    },
    .make_double = [](const Options&) -> std::unique_ptr<Encoder<double>> {
      return std::make_unique<None<double>>();
    }};

}  // namespace pegnn
