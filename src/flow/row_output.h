#pragma once
// The rows of a table with columns added, on their way to a CSV file, a stream or a vector file.

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "flow/output.h"
#include "io/gdal.h"
#include "pegnn/table.h"

namespace pegnn {

class Log;
class TableInput;
class ThreadPool;

// What kind of file is written.
struct FileFormat {
  std::string format = {};                 // GDAL's name of it, or CSV; empty: by the file's ending
  std::vector<std::string> creation = {};  // creation options of that format: NAME=VALUE
};

class RowOutput {
 public:
  // `place` is a file, "-" for `stream`, or empty: nothing is written. Errors as in Output: what
  // cannot be written is better learnt now than after an hour of work.
  RowOutput(std::string place, const FileFormat& format, bool overwrite, TextStream stream = {});
  ~RowOutput();

  bool wanted() const { return !place_.empty(); }
  bool to_stream() const { return place_ == "-"; }
  // Whether the rows of that table must keep their text.
  bool needs_text(const std::string& table) const;

  // Before the first rows: what will be added to them, as names, kinds and digits.
  void begin(const TableInput& input, const std::vector<AddedColumn>& added, Log& log);
  // Rows go out as they came in, of CSV byte for byte, with the values of those columns.
  void append(const Table& rows, std::span<const AddedColumn> added, const ThreadPool& pool);
  // A style for QGIS beside a vector file, which will appear with it; nothing for CSV. A style that
  // is there already stays unless files are to be replaced.
  void add_style(std::string_view qml, Log& log);
  // The file appears under its name. Warnings tell what its format did not keep.
  void commit(Log& log);

 private:
  void check_vector_file(bool overwrite) const;
  void append_csv(const Table& rows, std::span<const AddedColumn> added, const ThreadPool& pool);

  std::string place_;
  FileFormat format_;
  bool overwrite_;
  bool vector_ = false;
  bool header_written_ = false;
  std::optional<Output> csv_;
  std::unique_ptr<VectorSink> sink_;
  std::unique_ptr<AtomicFile> style_;
};

}  // namespace pegnn
