#pragma once
// Where the words stand in the running text, and that text.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/columns.hpp"

namespace laconic::corpus {

struct Located {
    std::string text;                        // UTF-8
    std::vector<std::int32_t> starts, ends;  // in characters; no_offset where `# text` and the forms disagree
};

// Rebuilds the text and finds every word in it; the words of a multiword token stand where the token stands. Linear.
// A sentence with SpacesAfter, SpacesBefore or SpacesInToken is laid out by these; else its `# text` is taken as it is;
// else its tokens are joined by one space, or none after SpaceAfter=No. Between sentences: SpacesAfter, or a blank line
// before `# newdoc` and `# newpar`, or as between words.
[[nodiscard]] Located locate(const Columns& columns);

// The value of `key` in a MISC column (`a=b|key=value`); false where it is not there.
[[nodiscard]] bool misc_value(std::string_view misc, std::string_view key, std::string_view& value) noexcept;

}  // namespace laconic::corpus
