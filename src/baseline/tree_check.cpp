// The fields are those of XGBoost's documentation, "Introduction to Model IO" (JSON schema), as
// release 1.7 writes them for the settings of trees.cpp; release 2 leaves one out and adds one.

#include "baseline/tree_check.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <string_view>

#include <fmt/core.h>

#include "base/text.h"
#include "baseline/ubjson.h"

namespace pegnn {
namespace {

// The largest values of the options trees and tree-leaves.
constexpr std::size_t kMostTrees = 1'000'000;
constexpr std::size_t kMostNodes = 2 * 65536 - 1;

// Of a sum of trees, whose target has deviation 1: far beyond any that was learned, and well within
// floats.
constexpr double kLargest = 1e30;

using Names = std::initializer_list<std::string_view>;

void require(bool holds, std::string_view otherwise) {
  if (!holds) throw UbjsonFault(std::string(otherwise));
}

// An object whose members are known: all of `needed`, perhaps some of `possible`, and no others,
// which a release of the library might follow unchecked.
class Fields {
 public:
  Fields(const UbjsonValue& object, Names needed, Names possible = {})
      : members_(object.members()) {
    std::size_t known = needed.size();
    for (const std::string_view name : needed) {
      if (find(name) == nullptr) throw UbjsonFault(fmt::format("'{}' is missing", name));
    }
    for (const std::string_view name : possible) {
      if (find(name) != nullptr) ++known;
    }
    require(known == members_.size(), "it has a field that is not known");
  }

  const UbjsonValue& operator[](std::string_view name) const { return *find(name); }
  const UbjsonValue* find(std::string_view name) const {
    for (const auto& [key, value] : members_) {
      if (key == name) return &value;
    }
    return nullptr;
  }

  void expect_text(std::string_view name, Names allowed) const {
    const std::string_view text = (*this)[name].text();
    if (std::find(allowed.begin(), allowed.end(), text) == allowed.end()) {
      throw UbjsonFault(fmt::format("'{}' is not as expected", name));
    }
  }
  // The library keeps counts as text; written in another way it might read another number.
  std::int64_t count(std::string_view name) const {
    const std::string text((*this)[name].text());
    const auto number = parse_integer(text);
    if (!number || fmt::format("{}", *number) != text) {
      throw UbjsonFault(fmt::format("'{}' is not a count", name));
    }
    return *number;
  }
  void expect_count(std::string_view name, std::size_t wanted) const {
    if (count(name) != static_cast<std::int64_t>(wanted)) {
      throw UbjsonFault(fmt::format("'{}' is {}, not {}", name, count(name), wanted));
    }
  }
  template <class T>
  UbjsonNumbers<T> numbers(std::string_view name, std::size_t size) const {
    const UbjsonNumbers<T> found = (*this)[name].numbers<T>();
    if (found.size() != size) {
      throw UbjsonFault(fmt::format("'{}' has {} numbers, not {}", name, found.size(), size));
    }
    return found;
  }

 private:
  UbjsonValue::Members members_;
};

template <class T>
void require_in_range(const UbjsonNumbers<T>& numbers, T lowest, T highest, std::string_view what) {
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    require(numbers[i] >= lowest && numbers[i] <= highest, what);
  }
}

void require_finite(const UbjsonNumbers<float>& numbers, std::string_view what) {
  for (std::size_t i = 0; i < numbers.size(); ++i) require(std::isfinite(numbers[i]), what);
}

// Links lead away from the root and every node but the root hangs on one other. The library finds a
// right child next to the left one, whatever number it is given.
void check_links(const Fields& tree, std::size_t nodes) {
  const auto left = tree.numbers<std::int32_t>("left_children", nodes);
  const auto right = tree.numbers<std::int32_t>("right_children", nodes);
  const auto parents = tree.numbers<std::int32_t>("parents", nodes);
  require(parents[0] == -1 || parents[0] == std::numeric_limits<std::int32_t>::max(),
          "its root has a parent");
  std::size_t children = 0;
  for (std::size_t i = 0; i < nodes; ++i) {
    if (left[i] == -1 && right[i] == -1) continue;
    const auto node = static_cast<std::int64_t>(i);
    const std::int64_t first = left[i], second = right[i];
    require(first > node && second == first + 1 && second < static_cast<std::int64_t>(nodes),
            "a node has a child out of place");
    require(parents[static_cast<std::size_t>(first)] == node &&
                parents[static_cast<std::size_t>(second)] == node,
            "a node is not the parent of its children");
    children += 2;
  }
  require(children + 1 == nodes, "a node hangs on no other");
}

// Returns the largest number, without its sign, that the tree may answer with.
double check_tree(const UbjsonValue& value, std::size_t number, std::size_t columns) {
  const Fields tree(value, {"base_weights", "categories", "categories_nodes", "categories_segments",
                            "categories_sizes", "default_left", "id", "left_children",
                            "loss_changes", "parents", "right_children", "split_conditions",
                            "split_indices", "split_type", "sum_hessian", "tree_param"});
  require(tree["id"].integer() == static_cast<std::int64_t>(number), "it stands out of order");
  const auto left = tree["left_children"].numbers<std::int32_t>();
  const std::size_t nodes = left.size();
  require(nodes >= 1 && nodes <= kMostNodes, "it has no nodes or too many");

  const Fields counts(tree["tree_param"],
                      {"num_deleted", "num_feature", "num_nodes", "size_leaf_vector"});
  counts.expect_text("num_deleted", {"0"});
  counts.expect_text("size_leaf_vector", {"0", "1"});
  counts.expect_count("num_feature", columns);
  counts.expect_count("num_nodes", nodes);

  check_links(tree, nodes);
  require_in_range(tree.numbers<std::int32_t>("split_indices", nodes), 0,
                   static_cast<std::int32_t>(columns) - 1,
                   "a node asks for a column that is not there");
  require_in_range<std::uint8_t>(tree.numbers<std::uint8_t>("default_left", nodes), 0, 1,
                                 "a node has no side for what is missing");
  require_in_range<std::uint8_t>(tree.numbers<std::uint8_t>("split_type", nodes), 0, 0,
                                 "a node splits by category");
  for (const std::string_view name : {"categories", "categories_nodes"}) {
    tree.numbers<std::int32_t>(name, 0);
  }
  for (const std::string_view name : {"categories_segments", "categories_sizes"}) {
    tree.numbers<std::int64_t>(name, 0);
  }
  for (const std::string_view name :
       {"base_weights", "loss_changes", "split_conditions", "sum_hessian"}) {
    require_finite(tree.numbers<float>(name, nodes), "a number of a node is not finite");
  }

  const auto answers = tree.numbers<float>("split_conditions", nodes);
  double largest = 0;
  for (std::size_t i = 0; i < nodes; ++i) {
    if (left[i] == -1) largest = std::max(largest, std::abs(static_cast<double>(answers[i])));
  }
  return largest;
}

void check_forest(const UbjsonValue& value, std::size_t columns) {
  const Fields model(value, {"gbtree_model_param", "tree_info", "trees"}, {"iteration_indptr"});
  const std::vector<UbjsonValue> trees = model["trees"].items();
  require(!trees.empty() && trees.size() <= kMostTrees, "it has no trees or too many");

  const Fields counts(model["gbtree_model_param"], {"num_parallel_tree", "num_trees"},
                      {"size_leaf_vector"});
  counts.expect_count("num_trees", trees.size());
  counts.expect_text("num_parallel_tree", {"1"});  // the library divides by it
  if (counts.find("size_leaf_vector") != nullptr) counts.expect_text("size_leaf_vector", {"0"});

  const std::vector<UbjsonValue> outputs = model["tree_info"].items();
  require(outputs.size() == trees.size(), "'tree_info' does not fit the trees");
  for (const UbjsonValue& output : outputs) {
    require(output.integer() == 0, "a tree belongs to an output that is not there");
  }
  if (const UbjsonValue* const rounds = model.find("iteration_indptr"); rounds != nullptr) {
    const std::vector<UbjsonValue> first = rounds->items();
    require(first.size() == trees.size() + 1, "'iteration_indptr' does not fit the trees");
    for (std::size_t i = 0; i < first.size(); ++i) {
      require(first[i].integer() == static_cast<std::int64_t>(i), "a round is not one tree");
    }
  }

  double largest = 0;
  for (std::size_t i = 0; i < trees.size(); ++i) {
    try {
      largest += check_tree(trees[i], i, columns);
    } catch (const UbjsonFault& fault) {
      throw UbjsonFault(fmt::format("tree {}: {}", i + 1, fault.what()));
    }
  }
  require(largest <= kLargest, "its answers are too large");
}

void check_model(std::span<const std::uint8_t> bytes, std::int64_t columns) {
  const Fields all(UbjsonValue(bytes), {"learner", "version"});
  const std::vector<UbjsonValue> release = all["version"].items();
  require(release.size() == 3, "'version' is not as expected");
  for (const UbjsonValue& part : release) {
    require(part.integer() >= 0 && part.integer() < 1000, "'version' is not as expected");
  }
  const Fields learner(all["learner"], {"attributes", "feature_names", "feature_types",
                                        "gradient_booster", "learner_model_param", "objective"});
  require(learner["attributes"].members().empty() && learner["feature_names"].items().empty() &&
              learner["feature_types"].items().empty(),
          "it has names or attributes");

  const Fields shape(learner["learner_model_param"], {"base_score", "boost_from_average",
                                                      "num_class", "num_feature", "num_target"});
  if (shape.count("num_feature") != columns) {
    throw UbjsonFault(fmt::format("learned on {} columns; the model has {} columns",
                                  shape.count("num_feature"), columns));
  }
  shape.expect_text("base_score", {"0E0"});
  shape.expect_text("boost_from_average", {"0", "1"});
  shape.expect_text("num_class", {"0"});
  shape.expect_text("num_target", {"1"});

  const Fields objective(learner["objective"], {"name", "reg_loss_param"});
  objective.expect_text("name", {"reg:squarederror"});
  Fields(objective["reg_loss_param"], {"scale_pos_weight"}).expect_text("scale_pos_weight", {"1"});

  const Fields booster(learner["gradient_booster"], {"model", "name"});
  booster.expect_text("name", {"gbtree"});
  check_forest(booster["model"], static_cast<std::size_t>(columns));
}

}  // namespace

std::optional<std::string> fault_of_trees(std::span<const std::uint8_t> model,
                                          std::int64_t columns) {
  try {
    check_model(model, columns);
  } catch (const UbjsonFault& fault) {
    return fault.what();
  }
  return std::nullopt;
}

}  // namespace pegnn
