#pragma once
// The numbers that the paper printed, and those of an independent run of its protocol.

#include <span>
#include <string_view>

#include "paper/reproduction.h"

namespace pegnn {

enum class Task {
  interpolation,  // Table 1: from coordinates alone
  regression,     // Table 2: from coordinates and features
};
const char* name_of(Task task);  // "interpolation", "regression"

// A row of Table 1 or 2. Errors by data set, in the order of `paper_datasets`.
struct PublishedRow {
  std::string_view name;   // "PE-GCN λ=0.25"
  std::string_view model;  // what --model calls it
  double lambda;           // NaN: no auxiliary task in that model
  bool line_above;
  Errors errors[4];
};
std::span<const PublishedRow> published_rows(Task task);

// Names of the data sets that the task's table has columns for.
std::span<const std::string_view> paper_datasets(Task task);

// What the same protocol gave in PyTorch Geometric and GPyTorch; NaN where it was not run.
Errors independent_errors(std::string_view dataset, Task task, std::string_view model,
                          double lambda);

struct PublishedStep {
  std::string_view name, model;
  double lambda;
  double seconds;
};
std::span<const PublishedStep> published_steps();

}  // namespace pegnn
