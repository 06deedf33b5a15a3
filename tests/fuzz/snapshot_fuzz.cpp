// Snapshots: one either loads, and is saved to bytes that load again as the same, or is refused
// with Error{model}.

#include <vector>

#include "fuzz.h"
#include "sealed.h"
#include "train/snapshot.h"

namespace pegnn::fuzz {
namespace {

void check(std::string bytes) {
  std::vector<Snapshot> loaded;
  const auto load = [&](std::string from) {
    return refusal_of([&] { loaded.push_back(snapshot_of(decode_tensors(std::move(from), "s"))); });
  };
  if (!accepted(load(std::move(bytes)), ErrorKind::model)) return;
  for (const auto& [key, s] : loaded.front().begun) {
    must(s.step >= 0 && s.best_step >= 0 && s.summed >= 0 && s.looks_without_gain >= 0,
         "what is counted is not negative");
  }
  const std::string saved = encode_tensors(to_tensors(loaded.front()));
  const Refusal again = load(saved);
  must(!again.refused, "what was saved can be loaded", again.message);
  must(encode_tensors(to_tensors(loaded.back())) == saved,
       "what was saved and loaded is saved to the same bytes");
}

}  // namespace
}  // namespace pegnn::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  pegnn::fuzz::check({reinterpret_cast<const char*>(data), size});
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
  return pegnn::fuzz::mutate_sealed(data, size, most, seed);
}
