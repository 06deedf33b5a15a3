#include "flow/row_output.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <fmt/core.h>

#include "base/atomic_file.h"
#include "base/staged_files.h"
#include "base/text.h"
#include "base/thread_pool.h"
#include "flow/csv.h"
#include "flow/table_input.h"
#include "flow/vector_place.h"
#include "pegnn/error.h"
#include "pegnn/log.h"

namespace pegnn {
namespace {

[[noreturn]] void refuse(const std::string& what) { throw Error(ErrorKind::usage, what); }

void append_field(const Table& table, const AddedColumn& column, std::size_t row,
                  std::string& text) {
  text += table.delimiter();
  if (column.kind == AddedColumn::Kind::text) {
    text += csv_name(table, column.texts[row]);
  } else if (column.kind == AddedColumn::Kind::real) {
    append_csv_number(table, column.values[row], column.digits, text);
  } else if (!std::isnan(column.values[row])) {
    text += std::to_string(std::llround(column.values[row]));
  }
}

bool is_file(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored);
}

}  // namespace

RowOutput::RowOutput(std::string place, const FileFormat& format, bool overwrite, TextStream stream)
    : place_(std::move(place)), format_(format), overwrite_(overwrite) {
  const bool csv = lower(format_.format) == "csv";
  vector_ = !to_stream() && !csv && (!format_.format.empty() || has_vector_ending(place_));
  if (!vector_ && !format_.format.empty() && !csv) {
    refuse(fmt::format("<option:of> {} needs a file to write to, by <option:out>", format_.format));
  }
  if (!vector_ && !format_.creation.empty()) {
    refuse("<option:co> goes with vector files (.gpkg, .geojson, ...)");
  }
  if (!wanted()) {
    if (!format_.format.empty()) refuse("<option:of> needs a file to write to");
    return;
  }
  vector_ ? check_vector_file(overwrite) : void(csv_.emplace(place_, overwrite, std::move(stream)));
}

RowOutput::~RowOutput() = default;

void RowOutput::check_vector_file(bool overwrite) const {
  const Gdal& module = gdal(fmt::format("writing '{}'", place_));
  const std::filesystem::path file(place_);
  std::vector<std::filesystem::path> replaced{file};
  if (lower(file.extension().string()) == ".shp") {
    for (const char* companion : {".dbf", ".shx"}) {
      replaced.push_back(std::filesystem::path(file).replace_extension(companion));
    }
  }
  for (const std::filesystem::path& old : replaced) {
    if (!overwrite && is_file(old)) {
      refuse(fmt::format("'{}' exists; <option:overwrite> replaces it", old.string()));
    }
  }
  // What SQLite has not yet moved into the file would be taken for a part of the new one.
  std::error_code ignored;
  const std::filesystem::path log = place_ + "-wal";
  if (is_file(log) && std::filesystem::file_size(log, ignored) > 0) {
    refuse(fmt::format("'{}' is open in another program, which must close it first", place_));
  }
  module.check_output({.file = file, .format = format_.format, .creation = format_.creation});
  const std::filesystem::file_status status = std::filesystem::status(file, ignored);
  if (std::filesystem::is_directory(status)) {
    refuse(fmt::format("'{}' is a folder; name a file in it", place_));
  }
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    refuse(fmt::format("'{}' is not a file; vector data are written to files", place_));
  }
  const StagedFiles probe(file);
}

bool RowOutput::needs_text(const std::string& table) const {
  if (!wanted()) return false;
  // What is read again from a database is compared with what was read first.
  std::error_code ignored;
  return !vector_ || !is_vector_place(table) || !std::filesystem::exists(table, ignored);
}

void RowOutput::begin(const TableInput& input, const std::vector<AddedColumn>& added, Log& log) {
  if (!vector_) return;
  const Gdal& module = gdal(fmt::format("writing '{}'", place_));
  VectorPlan plan{.file = place_,
                  .format = format_.format,
                  .creation = format_.creation,
                  .added = added,
                  .crs = input.said_crs()};
  if (input.has_geometry()) {
    sink_ = module.create_layer(plan, input.query());
    return;
  }
  const CoordinateColumns& at = input.coordinates();
  if (!input.file_crs().known()) {
    log.warn(
        fmt::format("'{}' will not say what its coordinates are in; {} says what {}, {} "
                    "are in",
                    place_, log.option("crs"), at.x, at.y));
  }
  sink_ = module.create_points(plan, input.file_crs(), at.x, at.y);
}

void RowOutput::append(const Table& rows, std::span<const AddedColumn> added,
                       const ThreadPool& pool) {
  if (vector_) return sink_->append(rows, added);
  append_csv(rows, added, pool);
}

void RowOutput::append_csv(const Table& rows, std::span<const AddedColumn> added,
                           const ThreadPool& pool) {
  if (!header_written_) {
    std::string header = rows.header_text();
    for (const AddedColumn& column : added) {
      header += rows.delimiter() + csv_name(rows, column.name);
    }
    csv_->write(header + '\n');
    header_written_ = true;
  }
  // As many blocks at a time as give every thread some, few enough for little memory.
  constexpr std::int64_t kBlock = 1024, kBlocks = 64;
  std::vector<std::string> texts(kBlocks);
  for (std::int64_t done = 0; done < rows.rows(); done += kBlock * kBlocks) {
    const std::int64_t count = std::min(kBlock * kBlocks, rows.rows() - done);
    pool.for_blocks(count, kBlock, [&](std::int64_t begin, std::int64_t end) {
      std::string& text = texts[static_cast<std::size_t>(begin / kBlock)];
      text.clear();
      for (std::int64_t row = done + begin; row < done + end; ++row) {
        text += rows.row_text(row);
        for (const AddedColumn& column : added) {
          append_field(rows, column, static_cast<std::size_t>(row), text);
        }
        text += '\n';
      }
    });
    for (std::int64_t block = 0; block * kBlock < count; ++block) {
      csv_->write(texts[static_cast<std::size_t>(block)]);
    }
  }
}

void RowOutput::commit(Log& log) {
  if (csv_) csv_->commit();
  if (!sink_) return;
  sink_->commit();
  if (style_) style_->commit();
  for (const std::string& warning : sink_->warnings()) log.warn(warning);
}

void RowOutput::add_style(std::string_view qml, Log& log) {
  if (!vector_) return;
  const std::filesystem::path style = std::filesystem::path(place_).replace_extension(".qml");
  if (is_file(style) && !overwrite_) {
    log.note(fmt::format("kept the style '{}' that is there already", style.string()));
    return;
  }
  style_ = std::make_unique<AtomicFile>(style);
  style_->write(qml);
  style_->settle();
}

}  // namespace pegnn
