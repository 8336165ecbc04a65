#pragma once
// Key=Value entries of the MISC column, in which the formats without a place for something carry it.
//
// Values are escaped so that any text fits: "\\" is a backslash, "\p" a bar, "\t" a tab, "\n" and "\r" line ends.

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "corpus/columns.hpp"

namespace laconic::corpus {

// Appends `Key=Value`, with a bar before it if there is something already.
void add_entry(std::string& misc, std::string_view key, std::string_view value);

// Gives each word the entry `key` with the value that its code means; an empty value is no entry. It takes the place of
// one that was there; other entries stay as they are. Linear.
void set_entries(Columns& columns, std::string_view key, std::span<const std::uint16_t> codes,
                 std::span<const std::string> values);

[[nodiscard]] std::string unescape(std::string_view value);

// The value of an entry as one cell of a line into `cell`; false, and nothing changed, where it is empty or would break
// the line.
[[nodiscard]] bool as_cell(std::string_view value, std::string& cell);

// Calls visit(key, escaped value) for each entry; an entry without "=" is a key with an empty value. "_" has no
// entries.
template <class Visit>
void for_each_entry(std::string_view misc, Visit&& visit) {
    if (misc == "_") return;
    while (!misc.empty()) {
        const std::size_t bar = std::min(misc.find('|'), misc.size());
        const std::string_view entry = misc.substr(0, bar);
        const std::size_t equals = std::min(entry.find('='), entry.size());
        visit(entry.substr(0, equals), entry.substr(std::min(equals + 1, entry.size())));
        misc.remove_prefix(std::min(bar + 1, misc.size()));
    }
}

}  // namespace laconic::corpus
