// Downloads of files on this disk, by file://; those over the network are in
// tests/cli/fetch_test.py.

#include "paper/download.h"

#include <cstdlib>
#include <filesystem>
#include <string>

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "base/atomic_file.h"
#include "paper/sha256.h"
#include "pegnn/error.h"

namespace pegnn {
namespace {

namespace fs = std::filesystem;

class DownloadTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!can_download()) GTEST_SKIP() << "this build has no libcurl";
    folder_ = fs::path(testing::TempDir()) /
              testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    write_file(folder_ / "source", text_);
    wanted_.url = "file://" + (folder_ / "source").string();
    wanted_.file = folder_ / "copy";
  }
  void TearDown() override {
    if (!folder_.empty()) fs::remove_all(folder_);
  }

  // What is said, and nothing but the source is left.
  std::string failure(ErrorKind kind) {
    try {
      download(wanted_);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), kind) << error.what();
      EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 1);
      return error.what();
    }
    return "no error";
  }

  const std::string text_ = std::string(300000, 'a').append("z");
  fs::path folder_;
  Download wanted_;
};

TEST_F(DownloadTest, AFileArrivesWholeAndIsChecked) {
  std::int64_t seen = 0;
  wanted_.progress = [&](std::int64_t now, std::int64_t) { seen = now; };
  wanted_.sha256 = sha256(text_);
  wanted_.bytes = 300001;
  download(wanted_);
  EXPECT_EQ(read_file(wanted_.file), text_);
  EXPECT_EQ(seen, 300001);
}

TEST_F(DownloadTest, AWrongFingerprintKeepsNothing) {
  wanted_.sha256 = sha256("another");
  const std::string said = failure(ErrorKind::data);
  EXPECT_NE(said.find(wanted_.url), std::string::npos) << said;
  EXPECT_NE(said.find(sha256(text_)), std::string::npos) << said;
  EXPECT_NE(said.find(sha256("another")), std::string::npos) << said;
}

TEST_F(DownloadTest, AWrongLengthKeepsNothing) {
  wanted_.bytes = 300000;
  EXPECT_NE(failure(ErrorKind::data).find("300,001 bytes instead of 300,000"), std::string::npos);
}

TEST_F(DownloadTest, WhatWasThereStaysWhenItFails) {
  write_file(wanted_.file, "old");
  wanted_.bytes = 1;
  EXPECT_THROW(download(wanted_), Error);
  EXPECT_EQ(read_file(wanted_.file), "old");
}

TEST_F(DownloadTest, StoppingLeavesNothing) {
  wanted_.stop = [] { return true; };
  EXPECT_NE(failure(ErrorKind::interrupted).find("stopped"), std::string::npos);
}

TEST_F(DownloadTest, AnExceptionOfTheCallerComesThrough) {
  wanted_.progress = [](std::int64_t, std::int64_t) { throw Error(ErrorKind::failure, "mine"); };
  EXPECT_EQ(failure(ErrorKind::failure), "mine");
}

TEST_F(DownloadTest, WhatIsNotThereIsNamed) {
  wanted_.url += "-not";
  EXPECT_NE(failure(ErrorKind::resource).find(wanted_.url), std::string::npos);
}

// Connected to, it never answers.
TEST_F(DownloadTest, AServerThatSaysNothingIsGivenUp) {
  ::setenv("no_proxy", "127.0.0.1", 1);
  const int listener = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  auto* const plain = reinterpret_cast<sockaddr*>(&address);
  ASSERT_EQ(::bind(listener, plain, length), 0);
  ASSERT_EQ(::listen(listener, 1), 0);
  ASSERT_EQ(::getsockname(listener, plain, &length), 0);
  wanted_.url = "http://127.0.0.1:" + std::to_string(ntohs(address.sin_port)) + "/name";
  wanted_.stall_seconds = 1;
  const std::string said = failure(ErrorKind::resource);
  EXPECT_NE(said.find("cannot fetch " + wanted_.url), std::string::npos) << said;
  ::close(listener);
}

TEST_F(DownloadTest, OtherKindsOfAddressAreRefused) {
  for (const char* url : {"ftp://a/b", "/etc/passwd", ""}) {
    wanted_.url = url;
    EXPECT_NE(failure(ErrorKind::usage).find("http://, https:// or file://"), std::string::npos);
  }
}

TEST_F(DownloadTest, AFolderThatIsNotThereIsNamedWithTheOptionThatHelps) {
  wanted_.file = folder_ / "none" / "copy";
  const std::string said = failure(ErrorKind::resource);
  EXPECT_NE(said.find("--data-dir"), std::string::npos) << said;
}

TEST(Download, ABuildWithoutLibcurlSaysWhatToDoByHand) {
  if (can_download()) GTEST_SKIP() << "this build has libcurl";
  try {
    download({.url = "https://host/name", .file = "/data/name"});
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::resource);
    const std::string said = error.what();
    EXPECT_NE(said.find("https://host/name"), std::string::npos);
    EXPECT_NE(said.find("/data/name"), std::string::npos);
  }
}

}  // namespace
}  // namespace pegnn
