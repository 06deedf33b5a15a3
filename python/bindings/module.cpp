// The native half of the Python package: arrays, options and models. What users see is written in
// Python on top of it.

#include "bind.h"
#include "call.h"
#include "pegnn/version.h"

PYBIND11_MODULE(_native, module) {
  namespace python = pegnn::python;
  module.doc() = "The engine of pegnn. Private: use the functions and classes of `pegnn`.";
  module.attr("__version__") = pegnn::version();
  pybind11::module_::import("atexit").attr("register")(
      pybind11::cpp_function(&python::LongCall::end_all));
  python::bind_errors();
  python::bind_options(module);
  python::bind_table(module);
  python::bind_model(module);
  python::bind_map(module);
  python::bind_train(module);
  python::bind_evaluate(module);
  python::bind_stats(module);
  python::bind_parts(module);
}
