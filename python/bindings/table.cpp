// Tables, the parts their columns play, and reference systems.

#include <cmath>
#include <string>
#include <vector>

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include "arrays.h"
#include "bind.h"
#include "call.h"
#include "pegnn/table.h"

namespace pegnn {

// The sample of `pegnn demo`.
extern const char airports_csv[];

}  // namespace pegnn

namespace pegnn::python {
namespace {

// Numbers of any layout become a column.
void add_numbers(Table& table, std::string name, const py::array_t<double>& values) {
  const auto from = values.unchecked<1>();
  std::vector<double> column(static_cast<std::size_t>(from.shape(0)));
  for (py::ssize_t i = 0; i < from.shape(0); ++i) column[static_cast<std::size_t>(i)] = from(i);
  table.add(std::move(name), std::move(column));
}

// A column with text in it: what is no number is NaN, and the first such cell is told.
void add_text(Table& table, std::string name, const py::array_t<double>& values,
              std::int64_t text_cells, std::int64_t first_row, std::string first_text,
              std::vector<std::pair<std::int64_t, std::string>> words) {
  const auto from = values.unchecked<1>();
  Column column;
  column.name = std::move(name);
  column.values.resize(static_cast<std::size_t>(from.shape(0)));
  for (py::ssize_t i = 0; i < from.shape(0); ++i) {
    column.values[static_cast<std::size_t>(i)] = from(i);
  }
  column.text_cells = text_cells;
  column.first_text_row = first_row;
  column.first_text = std::move(first_text);
  column.words = std::move(words);
  table.add(std::move(column));
}

// The numbers of a column, without a copy: the array keeps the table alive.
py::array column_array(const py::object& self, const std::string& name) {
  const Column* const column = self.cast<const Table&>().find(name);
  if (column == nullptr) throw py::key_error(name);
  const py::array_t<double> values(static_cast<py::ssize_t>(column->values.size()),
                                   column->values.data(), self);
  values.attr("setflags")(py::arg("write") = false);
  return values;
}

std::vector<std::string> names_of(const Table& table) {
  std::vector<std::string> names;
  for (const Column& column : table.columns()) names.push_back(column.name);
  return names;
}

Roles roles_of(const Table& table, const ColumnChoice& choice, py::object log) {
  CallableLog talk(std::move(log));
  return resolve_roles(table, choice, talk);
}

}  // namespace

void bind_table(py::module_& module) {
  module.attr("GEOMETRY_X") = kGeometryX;
  module.attr("GEOMETRY_Y") = kGeometryY;
  py::class_<Crs>(module, "Crs")
      .def(py::init<>())
      .def(py::init<std::string, std::string, bool, double>(), py::arg("wkt"), py::arg("name"),
           py::arg("geographic"), py::arg("metres_per_unit"))
      .def_readonly("wkt", &Crs::wkt)
      .def_readonly("name", &Crs::name)
      .def_readonly("geographic", &Crs::geographic)
      .def_readonly("metres_per_unit", &Crs::metres_per_unit);
  module.def("lonlat_wkt", [] { return lonlat_crs().wkt; });
  py::class_<Table>(module, "Table")
      .def(py::init<std::string>(), py::arg("source"))
      .def_property_readonly("source", &Table::source)
      .def_property_readonly("rows", &Table::rows)
      .def_property_readonly("names", &names_of)
      .def_property("crs", &Table::crs, &Table::set_crs)
      .def("add", &add_numbers, py::arg("name"), py::arg("values"))
      .def("add_text", &add_text, py::arg("name"), py::arg("values"), py::arg("text_cells"),
           py::arg("first_row"), py::arg("first_text"),
           py::arg("words") = std::vector<std::pair<std::int64_t, std::string>>{})
      .def("is_numeric",
           [](const Table& table, const std::string& name) {
             const Column* const column = table.find(name);
             return column != nullptr && column->numeric();
           })
      .def("column", &column_array, py::arg("name"));
  py::class_<ColumnChoice>(module, "ColumnChoice")
      .def(py::init<>())
      .def_readwrite("lon", &ColumnChoice::lon)
      .def_readwrite("lat", &ColumnChoice::lat)
      .def_readwrite("x", &ColumnChoice::x)
      .def_readwrite("y", &ColumnChoice::y)
      .def_readwrite("target", &ColumnChoice::target)
      .def_readwrite("weight", &ColumnChoice::weight)
      .def_readwrite("fold", &ColumnChoice::fold)
      .def_readwrite("features", &ColumnChoice::features)
      .def_readwrite("no_features", &ColumnChoice::no_features)
      .def_readwrite("target_option", &ColumnChoice::target_option);
  py::class_<Roles>(module, "Roles")
      .def_readonly("x", &Roles::x)
      .def_readonly("y", &Roles::y)
      .def_readonly("geographic", &Roles::geographic)
      .def_readonly("target", &Roles::target)
      .def_readonly("weight", &Roles::weight)
      .def_readonly("features", &Roles::features)
      .def_readonly("crs", &Roles::crs);
  module.def("resolve_roles", &roles_of, py::arg("table"), py::arg("choice"), py::arg("log"));
  module.def("sample_table", [] { return parse_table(airports_csv, "airports.csv"); });
  module.def(
      "read_table",
      [](const std::filesystem::path& file, std::vector<std::string> words) {
        return read_table(file, {.words = std::move(words)});
      },
      py::arg("file"), py::arg("words") = std::vector<std::string>{},
      py::call_guard<py::gil_scoped_release>());
}

}  // namespace pegnn::python
