#include "support/json.h"

template class nlohmann::basic_json<>;

namespace pegnn::test {

nlohmann::json parse_json(const std::string& text) { return nlohmann::json::parse(text); }
nlohmann::json parse_json(std::istream& in) { return nlohmann::json::parse(in); }

}  // namespace pegnn::test
