#pragma once
// Text that may hold a password, on its way to where others read it.

#include <string>

namespace pegnn {

// With "..." in place of what stands after "password=" and between user and host of an address
// ("postgresql://user:secret@host/base").
std::string hide_passwords(std::string text);

}  // namespace pegnn
