// Parts of what we read, each by itself; the last byte says which: the header of a model file, the
// description of a model in it, boosted trees, the outcome of a run of the paper.

#include <cmath>
#include <cstring>
#include <span>
#include <vector>

#include "base/array.h"
#include "baseline/arrays.h"
#include "baseline/trees.h"
#include "fuzz.h"
#include "model/safetensors_header.h"
#include "model/state.h"
#include "paper/run_file.h"

namespace pegnn::fuzz {
namespace {

// With its checksum put right, so that the text behind it is looked at.
void check_header(std::string text) {
  constexpr std::size_t kChecksumAt = 26, kDigits = 16;
  if (text.size() >= kChecksumAt + kDigits) {
    text.replace(kChecksumAt, kDigits, kDigits, '0');
    text.replace(kChecksumAt, kDigits, checksum(text));
  }
  Header header;
  if (!accepted(refusal_of([&] { header = read_header(text, "m"); }), ErrorKind::model)) return;
  const std::string written = write_header(header, "m");
  const Header again = read_header(written, "m");
  must(again.metadata == header.metadata && again.tensors.size() == header.tensors.size(),
       "a header that was written is read as it was");
  must(write_header(again, "m") == written, "a header that was read is written as it was");
}

// A mean has two numbers beside its description.
void check_description(std::string text) {
  TensorFile file("m");
  file.metadata["pegnn.format"] = std::to_string(kModelFormat);
  file.metadata["pegnn.version"] = "1";
  file.metadata["pegnn.model"] = std::move(text);
  const double number = 2.5;
  file.add("baseline.mean", {1, 1}, std::span(&number, 1));
  file.add("baseline.deviation", {1, 1}, std::span(&number, 1));
  ModelState state;
  const Refusal refusal = refusal_of([&] { state = from_tensors(file); });
  if (!accepted(refusal, ErrorKind::model)) return;
  const std::string written = to_tensors(state).text("pegnn.model");
  file.metadata["pegnn.model"] = written;
  must(to_tensors(from_tensors(file)).text("pegnn.model") == written,
       "a description that was read is written as it was");
}

// Their nodes, three numbers each; whole trees of three nodes, so far as there are any.
void check_trees(const std::string& bytes) {
  constexpr std::int64_t kColumns = 4;
  constexpr std::int64_t kNode = 3, kTree = 3;
  const auto numbers = static_cast<std::int64_t>(bytes.size() / sizeof(double));
  Array<double> nodes(numbers / kNode * kNode), roots;
  if (nodes.empty()) return;
  std::memcpy(nodes.data(), bytes.data(), as_size(nodes.size()) * sizeof(double));
  const std::int64_t count = nodes.size() / kNode;
  for (std::int64_t i = 0; i < count; i += kTree) roots.push_back(static_cast<double>(i));
  Arrays arrays;
  arrays.add("trees", roots.size(), 1, roots);
  arrays.add("nodes", count, kNode, std::move(nodes));
  Trees trees;
  const Refusal refusal = refusal_of([&] { trees.restore(ArrayReader(arrays, "m"), kColumns); });
  if (!accepted(refusal, ErrorKind::model)) return;
  const float inputs[2 * kColumns] = {0, 1, -1, 0.5F, 1e30F, -1e30F, 12, 47};
  float out[2] = {};
  trees.predict({inputs, 2, kColumns}, out);
  must(std::isfinite(out[0]) && std::isfinite(out[1]), "trees without fault answer with numbers");
}

void check_run(const std::string& text) { parse_run(text); }

void check(std::string text) {
  if (text.empty()) return;
  const int which = text.back() & 3;
  text.pop_back();
  if (which == 0) check_header(std::move(text));
  if (which == 1) check_description(std::move(text));
  if (which == 2) check_trees(text);
  if (which == 3) check_run(text);
}

}  // namespace
}  // namespace pegnn::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  pegnn::fuzz::check({reinterpret_cast<const char*>(data), size});
  return 0;
}
