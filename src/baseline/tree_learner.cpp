#include "baseline/tree_learner.h"

#include "pegnn/error.h"

#ifdef PEGNN_WITH_XGBOOST

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/core.h>
#include <xgboost/c_api.h>
#include <nlohmann/json.hpp>

#include "base/assert.h"

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

// Of the errors of predictions, by the weights of the rows.
double mean_square(std::span<const float> predicted, const TreeRows& rows) {
  double sum = 0;
  for (std::size_t i = 0; i < predicted.size(); ++i) {
    const double e = static_cast<double>(predicted[i]) - static_cast<double>(rows.target[i]);
    sum += rows.weight.empty() ? e * e : static_cast<double>(rows.weight[i]) * (e * e);
  }
  return sum / static_cast<double>(predicted.size());
}

class Booster {
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

  // By the first trees, of rows that need not have been learned from.
  std::span<const float> predict(Mat<const float> x, std::int64_t trees) {
    PEGNN_ASSERT(x.stride == x.cols, "inputs stand without gaps");
    const std::string array =
        fmt::format(R"({{"data": [{}, true], "shape": [{}, {}], "typestr": "<f4", "version": 3}})",
                    reinterpret_cast<std::uintptr_t>(x.data), x.rows, x.cols);
    const std::string how = fmt::format(
        R"({{"type": 0, "training": false, "iteration_begin": 0, "iteration_end": {},
             "strict_shape": false, "missing": NaN, "cache_id": 0}})",
        trees);
    bst_ulong const* shape = nullptr;
    bst_ulong dimensions = 0;
    const float* values = nullptr;
    check(XGBoosterPredictFromDense(handle_, array.c_str(), how.c_str(), nullptr, &shape,
                                    &dimensions, &values));
    return {values, shape[0]};
  }

  // The model as the library writes it, whose binary JSON has every bit of a float.
  nlohmann::json model() const {
    bst_ulong size = 0;
    const char* data = nullptr;
    check(XGBoosterSaveModelToBuffer(handle_, R"({"format": "ubj"})", &size, &data));
    return nlohmann::json::from_ubjson(data, data + size);
  }

 private:
  BoosterHandle handle_ = nullptr;
};

// The first trees of a model, whose fields are told in XGBoost's documentation, "Introduction to
// Model IO". A node's children stand side by side there, too; a leaf has none and keeps its answer
// where a split has its threshold. The side for missing numbers is left out: there are none.
Trees plain(const nlohmann::json& model, std::int64_t count) {
  const nlohmann::json& all = model.at("learner").at("gradient_booster").at("model").at("trees");
  std::vector<TreeNode> nodes;
  std::vector<std::int32_t> roots;
  for (std::size_t tree = 0; tree < static_cast<std::size_t>(count); ++tree) {
    const auto root = static_cast<std::int32_t>(nodes.size());
    roots.push_back(root);
    const nlohmann::json &left = all.at(tree).at("left_children"),
                         &right = all.at(tree).at("right_children"),
                         &columns = all.at(tree).at("split_indices"),
                         &values = all.at(tree).at("split_conditions");
    for (std::size_t i = 0; i < left.size(); ++i) {
      TreeNode node{.value = values.at(i).get<float>()};
      if (const auto child = left[i].get<std::int32_t>(); child >= 0) {
        if (right.at(i).get<std::int32_t>() != child + 1) {
          throw Error(ErrorKind::failure, "boosted trees: XGBoost parted the children of a node");
        }
        node.column = columns.at(i).get<std::int32_t>();
        node.left = root + child;
      }
      nodes.push_back(node);
    }
  }
  return {std::move(nodes), std::move(roots)};
}

// Throws Error{failure} for what another release of the library might write.
Trees trees_of(const Booster& booster, std::int64_t count, std::int64_t columns) {
  try {
    Trees trees = plain(booster.model(), count);
    if (const auto fault = trees.fault(columns)) {
      throw Error(ErrorKind::failure, fmt::format("boosted trees of XGBoost: {}", *fault));
    }
    return trees;
  } catch (const nlohmann::json::exception& error) {
    throw Error(ErrorKind::failure,
                fmt::format("boosted trees: XGBoost wrote what is not known: {}", error.what()));
  }
}

}  // namespace

bool can_learn_trees() { return true; }

Trees learn_trees(const TreeRows& rows, const TreeRows& held, const TreeSettings& settings,
                  FitProgress& progress, const TreeOracle* oracle) {
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
  if (oracle != nullptr) {
    const std::span<const float> answers = booster.predict(oracle->inputs, kept);
    PEGNN_ASSERT(answers.size() == oracle->answers.size(), "a row has one answer");
    std::copy(answers.begin(), answers.end(), oracle->answers.begin());
  }
  return trees_of(booster, kept, rows.inputs.cols);
}

#else  // without the library

namespace pegnn {

bool can_learn_trees() { return false; }

Trees learn_trees(const TreeRows&, const TreeRows&, const TreeSettings&, FitProgress&,
                  const TreeOracle*) {
  throw Error(ErrorKind::usage,
              "this build has no XGBoost, which learns boosted trees; install it and configure "
              "with -DPEGNN_XGBOOST=ON, or choose another <option:model>");
}

#endif

}  // namespace pegnn
