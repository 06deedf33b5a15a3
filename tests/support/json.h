#pragma once
// JSON read by tests. A compiler takes seconds for the parser behind it, which is compiled once.

#include <istream>
#include <string>

#include <nlohmann/json.hpp>

extern template class nlohmann::basic_json<>;

namespace pegnn::test {

nlohmann::json parse_json(const std::string& text);
nlohmann::json parse_json(std::istream& in);

}  // namespace pegnn::test
