#include "corpus/misc.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

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

void set_entries(Columns& columns, std::string_view key, std::span<const std::uint16_t> codes,
                 std::span<const std::string> values) {
    std::vector<Span> alone;  // MISC of words that have nothing else there, one for each value
    std::string misc;
    const auto write = [&](const std::string& value) {
        if (!value.empty()) add_entry(misc, key, value);
    };
    const auto stored = [&] { return columns.append(misc.empty() ? "_" : misc); };
    for (const std::string& value : values) {
        misc.clear();
        write(value);
        alone.push_back(stored());
    }
    std::vector<Span>& column = columns[Field::misc];
    for (std::size_t i = 0; i < column.size(); ++i) {
        const std::string_view old = columns.view(column[i]);
        if (old == "_") {
            column[i] = alone[codes[i]];
            continue;
        }
        misc.clear();
        bool written = false;
        for (std::size_t at = 0; at <= old.size();) {
            const std::size_t bar = std::min(old.find('|', at), old.size());
            const std::string_view entry = old.substr(at, bar - at);
            at = bar + 1;
            if (entry.substr(0, entry.find('=')) == key) {
                if (!written) write(values[codes[i]]);
                written = true;
            } else {
                misc.append(misc.empty() ? "" : "|").append(entry);
            }
        }
        if (!written) write(values[codes[i]]);
        column[i] = stored();
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
