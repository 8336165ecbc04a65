#include "corpus/misc.hpp"

#include <array>
#include <utility>

namespace laconic::corpus {

namespace {

constexpr std::array<std::pair<char, char>, 5> escapes{
    {{'\\', '\\'}, {'|', 'p'}, {'\t', 't'}, {'\n', 'n'}, {'\r', 'r'}}};

}  // namespace

void add_entry(std::string& misc, std::string_view key, std::string_view value) {
    if (!misc.empty()) misc += '|';
    misc.append(key);
    misc += '=';
    for (const char c : value) {
        bool plain = true;
        for (const auto& [from, to] : escapes)
            if (c == from) {
                misc += '\\';
                misc += to;
                plain = false;
            }
        if (plain) misc += c;
    }
}

std::string unescape(std::string_view value) {
    std::string text;
    text.reserve(value.size());
    for (std::size_t i = 0; i < value.size(); ++i) {
        char c = value[i];
        if (c == '\\' && i + 1 < value.size())
            for (const auto& [from, to] : escapes)
                if (value[i + 1] == to) {
                    c = from;
                    ++i;
                    break;
                }
        text += c;
    }
    return text;
}

bool as_cell(std::string_view value, std::string& cell) {
    std::string text = unescape(value);
    if (text.empty() || text.find_first_of("\t\r\n") != std::string::npos) return false;
    cell = std::move(text);
    return true;
}

}  // namespace laconic::corpus
