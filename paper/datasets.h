#pragma once
// The four data sets of the paper by name: where they come from, what its loader makes of them, and
// their rows, read from whatever form of them is in a folder.

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "pegnn/table.h"

namespace pegnn {

class Log;

// A file to fetch.
struct SourceFile {
  std::string_view name, url, sha256;  // sha256 is empty where it is not known
  std::int64_t bytes = 0;              // 0 where it is not known
  std::string_view also = {};          // another name under which it is found
};

// A column as it is known to be.
struct KnownColumn {
  std::string_view name;
  double min, mean, max;  // to seven digits or more
};

// The values of a data set, or of a part of it, as they are known to be.
struct Edition {
  std::int64_t rows = 0;
  std::string_view digest;  // of `value_digest`; empty where only the columns are known
  std::span<const KnownColumn> columns;
};

struct DatasetEntry {
  std::string_view name;     // what the user types: "california-housing"
  std::string_view title;    // "California Housing"
  std::string_view source;   // who made it and where it is described
  std::string_view licence;  // as far as it is known
  std::string_view rules;    // what the paper's loader makes of the source
  std::string_view remark;   // what a reader of results must know; may be empty
  std::int64_t rows;         // of the whole
  std::string_view x, y;     // columns of longitude and latitude
  std::string_view target;
  std::span<const std::string_view> features;  // of the regression task, in the loader's order
  std::string_view prepared;            // the whole as a table of its own: NAME.csv or NAME.csv.gz
  std::string_view part;                // a part of it in the same form; empty: none is known
  std::span<const SourceFile> sources;  // together they hold the whole
  // What the loader makes of them; given in the order of `sources`.
  Table (*read_sources)(std::span<const std::filesystem::path> files);
  Edition whole, known_part;
};

// In the order of the paper.
std::span<const DatasetEntry* const> datasets();

// Error{usage} with the nearest and all known names when there is none of that name.
const DatasetEntry& find_dataset(const std::string& name);

struct PaperData {
  const DatasetEntry* entry = nullptr;
  Table table;            // its rows, columns under the entry's names
  Roles roles;            // geographic, the target, all features of the regression task
  std::string file;       // what it was read from
  bool whole = true;      // false: a part, such as 5,000 rows of 3D Road
  bool verified = false;  // the values are those that are known
};

// Reads the data set from what `folder` holds of it: the whole before a part. Says in a note what
// it has; values other than the known ones are a warning that names what differs. Error{data} when
// nothing is there (with what to fetch, and where to put it), for a column that is missing and for
// a cell that is no number.
PaperData load_dataset(const DatasetEntry& entry, const std::filesystem::path& folder, Log& log);

// SHA-256 of the number of rows and then the values of x, y, the target and the features, column
// by column: a 64-bit integer and doubles as little-endian bytes.
std::string value_digest(const Table& table, const DatasetEntry& entry);

// PEGNN_DATA where it is set, else pegnn in XDG_CACHE_HOME, else in .cache of the home folder.
std::filesystem::path default_data_folder();

}  // namespace pegnn
