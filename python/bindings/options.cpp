// The options of a model, by the names and with the sentences of the one description.

#include <string>
#include <type_traits>

#include <pybind11/stl.h>

#include "bind.h"
#include "pegnn/describe_options.h"
#include "pegnn/option_names.h"
#include "pegnn/train.h"

namespace pegnn::python {
namespace {

namespace py = pybind11;

// Every option with its value: [{name, group, value, lo, hi, words, list, sentence}, ...].
py::list described(const Options& options) {
  py::list list;
  describe(options, [&](const char* group, const char* name, const auto& value,
                        const Limits& limits, const char* sentence) {
    py::dict entry;
    entry["name"] = name;
    entry["group"] = group;
    entry["value"] = value;
    entry["lo"] = limits.lo;
    entry["hi"] = limits.hi;
    entry["words"] = limits.words;
    entry["list"] = limits.list;
    entry["sentence"] = with_options(sentence, OptionStyle::python);
    list.append(std::move(entry));
  });
  return list;
}

OptionRequest request_of(const std::string& preset, const std::vector<GivenOption>& given) {
  return {.preset = preset, .given = given};
}

}  // namespace

void bind_options(py::module_& module) {
  py::class_<GivenOption>(module, "GivenOption")
      .def(py::init<std::string, std::string, std::string>(), py::arg("name"), py::arg("value"),
           py::arg("origin"))
      .def_readonly("name", &GivenOption::name)
      .def_readonly("value", &GivenOption::value);
  py::class_<Options>(module, "Options").def("described", &described);
  py::class_<OptionRequest>(module, "OptionRequest")
      .def(py::init(&request_of), py::arg("preset"), py::arg("given"))
      .def("options", &options_for);
  module.def("preset", &preset, py::arg("name"));
  module.def(
      "option_name", [](const std::string& name) { return option_name(name, OptionStyle::python); },
      py::arg("name"));
}

}  // namespace pegnn::python
