// The thorough half of the mutations: a file is taken apart tensor by tensor and put together
// again.

#include <algorithm>
#include <cstdlib>
#include <utility>

#include <nlohmann/json.hpp>

#include "model/safetensors_header.h"
#include "pegnn/error.h"
#include "sealed.h"

namespace pegnn::fuzz {
namespace {

using nlohmann::ordered_json;

constexpr const char* kChecksumKey = "xxh64:";

// A file whose header can be read, tensor by tensor.
struct Tensors {
  Header header;
  std::vector<std::string> data;
};

Tensors take_apart(const Parts& parts) {
  Tensors t{read_header(parts.header, "seed"), {}};
  for (const HeaderEntry& entry : t.header.tensors) {
    if (entry.end > parts.data.size()) throw Error(ErrorKind::model, "truncated");
    t.data.push_back(parts.data.substr(entry.begin, entry.end - entry.begin));
  }
  return t;
}

// Error{model} where a text is no UTF-8 any more.
std::string seal(Tensors t) {
  std::erase_if(t.header.metadata,
                [](const auto& entry) { return entry.first.starts_with(kChecksumKey); });
  std::string data;
  for (std::size_t i = 0; i < t.data.size(); ++i) {
    HeaderEntry& entry = t.header.tensors[i];
    t.header.metadata[kChecksumKey + entry.name] = checksum(t.data[i]);
    entry.begin = data.size();
    data += t.data[i];
    entry.end = data.size();
  }
  return with_length(write_header(t.header, "seed"), data);
}

// Another number of rows, another type, another name, or none at all.
void mutate_tensor(Tensors& t, Dice& dice) {
  if (t.data.empty()) return;
  const std::size_t i = dice.below(t.data.size()), j = dice.below(t.data.size());
  HeaderEntry& entry = t.header.tensors[i];
  switch (dice.below(6)) {
    case 0:
      t.header.tensors.erase(t.header.tensors.begin() + static_cast<std::ptrdiff_t>(i));
      t.data.erase(t.data.begin() + static_cast<std::ptrdiff_t>(i));
      break;
    case 1:
      std::swap(entry.name, t.header.tensors[j].name);
      break;
    case 2:
      std::reverse(entry.shape.begin(), entry.shape.end());
      break;
    case 3:
      entry.shape.insert(entry.shape.begin(), 1);
      break;
    case 4:
      entry.dtype = entry.dtype == Dtype::f64   ? Dtype::i64
                    : entry.dtype == Dtype::i64 ? Dtype::f64
                    : entry.dtype == Dtype::f32 ? Dtype::i32
                                                : Dtype::f32;
      break;
    default: {
      // Those that count the same rows grow and shrink together.
      if (entry.shape.empty() || entry.shape[0] == 0) return;
      const std::int64_t rows = entry.shape[0];
      const auto wanted = static_cast<std::int64_t>(dice.below(static_cast<std::size_t>(rows) + 3));
      const bool together = dice.below(2) == 0;
      for (std::size_t n = 0; n < t.data.size(); ++n) {
        HeaderEntry& other = t.header.tensors[n];
        if (n != i && (!together || other.shape.empty() || other.shape[0] != rows)) continue;
        t.data[n].resize(t.data[n].size() / static_cast<std::size_t>(rows) *
                         static_cast<std::size_t>(wanted));
        other.shape[0] = wanted;
      }
    }
  }
}

// A value somewhere in the description, or its name.
void mutate_json(ordered_json& value, Dice& dice) {
  if (value.is_structured() && !value.empty() && dice.below(12) != 0) {
    auto at = value.begin();
    std::advance(at, static_cast<std::ptrdiff_t>(dice.below(value.size())));
    if (dice.below(40) == 0) {
      value.erase(at);
    } else {
      mutate_json(*at, dice);
    }
    return;
  }
  switch (dice.below(8)) {
    case 0:
      value = dice.one_of(special_numbers());
      break;
    case 1:
      value = dice.one_of(special_integers());
      break;
    case 2:
      value = std::to_string(dice.one_of(special_integers()));
      break;
    case 3:
      value = nullptr;
      break;
    case 4:
      value = ordered_json::array({value, value});
      break;
    case 5:
      value = dice.below(2) == 0;
      break;
    default:
      if (value.is_string()) {
        value = mutated(value.get<std::string>(), 8);
      } else {
        value = ordered_json::parse(mutated(value.dump(), 8), nullptr, false);
      }
  }
}

void mutate_metadata(Tensors& t, Dice& dice) {
  std::vector<std::string*> texts;
  for (auto& [key, text] : t.header.metadata) {
    if (!key.starts_with(kChecksumKey)) texts.push_back(&text);
  }
  if (texts.empty()) return;
  std::string& text = *dice.one_of(texts);
  ordered_json json = ordered_json::parse(text, nullptr, false);
  if (json.is_structured() && dice.below(4) != 0) {
    mutate_json(json, dice);
    text = json.dump();
  } else {
    text = mutated(text, 16);
  }
}

}  // namespace

std::string mutate_tensors(const Parts& parts, Dice& dice) {
  try {
    Tensors t = take_apart(parts);
    if (dice.below(2) == 0) {
      mutate_tensor(t, dice);
    } else {
      mutate_metadata(t, dice);
    }
    return seal(t);
  } catch (const Error&) {  // no such file, or a text that is not UTF-8 any more
  } catch (const nlohmann::json::exception&) {
  }
  return {};
}

}  // namespace pegnn::fuzz
