#pragma once
// Many short documents at work as one: joined, and what was found out handed back to each.

#include <cstdint>
#include <span>
#include <vector>

#include "corpus/columns.hpp"

namespace laconic::corpus {

struct Joined {
    Columns columns;
    std::vector<std::uint32_t> bytes, words;  // where those of each part begin, and the end
};

// The sentences of all parts, in order. A part that opens a document says `# newdoc` there, so that whoever remembers
// words of a document stops at it. Linear.
[[nodiscard]] Joined join(std::span<const Columns* const> parts, std::span<const std::uint8_t> opens);

// Gives each part the heads and fields, but for forms, that its words have in the whole. What else a part holds stays.
// Linear; a value that several words of a part share is stored once. Throws std::invalid_argument unless the parts are
// those that were joined, with the words they had.
void hand_back(const Joined& joined, std::span<Columns* const> parts);

}  // namespace laconic::corpus
