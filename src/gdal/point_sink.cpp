// Rows of a CSV table become points.

#include <cmath>
#include <utility>

#include <fmt/core.h>

#include "base/assert.h"
#include "base/utf8.h"
#include "gdal/crs.h"
#include "gdal/field_kind.h"
#include "gdal/parts.h"
#include "gdal/vector_file.h"
#include "io/cell.h"
#include "io/row_cells.h"
#include "pegnn/error.h"

namespace pegnn::gdal_module {
namespace {

double number(const std::string& cell, char delimiter) {
  const Cell found = classify_cell(cell, delimiter == ';');
  return found.kind == CellKind::number ? found.value : std::nan("");
}

OGRFieldType type_of(FieldKind kind) {
  switch (kind) {
    case FieldKind::real:
      return OFTReal;
    case FieldKind::integer:
      return OFTInteger64;
    case FieldKind::text:
      break;
  }
  return OFTString;
}

class PointSink final : public VectorSink {
 public:
  PointSink(const VectorPlan& plan, const Crs& crs, std::string x, std::string y)
      : file_(plan), added_(plan.added), crs_(crs), x_(std::move(x)), y_(std::move(y)) {}

  void append(const Table& rows, std::span<const AddedColumn> added) override {
    if (!file_.begun()) begin(rows);
    for (std::int64_t row = 0; row < rows.rows(); ++row) {
      const auto at = static_cast<std::size_t>(row);
      split(rows, row);
      OGRFeature feature = file_.new_feature();
      for (std::size_t c = 0; c < rows.columns().size(); ++c) set_field(rows, row, c, feature);
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

  // The first rows tell what the columns hold.
  void begin(const Table& rows) {
    const std::vector<Column>& columns = rows.columns();
    std::vector<ColumnKind> kinds(columns.size());
    for (std::int64_t row = 0; row < rows.rows(); ++row) {
      split(rows, row);
      for (std::size_t c = 0; c < columns.size(); ++c) kinds[c].add(cells_[c], delimiter_ == ';');
    }
    std::vector<std::string> names;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const bool place = columns[c].name == x_ || columns[c].name == y_;
      kinds_.push_back(place ? FieldKind::real : kinds[c].kind(file_.has_integers()));
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
      OGRFieldDefn field(names[c].c_str(), type_of(kinds_[c]));
      fields_.push_back(file_.add_field(field));
    }
    file_.add_fields(added_);
  }

  void set_field(const Table& rows, std::int64_t row, std::size_t c, OGRFeature& feature) const {
    const std::string& cell = cells_[c];
    if (kinds_[c] == FieldKind::text) {
      if (!cell.empty()) feature.SetField(fields_[c], cell.c_str());
      return;
    }
    // Coordinates are written as they stand, in whatever form.
    const bool place = c == at_x_ || c == at_y_;
    const CellForm form = form_of(cell, delimiter_ == ';');
    if (form.kind == CellForm::Kind::missing) return;
    if (form.kind == CellForm::Kind::integer && kinds_[c] == FieldKind::integer) {
      feature.SetField(fields_[c], static_cast<GIntBig>(form.integer));
    } else if (kinds_[c] == FieldKind::real && (place || form.fits_real())) {
      feature.SetField(fields_[c], number(cell, delimiter_));
    } else {
      fail_cell(rows, row, c);
    }
  }

  [[noreturn]] void fail_cell(const Table& rows, std::int64_t row, std::size_t c) const {
    constexpr std::size_t kExcerpt = 40;
    throw Error(ErrorKind::data,
                fmt::format("{}, {}, column '{}': '{}' does not fit among the {} that the first "
                            "rows have; a vector file cannot hold both: write CSV",
                            rows.source(), rows.where(row), rows.columns()[c].name,
                            excerpt(cells_[c], kExcerpt),
                            kinds_[c] == FieldKind::integer ? "whole numbers" : "numbers"));
  }

  VectorFile file_;
  std::vector<AddedColumn> added_;
  Crs crs_;
  std::string x_, y_;
  std::size_t at_x_ = 0, at_y_ = 0;  // columns
  char delimiter_ = ',';
  std::vector<FieldKind> kinds_;  // by column
  std::vector<int> fields_;       // of the file, by column
  std::vector<std::string> cells_;
};

}  // namespace

std::unique_ptr<VectorSink> create_points(const VectorPlan& plan, const Crs& crs,
                                          const std::string& x, const std::string& y) {
  return std::make_unique<PointSink>(plan, crs, x, y);
}

}  // namespace pegnn::gdal_module
