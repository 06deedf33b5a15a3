#include "base/secrets.h"

#include <gtest/gtest.h>

namespace pegnn {
namespace {

TEST(Secrets, PasswordsOfConnectionsAreHidden) {
  EXPECT_EQ(hide_passwords("PG:dbname=x password=secret host=h"),
            "PG:dbname=x password=... host=h");
  EXPECT_EQ(hide_passwords("PG:PASSWORD = 'se cret' host=h"), "PG:PASSWORD = ... host=h");
  EXPECT_EQ(hide_passwords("password=one password=two"), "password=... password=...");
  EXPECT_EQ(hide_passwords("password='never closed"), "password=...");
  EXPECT_EQ(hide_passwords("PG:postgresql://me:secret@host:5432/base"),
            "PG:postgresql://me:...@host:5432/base");
}

TEST(Secrets, OtherTextStaysAsItIs) {
  for (const char* text : {"", "places.csv", "passwords.csv", "PG:dbname=x", "password",
                           "password=", "postgresql://me@host/base", "http://host:80/a@b"}) {
    EXPECT_EQ(hide_passwords(text), text);
  }
}

}  // namespace
}  // namespace pegnn
