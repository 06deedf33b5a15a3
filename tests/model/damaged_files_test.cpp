// Model files and snapshots cut, flipped, spliced and doubled at random: each is refused by name,
// in no time and with little memory.

#include <algorithm>
#include <ctime>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "base/philox.h"
#include "pegnn/error.h"
#include "pegnn/model.h"
#include "support/allocations.h"
#include "support/model_files.h"
#include "train/snapshot.h"

namespace pegnn {
namespace {

constexpr int kTries = 10'000;

// Draws of one try.
class Draws {
 public:
  explicit Draws(int attempt) : attempt_(static_cast<std::uint64_t>(attempt)) {}
  // Below `limit`, which is positive.
  std::size_t below(std::size_t limit) {
    return std::min(limit - 1, static_cast<std::size_t>(rng_.uniform(attempt_, next_++) *
                                                        static_cast<double>(limit)));
  }

 private:
  Rng rng_{2026, Stream::sample};
  std::uint64_t attempt_, next_ = 0;
};

// Half of all damage is done to the length and the header, which are small and decide the most.
std::size_t some_place(const std::string& bytes, Draws& draws) {
  const std::size_t header = std::min<std::size_t>(bytes.size(), 8 + 1024);
  return draws.below(2) == 0 ? draws.below(header) : draws.below(bytes.size());
}

std::string damaged(const std::string& bytes, const std::string& other, Draws& draws,
                    std::string& how) {
  std::string out = bytes;
  const std::size_t at = some_place(bytes, draws);
  const std::size_t size = 1 + draws.below(std::min<std::size_t>(bytes.size() - at, 256));
  switch (draws.below(8)) {
    case 0:
      how = "truncated";
      out.resize(at);
      break;
    case 1:
      how = "one bit flipped";
      out[at] = static_cast<char>(out[at] ^ 1 << draws.below(8));
      break;
    case 2:
      how = "eight bits flipped";
      for (int i = 0; i < 8; ++i) {
        char& byte = out[some_place(bytes, draws)];
        byte = static_cast<char>(byte ^ 1 << draws.below(8));
      }
      break;
    case 3:
      how = "bytes replaced";
      for (std::size_t i = 0; i < size; ++i) out[at + i] = static_cast<char>(draws.below(256));
      break;
    case 4: {
      how = "a piece of another file within";
      const std::size_t from = draws.below(other.size());
      out.insert(at, other.substr(from, size));
      break;
    }
    case 5:
      how = "a piece doubled";
      out.insert(at, bytes.substr(at, size));
      break;
    case 6:
      how = "a piece left out";
      out.erase(at, size);
      break;
    default: {
      how = "continued by another file";
      out.resize(at);
      out += other.substr(std::min(at, other.size()));
    }
  }
  how += " at byte " + std::to_string(at);
  return out;
}

bool names_a_part(const std::string& message) {
  return message.find("header") != std::string::npos ||
         message.find("tensor '") != std::string::npos ||
         message.find("metadata '") != std::string::npos;
}

// `load` gets the damaged bytes. What they are is said by the caller.
template <class Load>
void expect_refused(const std::string& bytes, Load&& load) {
  const std::clock_t start = std::clock();
#ifdef PEGNN_COUNTS_ALLOCATIONS
  const long long before = test::allocated_bytes;
#endif
  try {
    load(bytes);
    ADD_FAILURE() << "accepted";
  } catch (const Error& e) {
    EXPECT_EQ(ErrorKind::model, e.kind()) << e.what();
    EXPECT_TRUE(names_a_part(e.what())) << e.what();
    EXPECT_LT(std::string(e.what()).size(), 1000U);
  }
#ifdef PEGNN_COUNTS_ALLOCATIONS
  EXPECT_LE(test::allocated_bytes - before, 8 * static_cast<long long>(bytes.size()) + 65536);
#endif
  EXPECT_LT(std::clock() - start, CLOCKS_PER_SEC);
}

TEST(DamagedModelFile, IsRefusedByNameWhateverBecameOfIt) {
  const auto& files = test::model_files();
  int tried = 0;
  for (int attempt = 0; attempt < kTries; ++attempt) {
    const auto number = static_cast<std::size_t>(attempt) % files.size();
    Draws draws(attempt);
    const test::ModelFile& other = files[draws.below(files.size())];
    std::string how;
    const std::string bytes = damaged(files[number].bytes, other.bytes, draws, how);
    // By chance nothing, or all, was exchanged for the same.
    if (bytes == files[number].bytes || bytes == other.bytes) continue;
    ++tried;
    SCOPED_TRACE(files[number].name + ", try " + std::to_string(attempt) + ": " + how);
    expect_refused(bytes, [](std::string b) { Model::from_bytes(std::move(b), "m.pegnn"); });
    if (HasFailure()) return;
  }
  EXPECT_GT(tried, kTries * 95 / 100);
}

Snapshot some_snapshot() {
  Snapshot s;
  s.fingerprint = "whose";
  TrainState& state = s.begun["member 3"];
  state.step = 30;
  state.best_step = 10;
  state.parameters = {1, 2, 3, 4, 5};
  state.first_moment = state.second_moment = state.parameters;
  state.best_parameters = state.averaged = state.parameters;
  TrainedNetwork network;
  network.parameters = state.parameters;
  network.held = {{}, {}, {1, 2}, {3, 4}, {0, 1}};
  network.curve = {{.step = 6, .loss = 0.5}, {.step = 12, .loss = 0.25}};
  s.done = {{"member 1", network}, {"member 2", network}};
  state.curve = network.curve;
  return s;
}

TEST(DamagedSnapshot, IsRefusedByNameWhateverBecameOfIt) {
  const std::string whole = encode_tensors(to_tensors(some_snapshot()));
  const std::string& other = test::model_files()[0].bytes;
  for (int attempt = 0; attempt < kTries / 10; ++attempt) {
    Draws draws(kTries + attempt);
    std::string how;
    const std::string bytes = damaged(whole, other, draws, how);
    if (bytes == whole) continue;
    SCOPED_TRACE("try " + std::to_string(attempt) + ": " + how);
    expect_refused(bytes, [](std::string b) { snapshot_of(decode_tensors(std::move(b), "s")); });
    if (HasFailure()) break;
  }
}

}  // namespace
}  // namespace pegnn
