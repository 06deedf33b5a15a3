#pragma once
// Correlation functions of distance, shared by kriging and the Gaussian processes.

#include <string>

namespace pegnn {

// With u the distance over the length scale:
//   exponential (Matern 1/2)  exp(-u)
//   matern32                  (1 + sqrt(3) u) exp(-sqrt(3) u)
//   matern52                  (1 + sqrt(5) u + 5 u^2 / 3) exp(-sqrt(5) u)
//   gaussian (RBF)            exp(-u^2 / 2)
// Rasmussen and Williams, Gaussian Processes for Machine Learning, 2006, section 4.2.
enum class Covariance { exponential, matern32, matern52, gaussian };

// `--kernel` as an enumerator; `automatic` where it says auto.
Covariance covariance_of(const std::string& name, Covariance automatic);
const char* name_of(Covariance covariance);

// u is a distance over a length scale, at least 0.
double correlation(Covariance covariance, double u);

// -(1/u) d/du correlation: finite at zero but for the exponential, where u = 0 gives 0, which is
// right wherever it is multiplied by a difference of coordinates. The gradient by a coordinate
// difference delta_d / l_d is  -slope * delta_d / l_d, that by log l_d is  slope * (delta_d /
// l_d)^2.
double slope_over_u(Covariance covariance, double u);

}  // namespace pegnn
