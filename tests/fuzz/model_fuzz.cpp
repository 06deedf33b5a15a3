// Model files: one either loads, answers, and is saved to bytes that load again as the same model,
// or is refused with Error{model}.

#include <cmath>
#include <functional>
#include <vector>

#include "fuzz.h"
#include "model/state.h"
#include "pegnn/model.h"
#include "sealed.h"

namespace pegnn::fuzz {
namespace {

// Places to ask for: where the seeds learned, a pole, the edge of the map and one of them twice.
const std::vector<Point>& places() {
  static const std::vector<Point> kPlaces{{12.5, 47}, {10, 45}, {-180, 0}, {0, 90}, {12.5, 47}};
  return kPlaces;
}

struct Answers {
  Refusal refusal;
  Answer answer;
};

Answers ask(const Model& model) {
  const RunSettings one_thread{.threads = 1};
  const auto features = model.state().roles.features.size();
  std::vector<double> values;
  for (std::size_t i = 0; i < places().size() * features; ++i) {
    values.push_back(static_cast<double>(i % 3) - 0.5);
  }
  Answers answers;
  answers.refusal = refusal_of(
      [&] { answers.answer = model.ask(places(), values, one_thread); });
  return answers;
}

void check(std::string bytes) {
  // Saving and loading again takes longer than all the rest: not for every file.
  const bool saves = std::hash<std::string>{}(bytes) % 4 == 0;
  std::vector<Model> loaded;
  const Refusal refusal =
      refusal_of([&] { loaded.push_back(Model::from_bytes(std::move(bytes), "m")); });
  if (!accepted(refusal, ErrorKind::model)) return;
  const Model& model = loaded.front();
  model.info();
  const Answers answers = ask(model);
  // Numbers that are sound one by one may still come to nothing together: some models see it when
  // they put them together, for a deviation, and others by the answer.
  const bool damaged = answers.refusal.kind == ErrorKind::model;
  if (accepted(answers.refusal, damaged ? ErrorKind::model : ErrorKind::failure)) {
    must(answers.answer.mean().size() == places().size(), "there is an answer for every place");
    for (const double value : answers.answer.mean()) {
      must(std::isfinite(value), "an answer is a number", std::to_string(value));
    }
    for (const double value : answers.answer.deviation()) {
      must(!(value < 0), "a deviation is not negative");
    }
  }

  if (!saves) return;
  const std::string saved = model.bytes();
  const Refusal again = refusal_of([&] { loaded.push_back(Model::from_bytes(saved, "saved")); });
  must(!again.refused, "what was saved can be loaded", again.message);
  must(loaded.back().bytes() == saved, "what was saved and loaded is saved to the same bytes");
  const Answers repeated = ask(loaded.back());
  must(repeated.refusal == answers.refusal, "a saved model answers as the one it was saved from");
  must(same_bits(repeated.answer.values, answers.answer.values),
       "a saved model gives the answers of the one it was saved from");
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
