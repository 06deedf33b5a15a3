// The reader of delimited text beside GDAL's (OGR's driver CSV): a table that is drawn and written
// by the rules of RFC 4180 comes back from both as it was drawn.

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include <cpl_error.h>
#include <cpl_vsi.h>
#include <gdal.h>
#include <ogr_api.h>

#include "base/text.h"
#include "fuzz.h"
#include "io/cell.h"
#include "io/row_cells.h"
#include "pegnn/table.h"

namespace pegnn::fuzz {
namespace {

constexpr const char* kFile = "/vsimem/t.csv";

using Row = std::vector<std::string>;

struct Drawn {
  char delimiter = ',';
  Row names;
  std::vector<Row> rows;
  std::string text;  // as a file
};

// Without spaces at its ends, which our reader does not count.
std::string draw_cell(Bytes& bytes) {
  constexpr const char* kPieces[] = {"a",    "b",   "1",  "2",   "0",      "9",   ".",
                                     ",",    ";",   "\t", "|",   "\"",     "\n",  " ",
                                     "-",    "e",   "+",  "NA",  "nan",    "inf", "\xC3\xBC",
                                     "\"\"", "1.5", "-3", "1e5", "1e-320", "x y", "'"};
  std::string cell;
  for (std::size_t left = bytes.ConsumeIntegral<std::uint8_t>() % 6U; left > 0; --left) {
    cell += kPieces[bytes.ConsumeIntegral<std::uint8_t>() % std::size(kPieces)];
  }
  return std::string(trim(cell));
}

std::string written(const std::string& cell, Bytes& bytes) {
  const bool needs = cell.find_first_of(",;\t|\"\n ") != std::string::npos;
  const auto style = bytes.ConsumeIntegral<std::uint8_t>();
  if (!needs && (style & 1) == 0) return cell;
  std::string text = "\"";
  for (const char c : cell) text += c == '"' ? std::string("\"\"") : std::string(1, c);
  return text + '"';
}

Drawn draw(Bytes& bytes) {
  constexpr char kDelimiters[] = {',', ';', '\t'};  // those that GDAL finds out
  Drawn drawn;
  drawn.delimiter = kDelimiters[bytes.ConsumeIntegral<std::uint8_t>() % 3];
  // GDAL opens no file without a delimiter.
  const std::size_t columns = 2 + bytes.ConsumeIntegral<std::uint8_t>() % 3U;
  const std::string line_end = bytes.ConsumeBool() ? "\r\n" : "\n";
  for (std::size_t c = 0; c < columns; ++c) drawn.names.push_back("c" + std::to_string(c));
  while (bytes.remaining_bytes() > 0 && drawn.rows.size() < 12) {
    Row& row = drawn.rows.emplace_back();
    for (std::size_t c = 0; c < columns; ++c) row.push_back(draw_cell(bytes));
  }
  const auto add = [&](const Row& row) {
    for (std::size_t c = 0; c < columns; ++c) {
      if (c > 0) drawn.text += drawn.delimiter;
      drawn.text += written(row[c], bytes);
    }
    drawn.text += line_end;
  };
  add(drawn.names);
  for (const Row& row : drawn.rows) add(row);
  return drawn;
}

std::vector<Row> read_by_ogr(std::string& text) {
  VSIFCloseL(
      VSIFileFromMemBuffer(kFile, reinterpret_cast<GByte*>(text.data()), text.size(), FALSE));
  const char* const drivers[] = {"CSV", nullptr};
  const char* const options[] = {"HEADERS=YES", "AUTODETECT_TYPE=NO", nullptr};
  const std::unique_ptr<void, decltype(&GDALClose)> set(
      GDALOpenEx(kFile, GDAL_OF_VECTOR, drivers, options, nullptr), &GDALClose);
  must(set != nullptr, "GDAL opens what was written", text);
  OGRLayerH layer = GDALDatasetGetLayer(set.get(), 0);
  OGRFeatureDefnH fields = OGR_L_GetLayerDefn(layer);
  std::vector<Row> rows(1);
  for (int f = 0; f < OGR_FD_GetFieldCount(fields); ++f) {
    rows[0].emplace_back(OGR_Fld_GetNameRef(OGR_FD_GetFieldDefn(fields, f)));
  }
  while (OGRFeatureH feature = OGR_L_GetNextFeature(layer)) {
    Row& row = rows.emplace_back();
    for (int f = 0; f < OGR_F_GetFieldCount(feature); ++f) {
      row.emplace_back(OGR_F_GetFieldAsString(feature, f));
    }
    OGR_F_Destroy(feature);
  }
  return rows;
}

std::string shown(const std::vector<Row>& rows) {
  std::string text;
  for (const Row& row : rows) text += '[' + join(row, "][") + "] ";
  return text;
}

void check(Bytes bytes) {
  Drawn drawn = draw(bytes);
  const bool marks_may_clash = drawn.delimiter == ';';

  Table table;
  const Refusal refusal = refusal_of([&] {
    table = parse_table(drawn.text, "t.csv", {.delimiter = drawn.delimiter, .keep_text = true});
  });
  // A decimal point here and a decimal comma there is refused, rightly.
  if (refusal.refused && marks_may_clash && refusal.message.find("decimal") != std::string::npos) {
    return;
  }
  must(!refusal.refused, "our reader reads what was written", refusal.message);
  must(table.rows() == static_cast<std::int64_t>(drawn.rows.size()), "it has the rows drawn");
  Row cells;
  for (std::size_t r = 0; r < drawn.rows.size(); ++r) {
    split_row(table.row_text(static_cast<std::int64_t>(r)), drawn.delimiter, cells);
    must(cells == drawn.rows[r], "it has the cells drawn", shown({cells, drawn.rows[r]}));
  }

  std::vector<Row> expected{drawn.names};
  expected.insert(expected.end(), drawn.rows.begin(), drawn.rows.end());
  const std::vector<Row> theirs = read_by_ogr(drawn.text);
  must(theirs == expected, "GDAL reads the same cells", shown(theirs) + "/ " + shown(expected));
  for (std::size_t r = 0; r < drawn.rows.size(); ++r) {
    for (std::size_t c = 0; c < drawn.names.size(); ++c) {
      const std::string& cell = drawn.rows[r][c];
      if (classify_cell(cell, false).kind != CellKind::number || marks_may_clash) continue;
      must(same_bits(std::strtod(cell.c_str(), nullptr), table.columns()[c].values[r]),
           "a number has the value that C reads", cell);
    }
  }
}

}  // namespace
}  // namespace pegnn::fuzz

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  GDALAllRegister();
  CPLSetErrorHandler(CPLQuietErrorHandler);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  pegnn::fuzz::check({data, size});
  return 0;
}
