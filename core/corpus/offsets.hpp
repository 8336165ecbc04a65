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

// Rebuilds the text and finds every word in it; words of a multiword token as `assign_offsets` says. Linear.
// A sentence with SpacesAfter, SpacesBefore or SpacesInToken is laid out by these; else its `# text` is taken as it is;
// else its tokens are joined by one space, or none after SpaceAfter=No. Between sentences: SpacesAfter, or a blank line
// before `# newdoc` and `# newpar`, or as between words.
[[nodiscard]] Located locate(const Columns& columns);

// Writes the offsets of the words [first, last) of a multiword token, which is `text` and stands at [start, end). Where
// the words spell it, which means that their forms joined are the text but for case and white space ("don't" is "do"
// and "n't"), each word stands where its own letters stand. Where they do not ("du" is "de" and "le"), nothing says
// which letter belongs to which, and each stands where the token stands. The first word always starts with the token
// and the last ends with it. Linear.
void assign_offsets(const Columns& columns, std::size_t first, std::size_t last, std::string_view text,
                    std::int32_t start, std::int32_t end, std::vector<std::int32_t>& starts,
                    std::vector<std::int32_t>& ends);

// The value of `key` in a MISC column (`a=b|key=value`); false where it is not there.
[[nodiscard]] bool misc_value(std::string_view misc, std::string_view key, std::string_view& value) noexcept;

// Do both MISC columns say the same of white space, so that one can take the place of the other without a change to the
// text?
[[nodiscard]] bool same_spaces(std::string_view misc, std::string_view other);

}  // namespace laconic::corpus
