#pragma once
// What a call is refused with.

#include <string>

#include <gtest/gtest.h>

#include "pegnn/error.h"

namespace pegnn::test {

// The message of the Error{kind} that f() throws; a failure when it throws none.
template <class F>
std::string refusal(F&& f, ErrorKind kind = ErrorKind::usage) {
  try {
    f();
  } catch (const Error& e) {
    EXPECT_EQ(kind, e.kind()) << e.what();
    return e.what();
  }
  ADD_FAILURE() << "not refused";
  return {};
}

}  // namespace pegnn::test
