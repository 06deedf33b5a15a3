// The engine's errors as Python exceptions.

#include <string>
#include <string_view>

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

bool is_letter(char c) { return c >= 'a' && c <= 'z'; }

// Whether an option may begin after this character.
bool parts_words(char c) { return std::string_view(" (`'\"/,").find(c) != std::string_view::npos; }

// Messages name options as the command has them; in Python --drop-missing is drop_missing, and
// words that are taken end in _.
std::string in_python(const std::string& message) {
  std::string text;
  for (std::size_t i = 0; i < message.size();) {
    const bool begins_word = i == 0 || parts_words(message[i - 1]);
    const bool flag = begins_word && message.compare(i, 2, "--") == 0 && i + 2 < message.size() &&
                      is_letter(message[i + 2]);
    if (!flag) {
      text += message[i++];
      continue;
    }
    const std::size_t word = text.size();
    for (i += 2; i < message.size() && (is_letter(message[i]) || message[i] == '-'); ++i) {
      text += message[i] == '-' ? '_' : message[i];
    }
    const std::string_view name = std::string_view(text).substr(word);
    if (name == "lambda" || name == "fit") text += '_';
  }
  return text;
}

}  // namespace

void bind_errors(py::module_& module) {
  module.def("in_python", &in_python, py::arg("message"));
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const Error& error) {
      const py::object type = py::module_::import("pegnn._errors").attr(class_of(error.kind()));
      PyErr_SetObject(type.ptr(), py::str(in_python(error.what())).ptr());
    }
  });
}

}  // namespace pegnn::python
