#include "model/safetensors.h"

#include <cstring>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/atomic_file.h"
#include "pegnn/error.h"

namespace pegnn {
namespace {

std::string xxh64(const std::string& bytes) {
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx",
                static_cast<unsigned long long>(XXH64(bytes.data(), bytes.size(), 0)));
  return digits;
}

std::uint64_t length_of(const std::string& file) {
  std::uint64_t length = 0;
  for (std::size_t i = 8; i-- > 0;) length = length << 8 | static_cast<unsigned char>(file[i]);
  return length;
}

std::string little_endian(std::uint64_t value) {
  std::string bytes;
  for (int i = 0; i < 8; ++i, value >>= 8) bytes += static_cast<char>(value & 0xff);
  return bytes;
}

constexpr std::size_t kDigitsAt = std::string_view(R"({"__metadata__":{"xxh64":")").size();

// A file made by hand: `rest` continues the header after its own checksum, which is made to fit.
std::string file_of(const std::string& rest, const std::string& data) {
  std::string header = R"({"__metadata__":{"xxh64":"0000000000000000")" + rest;
  header.append((8 - header.size() % 8) % 8, ' ');
  header.replace(kDigitsAt, 16, xxh64(header));
  return little_endian(header.size()) + header + data;
}

// A file with one tensor 'a' of 8 zero bytes, described by `entry`.
std::string with_entry(const std::string& entry) {
  const std::string data(8, '\0');
  return file_of(R"(,"xxh64:a":")" + xxh64(data) + R"("},"a":)" + entry + "}", data);
}

// The message it is refused with; empty when it is accepted or refused in another way.
std::string refusal(const std::string& bytes) {
  try {
    (void)decode_tensors(bytes, "m.safetensors");
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::model) << e.what();
    return e.what();
  }
  ADD_FAILURE() << "accepted";
  return {};
}

::testing::AssertionResult refused_with(const std::string& bytes, const std::string& part) {
  const std::string message = refusal(bytes);
  if (message.starts_with("m.safetensors: ") && message.find(part) != std::string::npos)
    return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "'" << message << "' does not say '" << part << "'";
}

TensorFile sample() {
  TensorFile file;
  file.metadata = {{"options", "{\"k\": 5}"}, {"crs", "EPSG:4326"}, {"ünïcode \"quoted\"", "a\nb"}};
  file.add("flags", {3}, std::vector<std::uint8_t>{1, 0, 255});
  file.add("parameters", {2, 3}, std::vector<float>{1.5F, -2.0F, 0.0F, 1e-30F, 3.0F, 4.0F});
  file.add("ids", {2}, std::vector<std::int32_t>{-7, 2147483647});
  file.add("points", {2, 2}, std::vector<double>{-122.5, 37.25, 0.1, -0.0});
  file.add("seed", {}, std::vector<std::int64_t>{std::numeric_limits<std::int64_t>::min()});
  file.add("none", {0, 7}, std::vector<float>{});
  return file;
}

TEST(Safetensors, RoundTripKeepsEveryTypeShapeAndText) {
  const TensorFile written = sample();
  const TensorFile read = decode_tensors(encode_tensors(written), "m.safetensors");
  EXPECT_EQ(read.metadata, written.metadata);
  EXPECT_EQ(read.text("crs"), "EPSG:4326");
  ASSERT_EQ(read.tensors().size(), written.tensors().size());
  for (std::size_t i = 0; i < read.tensors().size(); ++i) {
    const TensorInfo &r = read.tensors()[i], &w = written.tensors()[i];
    EXPECT_EQ(r.name, w.name);
    EXPECT_EQ(r.dtype, w.dtype);
    EXPECT_EQ(r.shape, w.shape);
    EXPECT_EQ(r.count(), w.count());
    EXPECT_EQ(read.bytes(r), written.bytes(w));
  }
  EXPECT_EQ(read.values<std::uint8_t>("flags"), (std::vector<std::uint8_t>{1, 0, 255}));
  EXPECT_EQ(read.values<std::int32_t>("ids", 2), (std::vector<std::int32_t>{-7, 2147483647}));
  EXPECT_EQ(read.values<std::int64_t>("seed", 1)[0], std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(read.values<double>("points", 4), (std::vector<double>{-122.5, 37.25, 0.1, -0.0}));
  EXPECT_TRUE(read.values<float>("none", 0).empty());
  EXPECT_EQ(read.find("none")->shape, (std::vector<std::int64_t>{0, 7}));
  std::vector<float> parameters(6);
  read.read("parameters", std::span<float>(parameters));
  EXPECT_EQ(parameters, (std::vector<float>{1.5F, -2.0F, 0.0F, 1e-30F, 3.0F, 4.0F}));
}

TEST(Safetensors, AFileWithoutTensorsOrTextRoundTrips) {
  const TensorFile read = decode_tensors(encode_tensors(TensorFile()), "m.safetensors");
  EXPECT_TRUE(read.tensors().empty());
  EXPECT_TRUE(read.metadata.empty());
  EXPECT_EQ(read.find("a"), nullptr);
}

TEST(Safetensors, EqualContentGivesEqualBytesAndADecodedFileEncodesToItself) {
  const std::string bytes = encode_tensors(sample());
  EXPECT_EQ(bytes, encode_tensors(sample()));
  TensorFile read = decode_tensors(bytes, "m.safetensors");
  EXPECT_EQ(bytes, encode_tensors(read));
  read.add("more", {1}, std::vector<double>{2.5});
  const TensorFile again = decode_tensors(encode_tensors(read), "m.safetensors");
  EXPECT_EQ(again.values<double>("more"), std::vector<double>{2.5});
  EXPECT_EQ(again.values<double>("points"), read.values<double>("points"));
}

TEST(Safetensors, TheLayoutIsThatOfTheFormat) {
  TensorFile file;
  file.metadata["k"] = "v";
  file.add("b", {2}, std::vector<std::uint8_t>{7, 8});
  file.add("a", {1, 1}, std::vector<float>{1.0F});
  const std::string bytes = encode_tensors(file);
  // 1.0 as a float is 00 00 80 3f; the wider element comes first.
  const std::string one("\x00\x00\x80\x3f", 4), data = one + "\x07\x08";
  EXPECT_EQ(bytes, file_of(R"(,"k":"v","xxh64:a":")" + xxh64(one) + R"(","xxh64:b":")" +
                               xxh64("\x07\x08") +
                               R"("},"b":{"dtype":"U8","shape":[2],"data_offsets":[4,6]})"
                               R"(,"a":{"dtype":"F32","shape":[1,1],"data_offsets":[0,4]}})",
                           data));
  const std::uint64_t length = length_of(bytes);
  EXPECT_EQ(length % 8, 0U);
  EXPECT_EQ(bytes.size(), 8 + length + data.size());
  EXPECT_EQ(bytes[8], '{');
}

TEST(Safetensors, EveryTensorIsAlignedToItsElements) {
  const std::string bytes = encode_tensors(sample());
  const TensorFile read = decode_tensors(bytes, "m.safetensors");
  for (const TensorInfo& t : read.tensors())
    EXPECT_EQ(static_cast<std::int64_t>(t.begin) % bytes_of(t.dtype), 0) << t.name;
}

TEST(Safetensors, SavedToDiskItIsTheSameBytesAndLoadsBack) {
  const auto path = std::filesystem::temp_directory_path() /
                    ("pegnn_safetensors_test_" + std::to_string(::getpid()) + ".safetensors");
  save_tensors(sample(), path);
  EXPECT_EQ(read_file(path), encode_tensors(sample()));
  EXPECT_EQ(load_tensors(path).metadata, sample().metadata);
  EXPECT_EQ(load_tensors(path).source(), path.string());
  std::filesystem::remove(path);
  try {
    (void)load_tensors(path);
    ADD_FAILURE() << "loaded a file that is not there";
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::resource);
  }
}

TEST(Safetensors, AskingForAnotherTypeNumberOrNameNamesTheTensor) {
  const TensorFile file = decode_tensors(encode_tensors(sample()), "m.safetensors");
  const auto message = [](const auto& call) -> std::string {
    try {
      call();
    } catch (const Error& e) {
      EXPECT_EQ(e.kind(), ErrorKind::model);
      return e.what();
    }
    return "";
  };
  std::vector<float> five(5);
  EXPECT_EQ(message([&] { (void)file.values<double>("parameters"); }),
            "m.safetensors: tensor 'parameters' is of type F32, expected F64");
  EXPECT_EQ(message([&] { (void)file.values<float>("parameters", 7); }),
            "m.safetensors: tensor 'parameters' has 6 elements, expected 7");
  EXPECT_EQ(message([&] { file.read("parameters", std::span<float>(five)); }),
            "m.safetensors: tensor 'parameters' has 6 elements, expected 5");
  EXPECT_EQ(message([&] { (void)file.values<float>("weights"); }),
            "m.safetensors: tensor 'weights' is missing");
  EXPECT_EQ(message([&] { (void)file.text("scaler"); }),
            "m.safetensors: metadata 'scaler' is missing");
}

TEST(Safetensors, EverySingleBitFlipIsRefusedNamingTheTensorOrTheHeader) {
  const std::string good = encode_tensors(sample());
  const TensorFile read = decode_tensors(good, "m.safetensors");
  const std::size_t data = 8 + static_cast<std::size_t>(length_of(good));
  for (std::size_t byte = 0; byte < good.size(); ++byte) {
    std::string place = "header";
    for (const TensorInfo& t : read.tensors())
      if (byte >= t.begin && byte < t.end) place = "tensor '" + t.name + "'";
    ASSERT_EQ(place == "header", byte < data);
    for (int bit = 0; bit < 8; ++bit) {
      std::string bad = good;
      bad[byte] = static_cast<char>(bad[byte] ^ (1 << bit));
      ASSERT_TRUE(refused_with(bad, place)) << "byte " << byte << " bit " << bit;
    }
  }
}

TEST(Safetensors, EveryTruncationAndAppendedByteIsRefused) {
  const std::string good = encode_tensors(sample());
  for (std::size_t size = 0; size < good.size(); ++size)
    ASSERT_TRUE(refused_with(good.substr(0, size), "truncated")) << size;
  for (const char c : {'\0', ' ', 'x'})
    EXPECT_TRUE(refused_with(good + c, "something was appended"));
}

TEST(Safetensors, ATruncatedTensorIsNamedWithBothSizes) {
  TensorFile file;
  file.add("parameters", {1000}, std::vector<float>(1000));
  const std::string good = encode_tensors(file);
  EXPECT_EQ(refusal(good.substr(0, good.size() - 96)),
            "m.safetensors: tensor 'parameters' ends at byte " + std::to_string(good.size()) +
                " but the file has " + std::to_string(good.size() - 96) +
                "; the file is truncated");
}

TEST(Safetensors, AHugeOrOddHeaderLengthIsRefusedBeforeItIsUsed) {
  for (const std::uint64_t length :
       {std::numeric_limits<std::uint64_t>::max(), std::uint64_t{1} << 63, kMaxHeaderBytes + 8,
        std::uint64_t{12}})
    EXPECT_TRUE(refused_with(little_endian(length) + std::string(100, ' '), "header's length"));
  EXPECT_TRUE(refused_with(little_endian(kMaxHeaderBytes) + "{", "truncated"));
  EXPECT_TRUE(refused_with(little_endian(0), "header does not begin"));
}

TEST(Safetensors, AFileOfAnotherKindIsRefused) {
  EXPECT_TRUE(refused_with(little_endian(16) + R"({"a":{}}        )", "not a pegnn model file"));
  EXPECT_TRUE(refused_with("longitude,latitude,price\n1,2,3\n", "not a model file"));
}

TEST(Safetensors, TheHandMadeEntryOfTheTestsBelowIsAcceptedWhenItIsRight) {
  const TensorFile file = decode_tensors(
      with_entry(R"({"dtype":"F32","shape":[2],"data_offsets":[0,8]})"), "m.safetensors");
  EXPECT_EQ(file.values<float>("a"), (std::vector<float>{0, 0}));
}

TEST(Safetensors, HostileTensorEntriesAreRefusedByName) {
  const std::vector<std::pair<const char*, const char*>> cases{
      {R"({"dtype":"F32","shape":[-2],"data_offsets":[0,8]})", "'a': shape holds the number -2"},
      {R"({"dtype":"F32","shape":[1e3],"data_offsets":[0,8]})", "'a': shape holds the number 1e3"},
      {R"({"dtype":"F32","shape":["2"],"data_offsets":[0,8]})", "'a': shape holds text"},
      {R"({"dtype":"F32","shape":[[2]],"data_offsets":[0,8]})",
       "'a': shape holds a list in a list"},
      {R"({"dtype":"F32","shape":2,"data_offsets":[0,8]})", "'a': shape holds a number"},
      {R"({"dtype":"F32","shape":null,"data_offsets":[0,8]})", "'a': shape holds null"},
      {R"({"dtype":"F32","shape":{},"data_offsets":[0,8]})", "'a': shape holds an object"},
      {R"({"dtype":"F32","shape":[true],"data_offsets":[0,8]})", "'a': shape holds true or false"},
      {R"({"dtype":"F32","shape":[9223372036854775808],"data_offsets":[0,8]})",
       "'a': shape holds the number 9223372036854775808"},
      {R"({"dtype":"F32","shape":[99999999999999999999],"data_offsets":[0,8]})",
       "'a': shape holds the number 99999999999999999999"},
      {R"({"dtype":"F32","shape":[9223372036854775807],"data_offsets":[0,8]})", "passes 64 bits"},
      // 2^32 * 2^32 * 4 is 0 modulo 2^64; 2^31 * 2^31 * 4 is 0 modulo 2^64 only after the dtype.
      {R"({"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,0]})", "passes 64 bits"},
      {R"({"dtype":"F32","shape":[2147483648,2147483648],"data_offsets":[0,0]})", "passes 64 bits"},
      {R"({"dtype":"F32","shape":[1,1,1,1,1,1,1,1,2],"data_offsets":[0,8]})", "8 dimensions"},
      {R"({"dtype":"F32","shape":[3],"data_offsets":[0,8]})", "needs 12 bytes"},
      {R"({"dtype":"F32","shape":[2],"data_offsets":[8,0]})", "data_offsets are 8 to 0"},
      {R"({"dtype":"F32","shape":[2],"data_offsets":[0,8,8]})", "third offset"},
      {R"({"dtype":"F32","shape":[2],"data_offsets":[8]})", "two data_offsets are needed"},
      {R"({"dtype":"F32","shape":[2],"data_offsets":[-8,0]})", "data_offsets holds the number -8"},
      {R"({"dtype":"F32","shape":[2],"data_offsets":[9223372036854775800,9223372036854775808]})",
       "data_offsets holds the number 9223372036854775808"},
      {R"({"dtype":"F32","shape":[2],"data_offsets":[9223372036854775799,9223372036854775807]})",
       "there is a gap"},
      {R"({"dtype":"F32","shape":[4],"data_offsets":[0,16]})", "the file is truncated"},
      {R"({"dtype":"F32","shape":[1],"data_offsets":[0,4]})", "something was appended"},
      {R"({"dtype":"F32","shape":[1],"data_offsets":[4,8]})", "there is a gap"},
      {R"({"dtype":"F16","shape":[4],"data_offsets":[0,8]})", "unknown dtype 'F16'"},
      {R"({"dtype":3,"shape":[2],"data_offsets":[0,8]})", "'a': dtype is a number"},
      {R"({"dtype":["F32"],"shape":[2],"data_offsets":[0,8]})", "'a': dtype is"},
      {R"({"shape":[2],"data_offsets":[0,8]})", "are needed"},
      {R"({"dtype":"F32","data_offsets":[0,0]})", "are needed"},
      {R"({"dtype":"F32","shape":[2]})", "are needed"},
      {R"({})", "are needed"},
      {R"({"dtype":"F32","shape":[2],"shape":[2],"data_offsets":[0,8]})",
       "'shape' stands there tw"},
      {R"({"dtype":"F32","shape":[2],"data_offsets":[0,8],"x":1})", "unknown key 'x'"},
      {R"("text")", "'a' is text, not an object"},
      {R"([1])", "'a' is a list, not an object"},
      {R"(7)", "'a' is a number, not an object"},
  };
  for (const auto& [entry, part] : cases)
    EXPECT_TRUE(refused_with(with_entry(entry), part)) << entry;
}

TEST(Safetensors, RangesThatOverlapOrRepeatOrLeaveAHoleAreRefused) {
  const auto two = [](const std::string& a, const std::string& b) {
    const std::string data(8, '\0'), sum = xxh64(std::string(4, '\0'));
    return file_of(R"(,"xxh64:a":")" + sum + R"(","xxh64:b":")" + sum +
                       R"("},"a":{"dtype":"F32","shape":[1],"data_offsets":)" + a +
                       R"(},"b":{"dtype":"F32","shape":[1],"data_offsets":)" + b + "}}",
                   data);
  };
  EXPECT_EQ(decode_tensors(two("[4,8]", "[0,4]"), "m").tensors().size(), 2U);
  EXPECT_TRUE(refused_with(two("[0,4]", "[2,6]"), "they overlap"));
  EXPECT_TRUE(refused_with(two("[0,4]", "[0,4]"), "they overlap"));
  EXPECT_TRUE(refused_with(two("[0,4]", "[5,9]"), "there is a gap"));
  EXPECT_TRUE(refused_with(two("[1,5]", "[5,9]"), "there is a gap"));
}

TEST(Safetensors, HostileHeadersAreRefused) {
  const std::string entry = R"("a":{"dtype":"F32","shape":[0],"data_offsets":[0,0]})";
  const std::string sum = R"("xxh64:a":")" + xxh64("") + '"';
  EXPECT_EQ(decode_tensors(file_of("," + sum + "}," + entry + "}", ""), "m").tensors().size(), 1U);

  const std::string deep = std::string(100000, '[') + std::string(100000, ']');
  const std::vector<std::pair<std::string, const char*>> cases{
      {"," + sum + "}," + entry + "," + entry + "}", "'a' stands there twice"},
      {"," + sum + "}," + entry + R"(,"__metadata__":{}})", "'__metadata__' stands there twice"},
      {R"(,"k":"1","k":"2"}})", "metadata 'k' stands there twice"},
      {R"(,"xxh64":"0"}})", "metadata 'xxh64' stands there twice"},
      {R"(,"k":1}})", "metadata 'k' is a number, not text"},
      {R"(,"k":-1}})", "metadata 'k' is the number -1, not text"},
      {R"(,"k":null}})", "metadata 'k' is null, not text"},
      {R"(,"k":{"l":"m"}}})", "metadata 'k' is an object, not text"},
      {R"(,"k":)" + deep + "}}", "metadata 'k' is a list, not text"},
      {R"(},"a":)" + deep + "}", "'a' is a list, not an object"},
      {"}," + entry + "}", "tensor 'a' has no checksum"},
      {"," + sum + "}}", "a tensor that is not there"},
      {R"(,"xxh64:a":"0123456789abcdef"},)" + entry + "}",
       "tensor 'a' does not match its checksum"},
      {"}", "not valid JSON"},
      {"}}}", "not valid JSON"},
      {"}} x", "not valid JSON"},
      {R"(,"k":"\xff"}})", "not valid JSON"},
      {",\"k\":\"\xff\"}}", "not valid JSON"},
      {",\"k\":\"\n\"}}", "not valid JSON"},
      {std::string(",\"k\":\"") + '\0' + "\"}}", "not valid JSON"},
  };
  for (const auto& [rest, part] : cases)
    EXPECT_TRUE(refused_with(file_of(rest, ""), part)) << rest.substr(0, 200);
}

TEST(Safetensors, MoreTensorsThanAllowedAreRefused) {
  std::string sums, entries;
  for (std::size_t i = 0; i <= kMaxTensors; ++i) {
    const std::string name = "t" + std::to_string(i);
    sums += ",\"xxh64:" + name + "\":\"" + xxh64("") + '"';
    entries += ",\"" + name + R"(":{"dtype":"U8","shape":[0],"data_offsets":[0,0]})";
  }
  EXPECT_TRUE(refused_with(file_of(sums + "}" + entries + "}", ""), "more than 4096 tensors"));
}

TEST(Safetensors, TextThatCannotBeStoredIsRefusedOnEncoding) {
  TensorFile file("out.safetensors");
  file.metadata["source"] = "caf\xe9.csv";
  try {
    (void)encode_tensors(file);
    ADD_FAILURE() << "accepted";
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::model);
    EXPECT_NE(std::string(e.what()).find("out.safetensors: cannot store the text"),
              std::string::npos);
  }
  file.metadata["source"] = std::string(kMaxHeaderBytes, 'x');
  EXPECT_THROW((void)encode_tensors(file), Error);
}

}  // namespace
}  // namespace pegnn
