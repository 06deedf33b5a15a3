#pragma once
// What each file of this folder adds to the module.

#include <pybind11/pybind11.h>

namespace pegnn::python {

void bind_errors();
void bind_options(pybind11::module_& module);
void bind_table(pybind11::module_& module);
void bind_model(pybind11::module_& module);
void bind_map(pybind11::module_& module);
void bind_train(pybind11::module_& module);
void bind_evaluate(pybind11::module_& module);
void bind_stats(pybind11::module_& module);
void bind_parts(pybind11::module_& module);

}  // namespace pegnn::python
