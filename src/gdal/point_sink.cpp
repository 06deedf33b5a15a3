// Rows of a CSV table become points.

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/core.h>

#include "base/assert.h"
#include "gdal/crs.h"
#include "gdal/parts.h"
#include "gdal/vector_file.h"
#include "io/cell.h"
#include "io/row_cells.h"
#include "pegnn/error.h"

namespace pegnn::gdal_module {
namespace {

// 00501: a code, which a number would not keep.
bool is_code(std::string_view cell) {
  return cell.size() > 1 && cell[0] == '0' && cell[1] >= '0' && cell[1] <= '9';
}

double number(const std::string& cell, char delimiter) {
  const Cell found = classify_cell(cell, delimiter == ';');
  return found.kind == CellKind::number ? found.value : std::nan("");
}

class PointSink final : public VectorSink {
 public:
  PointSink(const VectorPlan& plan, const Crs& crs, std::string x, std::string y)
      : file_(plan), added_(plan.added), crs_(crs), x_(std::move(x)), y_(std::move(y)) {}

  void append(const Table& rows, std::span<const AddedColumn> added) override {
    if (!file_.begun()) begin(rows);
    check_numbers(rows);
    for (std::int64_t row = 0; row < rows.rows(); ++row) {
      const auto at = static_cast<std::size_t>(row);
      split(rows, row);
      OGRFeature feature = file_.new_feature();
      for (std::size_t c = 0; c < rows.columns().size(); ++c) {
        set_field(rows.columns()[c].values[at], c, feature);
      }
      // From the text: the columns may have been converted to another CRS.
      double x = number(cells_[at_x_], delimiter_);
      const double y = number(cells_[at_y_], delimiter_);
      if (crs_.known() && crs_.geographic && x > 180) x -= 360;
      if (std::isfinite(x) && std::isfinite(y)) {
        feature.SetGeometryDirectly(new OGRPoint(x, y));
      }
      file_.set_added(added, at, feature);
      file_.write(feature);
    }
  }

  void commit() override {
    PEGNN_ASSERT(file_.begun(), "a result has rows");
    file_.commit();
  }
  std::vector<std::string> warnings() const override { return file_.warnings(); }

 private:
  void split(const Table& rows, std::int64_t row) {
    delimiter_ = rows.delimiter();
    split_row(rows.row_text(row), rows.delimiter(), cells_);
    PEGNN_ASSERT(cells_.size() == rows.columns().size(), "a row has as many cells as columns");
  }

  // The first rows tell which columns hold text: those with text, with codes, or without anything.
  void begin(const Table& rows) {
    const std::vector<Column>& columns = rows.columns();
    std::vector<char> codes(columns.size(), 0);
    for (std::int64_t row = 0; row < rows.rows(); ++row) {
      split(rows, row);
      for (std::size_t c = 0; c < columns.size(); ++c) {
        if (is_code(cells_[c])) codes[c] = 1;
      }
    }
    std::vector<std::string> names;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const std::vector<double>& values = columns[c].values;
      const bool nothing =
          std::all_of(values.begin(), values.end(), [](double value) { return std::isnan(value); });
      const bool place = columns[c].name == x_ || columns[c].name == y_;
      text_.push_back(!place && (!columns[c].numeric() || nothing || codes[c] != 0) ? 1 : 0);
      if (columns[c].name == x_) at_x_ = c;
      if (columns[c].name == y_) at_y_ = c;
      names.push_back(columns[c].name == kRowNames ? "row_names" : columns[c].name);
    }
    create(names);
  }

  void create(const std::vector<std::string>& names) {
    std::vector<std::string> all = names;
    for (const AddedColumn& column : added_) all.push_back(column.name);
    if (crs_.known()) {
      const OGRSpatialReference reference = reference_of(crs_);
      file_.begin(&reference, wkbPoint, all);
    } else {
      file_.begin(nullptr, wkbPoint, all);
    }
    for (std::size_t c = 0; c < names.size(); ++c) {
      OGRFieldDefn field(names[c].c_str(), text_[c] != 0 ? OFTString : OFTReal);
      fields_.push_back(file_.add_field(field));
    }
    file_.add_fields(added_);
  }

  void check_numbers(const Table& rows) const {
    for (std::size_t c = 0; c < rows.columns().size(); ++c) {
      const Column& column = rows.columns()[c];
      if (text_[c] != 0 || column.numeric()) continue;
      throw Error(ErrorKind::data,
                  fmt::format("{}, {}, column '{}': '{}' is not a number, as all the rows before "
                              "have; a vector file cannot hold both: write CSV",
                              rows.source(), rows.where(column.first_text_row), column.name,
                              column.first_text));
    }
  }

  void set_field(double value, std::size_t c, OGRFeature& feature) const {
    if (text_[c] != 0) {
      if (!cells_[c].empty()) feature.SetField(fields_[c], cells_[c].c_str());
      return;
    }
    // Coordinates are written as they stand.
    if (c == at_x_ || c == at_y_) value = number(cells_[c], delimiter_);
    if (!std::isnan(value)) feature.SetField(fields_[c], value);
  }

  VectorFile file_;
  std::vector<AddedColumn> added_;
  Crs crs_;
  std::string x_, y_;
  std::size_t at_x_ = 0, at_y_ = 0;  // columns
  char delimiter_ = ',';
  std::vector<char> text_;   // whether a column holds text
  std::vector<int> fields_;  // of the file, by column
  std::vector<std::string> cells_;
};

}  // namespace

std::unique_ptr<VectorSink> create_points(const VectorPlan& plan, const Crs& crs,
                                          const std::string& x, const std::string& y) {
  return std::make_unique<PointSink>(plan, crs, x, y);
}

}  // namespace pegnn::gdal_module
