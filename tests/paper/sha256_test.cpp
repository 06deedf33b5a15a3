// SHA-256 against the examples of FIPS 180-4 and NIST's test vectors.

#include "paper/sha256.h"

#include <string>

#include <gtest/gtest.h>

namespace pegnn {
namespace {

TEST(Sha256, TheExamplesOfTheStandardComeOut) {
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256(std::string(1000000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, ShortMessagesOfNistComeOut) {
  // SHA256ShortMsg.rsp: 8, 16 and 512 bits.
  EXPECT_EQ(sha256("\xd3"), "28969cdfa74a12c82f3bad960b0b000aca2ac329deea5c2328ebc6f2ba9802c1");
  EXPECT_EQ(sha256("\x11\xaf"), "5ca7133fa735326081558ac312c620eeca9970d1e70a4b95533d956f072d1f98");
}

// The padding takes a second block from 56 bytes on.
TEST(Sha256, PiecesGiveWhatTheWholeGives) {
  for (const std::size_t length : {1u, 54u, 55u, 56u, 57u, 63u, 64u, 65u, 119u, 120u, 128u, 200u}) {
    const std::string text(length, 'x');
    for (const std::size_t piece : {1u, 7u, 64u}) {
      Sha256 hash;
      for (std::size_t at = 0; at < length; at += piece) {
        hash.add(std::string_view(text).substr(at, piece));
      }
      EXPECT_EQ(hash.hex(), sha256(text)) << length << " bytes by " << piece;
    }
  }
}

TEST(Sha256, MoreMayFollowAfterTheFingerprint) {
  Sha256 hash;
  hash.add("a");
  EXPECT_EQ(hash.hex(), sha256("a"));
  hash.add("bc");
  EXPECT_EQ(hash.hex(), sha256("abc"));
}

}  // namespace
}  // namespace pegnn
