// Model files with one thing in them exchanged for something hostile and all checksums made to fit:
// each is refused as a model file, or it is one, and then everything that a model does works.

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/philox.h"
#include "pegnn/error.h"
#include "pegnn/model.h"
#include "support/forged_file.h"
#include "support/model_files.h"
#include "support/refused.h"
#include "support/sanitized.h"

namespace pegnn {
namespace {

using Json = nlohmann::ordered_json;
using test::ForgedFile;

// What stands in for a value: JSON, or what is not even that.
const std::vector<std::string>& hostile() {
  static const std::vector<std::string> texts{"0",
                                              "-1",
                                              "1",
                                              "2",
                                              "0.5",
                                              "2147483648",
                                              "9223372036854775807",
                                              "18446744073709551616",
                                              "1e308",
                                              "-1e308",
                                              "1e-320",
                                              "1e999",
                                              "NaN",
                                              "null",
                                              "true",
                                              "[]",
                                              "{}",
                                              "[1,2,3]",
                                              "[[1,2]]",
                                              R"("")",
                                              R"("0")",
                                              R"("-1")",
                                              R"("1")",
                                              R"("3")",
                                              R"("2147483648")",
                                              R"("9223372036854775807")",
                                              R"("1e308")",
                                              R"("1e12")",
                                              R"("nan")",
                                              R"("\u0000\n\u001b[31m")",
                                              "\"\xff\xfe\"",
                                              "\"" + std::string(100'000, 'x') + "\"",
                                              std::string(2000, '[') + std::string(2000, ']')};
  return texts;
}

struct Outcome {
  int refused = 0, loaded = 0;
};

// What a model is asked for. Errors of ours are answers; anything else ends the test.
void use(const Model& model, const std::string& file) {
  const std::string again = model.bytes();
  EXPECT_EQ(again, Model::from_bytes(again).bytes());
  const std::vector<Point> points{{11, 46}, {12.5, 48}, {179.5, 89.5}, {0, 0}};
  const auto ask = [&](auto&& question) {
    try {
      question();
    } catch (const Error& e) {
      EXPECT_NE(ErrorKind::memory, e.kind()) << e.what();
    }
  };
  std::vector<double> features;
  ask([&] {
    const ModelInfo info = model.info();
    for (std::size_t i = 0; i < points.size() * info.roles.features.size(); ++i) {
      features.push_back(0.1 * static_cast<double>(i));
    }
  });
  ask([&] { (void)model.needs_all_rows(); });
  ask([&] { (void)model.predict(test::smooth_table(3), {}, false, {.threads = 1}); });
  ask([&] {
    const Answer p = model.ask(points, features, {.threads = 1});
    for (const double v : p.mean()) EXPECT_TRUE(std::isfinite(v)) << v << " " << file.size();
    for (const double v : p.deviation()) EXPECT_TRUE(std::isfinite(v) && v >= 0) << v;
  });
  ask([&] { (void)model.applicability(points, features, {.threads = 1}); });
  ask([&] { (void)model.activations(points, features, {.threads = 1}); });
}

// Refused by a message that begins with the file and is fit to be read.
void try_file(const std::string& bytes, Outcome& outcome) {
  try {
    const Model model = Model::from_bytes(bytes, "m.pegnn");
    ++outcome.loaded;
    use(model, bytes);
  } catch (const Error& e) {
    ++outcome.refused;
    const std::string message = e.what();
    EXPECT_EQ(ErrorKind::model, e.kind()) << message.substr(0, 500);
    EXPECT_EQ(0U, message.find("m.pegnn: ")) << message.substr(0, 500);
    EXPECT_LT(message.size(), 1000U) << message.substr(0, 500);
    for (const char c : message) EXPECT_FALSE(c >= 0 && c < ' ') << message.substr(0, 500);
  }
}

class ForgedModelFile : public testing::TestWithParam<std::string> {
 protected:
  // Of the file among all.
  static std::size_t number() {
    const auto& files = test::model_files();
    const auto found = std::ranges::find(files, GetParam(), &test::ModelFile::name);
    return static_cast<std::size_t>(found - files.begin());
  }
  static const std::string& whole() { return test::model_files().at(number()).bytes; }
  void TearDown() override {
    EXPECT_GT(outcome_.refused, 0);
    RecordProperty("refused", outcome_.refused);
    RecordProperty("loaded", outcome_.loaded);
  }

  // Until the first failure: one hostile file tells enough.
  void try_forged(const ForgedFile& file, const std::string& what) {
    if (HasFailure()) return;
    SCOPED_TRACE(what.substr(0, 200));
    try_file(file.bytes(), outcome_);
  }

  Outcome outcome_;
};

// Every place of a JSON value, the inner ones included.
void collect(const Json& value, const Json::json_pointer& at,
             std::vector<Json::json_pointer>& out) {
  if (!at.empty()) out.push_back(at);
  if (value.is_object()) {
    for (const auto& [key, inner] : value.items()) collect(inner, at / key, out);
  } else if (value.is_array()) {
    for (std::size_t i = 0; i < value.size(); ++i) collect(value[i], at / i, out);
  }
}

// `description` with the value at `at` written as `text`.
std::string with_text(Json description, const Json::json_pointer& at, const std::string& text) {
  const std::string mark = "@the value@";
  description[at] = mark;
  std::string out = description.dump();
  return out.replace(out.find('"' + mark + '"'), mark.size() + 2, text);
}

TEST_P(ForgedModelFile, WithAnotherDescriptionIsRefusedOrWorks) {
  const ForgedFile original(whole());
  const Json description = Json::parse(original.text("pegnn.model"));
  std::vector<Json::json_pointer> places;
  collect(description, Json::json_pointer(), places);
  ASSERT_GT(places.size(), 80U);
  ForgedFile forged = original;
  EXPECT_EQ(forged.bytes().size(), whole().size()) << "nothing is lost on the way";
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Json::json_pointer& at = places[i];
    const auto attempt = [&](const std::string& text, const std::string& what) {
      forged.set_raw_text("pegnn.model", text);
      try_forged(forged, at.to_string() + " " + what);
    };
    // A third of all pairs of place and value in each file: all of them in any three.
    for (std::size_t j = (i + number()) % 3; j < hostile().size(); j += 3) {
      attempt(with_text(description, at, hostile()[j]), hostile()[j]);
    }
    const std::string was = description[at].dump();
    const std::string key = Json(at.back()).dump();
    attempt(with_text(description, at, was + "," + key + ":" + was), "doubled");
    attempt(with_text(description, at, description[places[(i * 7 + 3) % places.size()]].dump()),
            "swapped");
    Json without = description;
    Json& parent = without[at.parent_pointer()];
    if (parent.is_object()) {
      parent.erase(at.back());
    } else {
      parent.erase(static_cast<std::size_t>(std::stoul(at.back())));
    }
    attempt(without.dump(), "missing");
  }
}

TEST_P(ForgedModelFile, WithOtherMetadataIsRefusedOrWorks) {
  const ForgedFile original(whole());
  for (std::size_t i = 0; i < original.metadata.size(); ++i) {
    const std::string& key = original.metadata[i].first;
    for (const std::string& text : hostile()) {
      ForgedFile forged = original;
      forged.metadata[i].second = text;
      try_forged(forged, key + " " + text);
    }
    ForgedFile forged = original;
    forged.metadata.push_back(forged.metadata[i]);
    try_forged(forged, key + " doubled");
    forged = original;
    forged.metadata.erase(forged.metadata.begin() + static_cast<std::ptrdiff_t>(i));
    try_forged(forged, key + " missing");
    forged = original;
    std::swap(forged.metadata[i].second, forged.metadata[(i + 1) % 3].second);
    try_forged(forged, key + " swapped");
  }
}

TEST_P(ForgedModelFile, WithOtherFieldsOfATensorIsRefusedOrWorks) {
  constexpr std::size_t kStep = test::kSanitized ? 15 : 3;
  const ForgedFile original(whole());
  for (std::size_t t = 0; t < original.tensors.size(); ++t) {
    const ForgedFile::Tensor& tensor = original.tensors[t];
    for (std::size_t f = 0; f < tensor.fields.size(); ++f) {
      const auto& name = tensor.fields[f].first;
      const auto& value = tensor.fields[f].second;
      const auto attempt = [&](const std::string& text) {
        ForgedFile forged = original;
        forged.tensors[t].fields[f].second = text;
        try_forged(forged, tensor.name + " " + name + " " + text);
      };
      for (std::size_t j = (t + f) % kStep; j < hostile().size(); j += kStep) attempt(hostile()[j]);
      for (const char* dtype : {"F16", "F32", "F64", "I32", "I64", "U8", "f32"}) {
        attempt('"' + std::string(dtype) + '"');
      }
      const Json list = Json::parse(value);
      for (std::size_t i = 0; list.is_array() && i < list.size(); ++i) {
        for (std::size_t j = (t + i) % kStep; j < hostile().size(); j += kStep) {
          attempt(with_text(list, Json::json_pointer("/" + std::to_string(i)), hostile()[j]));
        }
      }
      if (list.is_array()) {
        Json turned = list;
        std::reverse(turned.begin(), turned.end());
        attempt(turned.dump());
        turned.push_back(1);
        attempt(turned.dump());
        attempt("[1,1,1,1,1,1,1,1,1,1,1,1]");
      }
      ForgedFile forged = original;
      forged.tensors[t].fields.push_back(forged.tensors[t].fields[f]);
      try_forged(forged, tensor.name + " " + name + " doubled");
      forged = original;
      forged.tensors[t].fields.erase(forged.tensors[t].fields.begin() +
                                     static_cast<std::ptrdiff_t>(f));
      try_forged(forged, tensor.name + " " + name + " missing");
      forged = original;
      std::swap(forged.tensors[t].fields[f].second,
                forged.tensors[(t + 1) % original.tensors.size()].fields[f].second);
      try_forged(forged, tensor.name + " " + name + " swapped");
    }
  }
}

TEST_P(ForgedModelFile, WithOtherTensorsIsRefusedOrWorks) {
  const ForgedFile original(whole());
  for (std::size_t t = 0; t < original.tensors.size(); ++t) {
    const std::string& name = original.tensors[t].name;
    for (const std::string& other :
         {std::string(), std::string("__metadata__"), std::string("baseline."), name + "x",
          std::string(100'000, 'n'), original.tensors[(t + 1) % original.tensors.size()].name}) {
      ForgedFile forged = original;
      forged.tensors[t].name = other;
      try_forged(forged, name + " called " + other);
    }
    ForgedFile forged = original;
    forged.remove(t);
    try_forged(forged, name + " missing");
    // Without rows, with one, and with one more than there should be.
    for (const std::int64_t rows : {0, 1, 1000}) {
      forged = original;
      forged.set_rows(t, rows);
      try_forged(forged, name + " of " + std::to_string(rows) + " rows");
    }
  }
  // All that has a row for each training point has none, one, two.
  for (const std::int64_t rows : {0, 1, 2, 3}) {
    ForgedFile forged = original;
    const std::int64_t was = forged.shape(*forged.find("training.points"))[0];
    for (std::size_t t = 0; t < forged.tensors.size(); ++t) {
      const auto shape = forged.shape(forged.tensors[t]);
      const auto of_rows = [&](std::int64_t n) { return n >= was - 3 && n <= was; };
      if (shape.size() == 2 && of_rows(shape[0])) forged.set_rows(t, rows);
    }
    try_forged(forged, std::to_string(rows) + " training points");
  }
}

template <class T>
void each_number(const ForgedFile& original, std::size_t t, const std::vector<T>& numbers,
                 const std::function<void(const ForgedFile&, const std::string&)>& attempt) {
  const std::size_t count = original.tensors[t].data.size() / sizeof(T);
  // Weights are all alike. Under the address sanitizer, where the fuzz target `model` does the
  // same, fewer places and at each a third of the numbers.
  constexpr std::size_t kMost = std::is_same_v<T, float> || test::kSanitized ? 4 : 24;
  constexpr std::size_t kStep = test::kSanitized ? 3 : 1;
  for (std::size_t i = 0; i < std::min(count, kMost); ++i) {
    const std::size_t at = count <= kMost ? i : i * count / kMost;
    for (std::size_t j = (t + i) % kStep; j < numbers.size(); j += kStep) {
      ForgedFile forged = original;
      std::memcpy(forged.tensors[t].data.data() + at * sizeof(T), &numbers[j], sizeof(T));
      attempt(forged, original.tensors[t].name + " at " + std::to_string(at) + " " +
                          std::to_string(numbers[j]));
    }
  }
  // All of them.
  for (std::size_t j = t % kStep; j < numbers.size(); j += kStep) {
    ForgedFile forged = original;
    for (std::size_t i = 0; i < count; ++i) {
      std::memcpy(forged.tensors[t].data.data() + i * sizeof(T), &numbers[j], sizeof(T));
    }
    attempt(forged, original.tensors[t].name + " all " + std::to_string(numbers[j]));
  }
}

TEST_P(ForgedModelFile, WithOtherNumbersIsRefusedOrWorks) {
  const ForgedFile original(whole());
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const std::vector<double> doubles{0,     -1,        1,     1e9,    1e30,       -1e30,
                                    1e160, -1e160,    1e308, 1e-160, 1e-300,     1e-320,
                                    NAN,   kInfinity, 0.5,   -1e9,   -kInfinity, 2147483648.0};
  std::vector<float> floats;
  for (const double v : {0.0, -1.0, 1e9, 1e19, 1e30, 3e38, -3e38, 1e-30, 1e-40}) {
    floats.push_back(static_cast<float>(v));
  }
  floats.push_back(NAN);
  floats.push_back(std::numeric_limits<float>::infinity());
  const std::vector<std::int64_t> wholes{0,    -1,   1,           2,         1023,
                                         1024, 1025, 2147483648L, INT64_MAX, INT64_MIN};
  const auto attempt = [&](const ForgedFile& forged, const std::string& what) {
    try_forged(forged, what);
  };
  for (std::size_t t = 0; t < original.tensors.size(); ++t) {
    const std::string dtype = original.tensors[t].fields[0].second;
    if (dtype == "\"F64\"") each_number<double>(original, t, doubles, attempt);
    if (dtype == "\"F32\"") each_number<float>(original, t, floats, attempt);
    if (dtype == "\"I64\"") each_number<std::int64_t>(original, t, wholes, attempt);
  }
  try_forged(ForgedFile(std::string(whole())), "as it was");
  outcome_.refused += outcome_.refused == 0;  // a mean may be anything
}

// Found by the tests above, each by itself.

std::string refusal_of(const std::string& model, const std::string& from, const std::string& to) {
  const auto& files = test::model_files();
  ForgedFile forged(std::ranges::find(files, model, &test::ModelFile::name)->bytes);
  std::string text = forged.text("pegnn.model");
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  forged.set_text("pegnn.model", text.replace(at, from.size(), to));
  return test::refusal([&] { Model::from_bytes(forged.bytes(), "m.pegnn"); }, ErrorKind::model);
}

TEST(ForgedDescription, WithoutNeighboursIsRefused) {
  // A local graph without edges was divided by their number.
  EXPECT_EQ("m.pegnn: option k: a network has 1 neighbour or more",
            refusal_of("kcn", R"("k":"5")", R"("k":"0")"));
}

TEST(ForgedDescription, WithoutMembersIsRefused) {
  EXPECT_EQ("m.pegnn: option members: a model has 1 network or more",
            refusal_of("gcn", R"("members":"1")", R"("members":"0")"));
}

TEST(ForgedDescription, NamesTheFieldThatIsWrong) {
  EXPECT_EQ("m.pegnn: metadata 'pegnn.model'.columns.x is not text",
            refusal_of("gcn", R"("x":"lon")", R"("x":7)"));
  EXPECT_EQ("m.pegnn: metadata 'pegnn.model'.table.rows is not a whole number from 0 to 2^53",
            refusal_of("gcn", R"("rows":14)", R"("rows":1e300)"));
  EXPECT_EQ("m.pegnn: metadata 'pegnn.model'.scaler is missing",
            refusal_of("gcn", R"("scaler":)", R"("scalar":)"));
  EXPECT_EQ("m.pegnn: metadata 'pegnn.model': 'space' stands there twice",
            refusal_of("gcn", R"("space":)", R"("space":"planar","space":)"));
  EXPECT_EQ("m.pegnn: option layers: '-1' is not allowed; give a whole number, 1 to 16",
            refusal_of("gcn", R"("layers":"2")", R"("layers":"-1")"));
}

INSTANTIATE_TEST_SUITE_P(Of, ForgedModelFile, testing::ValuesIn(test::model_file_names()),
                         [](const auto& name) {
                           std::string word = name.param;
                           for (char& c : word) {
                             if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
                           }
                           return word;
                         });

}  // namespace
}  // namespace pegnn
