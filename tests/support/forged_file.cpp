#include "support/forged_file.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include <xxhash.h>
#include <nlohmann/json.hpp>

namespace pegnn::test {

std::string xxh64(std::string_view bytes) {
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx",
                static_cast<unsigned long long>(XXH64(bytes.data(), bytes.size(), 0)));
  return digits;
}

ForgedFile::ForgedFile(const std::string& bytes) {
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), sizeof length);
  const auto header = nlohmann::ordered_json::parse(bytes.substr(8, length));
  for (const auto& [key, value] : header.items()) {
    if (key == "__metadata__") {
      for (const auto& [name, text] : value.items()) {
        if (!name.starts_with("xxh64")) metadata.emplace_back(name, text.dump());
      }
      continue;
    }
    Tensor tensor{key, {}, {}, 0};
    for (const auto& [name, field] : value.items()) {
      tensor.fields.emplace_back(name, field.dump());
    }
    const std::size_t begin = value.at("data_offsets").at(0), end = value.at("data_offsets").at(1);
    tensor.place = begin;
    tensor.data = bytes.substr(8 + length + begin, end - begin);
    tensors.push_back(std::move(tensor));
  }
}

std::string ForgedFile::text(const std::string& key) const {
  for (const auto& [name, value] : metadata) {
    if (name == key) return nlohmann::json::parse(value);
  }
  return {};
}

void ForgedFile::set_text(const std::string& key, const std::string& text) {
  for (auto& [name, value] : metadata) {
    if (name == key) value = nlohmann::json(text).dump();
  }
}

void ForgedFile::set_raw_text(const std::string& key, const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  for (auto& [name, value] : metadata) {
    if (name == key) value = quoted + "\"";
  }
}

ForgedFile::Tensor* ForgedFile::find(const std::string& name) {
  for (Tensor& tensor : tensors) {
    if (tensor.name == name) return &tensor;
  }
  return nullptr;
}

std::vector<std::int64_t> ForgedFile::shape(const Tensor& tensor) {
  for (const auto& [name, value] : tensor.fields) {
    if (name == "shape") return nlohmann::json::parse(value);
  }
  return {};
}

void ForgedFile::set_rows(std::size_t number, std::int64_t rows) {
  Tensor& tensor = tensors[number];
  std::vector<std::int64_t> was = shape(tensor);
  if (was.size() != 2 || tensor.data.empty()) return;
  const std::size_t row = tensor.data.size() / static_cast<std::size_t>(was[0]);
  std::string data;
  for (std::int64_t i = 0; i < rows; ++i) {
    data += tensor.data.substr(static_cast<std::size_t>(i % was[0]) * row, row);
  }
  tensor.data = data;
  for (auto& [name, value] : tensor.fields) {
    if (name == "shape") value = nlohmann::json{rows, was[1]}.dump();
  }
  move_data();
}

void ForgedFile::remove(std::size_t number) {
  tensors.erase(tensors.begin() + static_cast<std::ptrdiff_t>(number));
  move_data();
}

std::string ForgedFile::bytes() const {
  const std::string start = R"({"__metadata__":{"xxh64":")";
  std::string header = start + "0000000000000000\"", data;
  const auto add = [&](const std::string& name, const std::string& value) {
    header += "," + nlohmann::json(name).dump() + ":" + value;
  };
  for (const auto& [name, value] : metadata) add(name, value);
  for (const Tensor& t : tensors) add("xxh64:" + t.name, "\"" + xxh64(t.data) + "\"");
  header += "}";
  for (const Tensor& t : tensors) {
    std::string fields;
    for (const auto& [name, value] : t.fields) {
      fields += (fields.empty() ? "" : ",") + nlohmann::json(name).dump() + ":" + value;
    }
    add(t.name, "{" + fields + "}");
  }
  header += "}";
  for (const std::size_t t : in_place()) data += tensors[t].data;
  header.append((8 - header.size() % 8) % 8, ' ');
  header.replace(start.size(), 16, xxh64(header));
  std::string out(8, '\0');
  const std::uint64_t length = header.size();
  std::memcpy(out.data(), &length, sizeof length);
  return out + header + data;
}

std::vector<std::size_t> ForgedFile::in_place() const {
  std::vector<std::size_t> order;
  for (std::size_t t = 0; t < tensors.size(); ++t) order.push_back(t);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return tensors[a].place < tensors[b].place;
  });
  return order;
}

void ForgedFile::move_data() {
  std::uint64_t place = 0;
  for (const std::size_t t : in_place()) {
    tensors[t].place = place;
    const std::uint64_t end = place + tensors[t].data.size();
    for (auto& [name, value] : tensors[t].fields) {
      if (name == "data_offsets") value = nlohmann::json{place, end}.dump();
    }
    place = end;
  }
}

}  // namespace pegnn::test
