// The engine's errors as Python exceptions.

#include "bind.h"
#include "pegnn/error.h"

namespace pegnn::python {
namespace {

namespace py = pybind11;

const char* class_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::usage:
      return "UsageError";
    case ErrorKind::data:
      return "DataError";
    case ErrorKind::model:
      return "ModelError";
    case ErrorKind::resource:
      return "ResourceError";
    case ErrorKind::memory:
      return "OutOfMemoryError";
    case ErrorKind::failure:
    case ErrorKind::interrupted:
      break;
  }
  return "TrainingError";
}

}  // namespace

void bind_errors() {
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const Error& error) {
      const py::object type = py::module_::import("pegnn._errors").attr(class_of(error.kind()));
      PyErr_SetString(type.ptr(), error.message(OptionStyle::python).c_str());
    }
  });
}

}  // namespace pegnn::python
