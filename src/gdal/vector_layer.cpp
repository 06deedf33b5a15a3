// A layer becomes a table: a column for every field, and two for the points.

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/core.h>

#include "base/text.h"
#include "base/utf8.h"
#include "gdal/crs.h"
#include "gdal/feature_point.h"
#include "gdal/feature_text.h"
#include "gdal/parts.h"
#include "gdal/vector_source.h"
#include "io/cell.h"

namespace pegnn::gdal_module {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kExcerpt = 40;  // characters of a cell shown in messages

bool is_number(const OGRFieldDefn& field) {
  const OGRFieldType type = field.GetType();
  return type == OFTInteger || type == OFTInteger64 || type == OFTReal;
}

class Layer final : public VectorLayer {
 public:
  explicit Layer(const LayerQuery& query)
      : source_(query),
        geometry_(source_.has_geometry()),
        crs_(geometry_ ? crs_of(source_.layer().GetSpatialRef(), source_.name()) : Crs{}),
        point_(query.centroid, crs_.known() && crs_.geographic),
        names_(source_.names()),
        keep_text_(query.keep_text) {
    if (geometry_) names_.insert(names_.end(), {kGeometryX, kGeometryY});
    for (int i = 0; i < source_.fields().GetFieldCount(); ++i) {
      numbers_.push_back(is_number(*source_.fields().GetFieldDefn(i)) ? 1 : 0);
      const std::string& name = names_[static_cast<std::size_t>(i)];
      keeps_words_.push_back(
          std::find(query.words.begin(), query.words.end(), name) != query.words.end() ? 1 : 0);
    }
  }

  const std::string& source() const override { return source_.name(); }
  const std::vector<std::string>& names() const override { return names_; }
  const Crs& crs() const override { return crs_; }

  Table next(std::int64_t most_rows) override {
    std::vector<Column> columns(names_.size());
    for (std::size_t c = 0; c < names_.size(); ++c) columns[c].name = names_[c];
    std::string text;
    std::vector<std::int64_t> begin;
    std::int64_t rows = 0;
    for (; rows < most_rows; ++rows) {
      const OGRFeatureUniquePtr feature = source_.next();
      if (feature == nullptr) break;
      for (std::size_t c = 0; c < numbers_.size(); ++c) add_field(*feature, c, rows, columns[c]);
      Point point{kNone, kNone};
      if (geometry_) {
        point = point_(feature->GetGeometryRef(), [&] {
          return fmt::format("{}: feature {}", source_.name(), read_ + rows + 1);
        });
        columns[numbers_.size()].values.push_back(point.x);
        columns[numbers_.size() + 1].values.push_back(point.y);
      }
      if (!keep_text_) continue;
      begin.push_back(std::ssize(text));
      append_line(*feature, geometry_ ? &point : nullptr, text);
      text += '\n';
    }
    return finish(std::move(columns), std::move(text), std::move(begin), rows);
  }

 private:
  void add_field(const OGRFeature& feature, std::size_t c, std::int64_t row, Column& column) {
    const int field = static_cast<int>(c);
    double value = kNone;
    if (feature.IsFieldSetAndNotNull(field) != 0) {
      value = numbers_[c] != 0
                  ? feature.GetFieldAsDouble(field)
                  : number_in(text_of(feature, field), row, keeps_words_[c] != 0, column);
    }
    column.values.push_back(value);
  }

  // Text counts as it would in a CSV file: a number in a field of strings is a number.
  static double number_in(std::string_view text, std::int64_t row, bool keep_word, Column& column) {
    const Cell cell = classify_cell(trim(text), false);
    if (cell.kind == CellKind::number) return cell.value;
    if (cell.kind == CellKind::text) {
      if (column.text_cells++ == 0) {
        column.first_text_row = row;
        column.first_text = excerpt(trim(text), kExcerpt);
      }
      if (keep_word) column.words.emplace_back(row, trim(text));
    }
    return kNone;
  }

  Table finish(std::vector<Column> columns, std::string text, std::vector<std::int64_t> begin,
               std::int64_t rows) {
    Table table(source_.name());
    for (Column& column : columns) table.add(std::move(column));
    // Sheets of a spreadsheet have their header in the first line.
    table.set_lines({read_ + (geometry_ ? 1 : 2)});
    table.set_crs(crs_);
    read_ += rows;
    if (!keep_text_) return table;
    begin.push_back(std::ssize(text));
    const bool geographic = crs_.known() && crs_.geographic;
    table.set_text(std::move(text), std::move(begin),
                   header_line(source_.names(), geometry_, geographic), ',');
    return table;
  }

  VectorSource source_;
  bool geometry_;
  Crs crs_;
  FeaturePoint point_;
  std::vector<std::string> names_;
  std::vector<char> numbers_;  // whether a field is one of numbers
  std::vector<char> keeps_words_;
  bool keep_text_;
  std::int64_t read_ = 0;  // features of the pieces before
};

}  // namespace

std::unique_ptr<VectorLayer> open_layer(const LayerQuery& query) {
  return std::make_unique<Layer>(query);
}

}  // namespace pegnn::gdal_module
