#include "baseline/trees.h"

#include "pegnn/error.h"

#ifdef PEGNN_WITH_XGBOOST

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <string>
#include <string_view>

#include <fmt/core.h>
#include <xgboost/c_api.h>

#include "base/assert.h"
#include "baseline/tree_check.h"

namespace pegnn {
namespace {

// Rounds without a lower error on the held rows before learning stops: two and a half full trees'
// worth at the default rate, to look past bumps of the curve.
constexpr std::int64_t kPatience = 50;

// Without held rows: this many full trees' worth of rounds, 300 at the default rate of 0.05. Held
// rows chose 50 to 500 on tables of 2,500 rows, and 150 to 1,300 on 15,000.
constexpr double kFixedWorth = 15;

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

void check(int status) {
  if (status == 0) return;
  const std::string_view message = XGBGetLastError();
  if (message.find(std::bad_alloc().what()) != std::string_view::npos) throw std::bad_alloc();
  // A trace of calls follows the first line.
  throw Error(ErrorKind::failure,
              fmt::format("boosted trees: {}", message.substr(0, message.find('\n'))));
}

// The library's setting is one per thread.
void silence() { check(XGBSetGlobalConfig(R"({"verbosity": 0})")); }

class Matrix {
 public:
  explicit Matrix(const TreeRows& rows) {
    const Mat<const float> x = rows.inputs;
    PEGNN_ASSERT(x.stride == x.cols, "inputs stand without gaps");
    check(XGDMatrixCreateFromMat(x.data, static_cast<bst_ulong>(x.rows),
                                 static_cast<bst_ulong>(x.cols),
                                 std::numeric_limits<float>::quiet_NaN(), &handle_));
    check(XGDMatrixSetFloatInfo(handle_, "label", rows.target.data(), rows.target.size()));
    if (rows.weight.empty()) return;
    check(XGDMatrixSetFloatInfo(handle_, "weight", rows.weight.data(), rows.weight.size()));
  }
  Matrix(const Matrix&) = delete;
  Matrix& operator=(const Matrix&) = delete;
  ~Matrix() { XGDMatrixFree(handle_); }
  DMatrixHandle get() const { return handle_; }

 private:
  DMatrixHandle handle_ = nullptr;
};

// The bytes carry a checksum (FNV-1a; Fowler, Noll, Vo): a flipped bit may leave a tree that is
// sound and says something else.
constexpr std::size_t kChecksumBytes = 8;

std::uint64_t checksum(std::span<const std::uint8_t> bytes) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const std::uint8_t byte : bytes) hash = (hash ^ byte) * 0x100000001b3U;
  return hash;
}

std::uint8_t checksum_byte(std::uint64_t hash, std::size_t at) {
  return static_cast<std::uint8_t>(hash >> (8 * at));
}

// Of the errors of predictions, by the weights of the rows.
double mean_square(std::span<const float> predicted, const TreeRows& rows) {
  double sum = 0;
  for (std::size_t i = 0; i < predicted.size(); ++i) {
    const double e = static_cast<double>(predicted[i]) - static_cast<double>(rows.target[i]);
    sum += rows.weight.empty() ? e * e : static_cast<double>(rows.weight[i]) * (e * e);
  }
  return sum / static_cast<double>(predicted.size());
}

}  // namespace

class Trees::Booster {
 public:
  explicit Booster(std::span<const DMatrixHandle> matrices) {
    silence();
    check(XGBoosterCreate(matrices.data(), static_cast<bst_ulong>(matrices.size()), &handle_));
    set("verbosity", "0");
    set("nthread", "1");
  }
  Booster(const Booster&) = delete;
  Booster& operator=(const Booster&) = delete;
  ~Booster() { XGBoosterFree(handle_); }

  void set(const char* name, const std::string& value) {
    check(XGBoosterSetParam(handle_, name, value.c_str()));
  }

  void prepare(const TreeSettings& settings) {
    set("objective", "reg:squarederror");
    set("base_score", "0");
    set("tree_method", "hist");
    set("grow_policy", "lossguide");
    set("max_depth", "0");
    set("max_leaves", fmt::format("{}", settings.leaves));
    set("eta", fmt::format("{}", settings.rate));
    set("seed", "0");  // nothing is drawn
  }

  void boost(const Matrix& rows, std::int64_t round) {
    check(XGBoosterUpdateOneIter(handle_, static_cast<int>(round), rows.get()));
  }

  // Valid until the next call; the library adds only the trees that are new since the last one.
  std::span<const float> predict(const Matrix& rows) {
    bst_ulong const* shape = nullptr;
    bst_ulong dimensions = 0;
    const float* values = nullptr;
    check(XGBoosterPredictFromDMatrix(handle_, rows.get(),
                                      R"({"type": 0, "training": true, "iteration_begin": 0,
                                          "iteration_end": 0, "strict_shape": false})",
                                      &shape, &dimensions, &values));
    return {values, shape[0]};
  }

  std::span<const float> predict(Mat<const float> x) {
    PEGNN_ASSERT(x.stride == x.cols, "inputs stand without gaps");
    const std::string array =
        fmt::format(R"({{"data": [{}, true], "shape": [{}, {}], "typestr": "<f4", "version": 3}})",
                    reinterpret_cast<std::uintptr_t>(x.data), x.rows, x.cols);
    bst_ulong const* shape = nullptr;
    bst_ulong dimensions = 0;
    const float* values = nullptr;
    check(XGBoosterPredictFromDense(handle_, array.c_str(),
                                    R"({"type": 0, "training": false, "iteration_begin": 0,
                                        "iteration_end": 0, "strict_shape": false,
                                        "missing": NaN, "cache_id": 0})",
                                    nullptr, &shape, &dimensions, &values));
    return {values, shape[0]};
  }

  // The first trees of these, in the library's binary JSON.
  std::vector<std::uint8_t> save(std::int64_t trees) {
    Booster first;
    check(XGBoosterSlice(handle_, 0, static_cast<int>(trees), 1, &first.handle_));
    bst_ulong size = 0;
    const char* data = nullptr;
    check(XGBoosterSaveModelToBuffer(first.handle_, R"({"format": "ubj"})", &size, &data));
    return {data, data + size};
  }

  void load(std::span<const std::uint8_t> bytes) {
    // Settings are taken up when something is asked for, which takes a number of columns; loading
    // into a booster that was never asked would use all cores. The model brings its own number.
    set("num_feature", "1");
    trees();
    check(XGBoosterLoadModelFromBuffer(handle_, bytes.data(), bytes.size()));
  }

  std::int64_t trees() const {
    int rounds = 0;
    check(XGBoosterBoostedRounds(handle_, &rounds));
    return rounds;
  }

 private:
  Booster() = default;
  BoosterHandle handle_ = nullptr;
};

bool trees_available() { return true; }

void Trees::fit(const TreeRows& rows, const TreeRows& held, const TreeSettings& settings,
                FitProgress& progress) {
  silence();
  const bool watched = !held.target.empty();
  const Matrix train(rows);
  std::unique_ptr<Matrix> watch;
  std::vector<DMatrixHandle> matrices{train.get()};
  if (watched) {
    watch = std::make_unique<Matrix>(held);
    matrices.push_back(watch->get());
  }
  Booster booster(matrices);
  booster.prepare(settings);

  std::int64_t rounds = settings.rounds;
  if (!watched) {
    rounds = std::min(rounds, static_cast<std::int64_t>(std::ceil(kFixedWorth / settings.rate)));
  }
  progress.expect(rounds);
  std::int64_t kept = 0;
  double best = std::numeric_limits<double>::infinity();
  const double square = settings.unit * settings.unit;
  bool more = true;
  for (std::int64_t round = 1; round <= rounds && more; ++round) {
    booster.boost(train, round - 1);
    const double learned = mean_square(booster.predict(train), rows);
    const double error = watched ? mean_square(booster.predict(*watch), held) : learned;
    if (!watched || error < best) {
      best = error;
      kept = round;
    }
    progress.step(learned * square, watched ? error * square : kUnknown);
    more = error > 0 && round - kept < kPatience;
  }
  if (watched) progress.best(kept, best * square);
  // From its own bytes, so that it predicts what a restored one does; the rows are let go. Trees
  // that could not be restored, as a later release might write them, are noticed here.
  std::vector<std::uint8_t> bytes = booster.save(kept);
  if (const auto fault = fault_of_trees(bytes, rows.inputs.cols)) {
    throw Error(ErrorKind::failure,
                fmt::format("boosted trees: XGBoost wrote what cannot be read back: {}", *fault));
  }
  load(std::move(bytes));
}

void Trees::load(std::vector<std::uint8_t> bytes) {
  auto booster = std::make_unique<Booster>(std::span<const DMatrixHandle>{});
  booster->load(bytes);
  bytes_ = std::move(bytes);
  booster_ = std::move(booster);
}

void Trees::store(Arrays& arrays) const {
  std::vector<std::uint8_t> bytes;
  bytes.reserve(kChecksumBytes + bytes_.size());
  const std::uint64_t hash = checksum(bytes_);
  for (std::size_t i = 0; i < kChecksumBytes; ++i) bytes.push_back(checksum_byte(hash, i));
  bytes.insert(bytes.end(), bytes_.begin(), bytes_.end());
  arrays.add_bytes("trees", std::move(bytes));
}

void Trees::restore(const ArrayReader& arrays, std::int64_t columns) {
  const std::span<const std::uint8_t> bytes = arrays.bytes("trees");
  if (bytes.size() <= kChecksumBytes) arrays.refuse("trees", "is too short");
  const std::span<const std::uint8_t> model = bytes.subspan(kChecksumBytes);
  const std::uint64_t hash = checksum(model);
  for (std::size_t i = 0; i < kChecksumBytes; ++i) {
    if (bytes[i] != checksum_byte(hash, i)) {
      arrays.refuse("trees", "is damaged: its checksum does not match");
    }
  }
  if (const auto fault = fault_of_trees(model, columns)) {
    arrays.refuse("trees", fmt::format("is damaged: {}", *fault));
  }
  try {
    load({model.begin(), model.end()});
  } catch (const Error& error) {
    arrays.refuse("trees", fmt::format("cannot be read ({})", error.what()));
  }
}

void Trees::predict(Mat<const float> inputs, std::span<float> out) const {
  silence();
  const std::span<const float> values = booster_->predict(inputs);
  if (values.size() != out.size()) {
    throw Error(ErrorKind::failure, fmt::format("boosted trees: {} predictions for {} rows",
                                                values.size(), out.size()));
  }
  std::copy(values.begin(), values.end(), out.begin());
}

std::int64_t Trees::size() const { return booster_->trees(); }

#else  // without the library

namespace pegnn {
namespace {

[[noreturn]] void refuse() {
  throw Error(ErrorKind::usage,
              "this build has no XGBoost; install it and configure with -DPEGNN_XGBOOST=ON, or "
              "choose another --model");
}

}  // namespace

class Trees::Booster {};

bool trees_available() { return false; }

void Trees::fit(const TreeRows&, const TreeRows&, const TreeSettings&, FitProgress&) { refuse(); }
void Trees::load(std::vector<std::uint8_t>) { refuse(); }
void Trees::store(Arrays&) const { refuse(); }
void Trees::restore(const ArrayReader&, std::int64_t) { refuse(); }
void Trees::predict(Mat<const float>, std::span<float>) const { refuse(); }
std::int64_t Trees::size() const { return 0; }

#endif

Trees::Trees() = default;
Trees::Trees(Trees&&) noexcept = default;
Trees& Trees::operator=(Trees&&) noexcept = default;
Trees::~Trees() = default;

}  // namespace pegnn
