#pragma once
// From labels to a document: every character of the text is in a token or in the MISC column beside one.

#include <cstdint>
#include <span>

#include "corpus/columns.hpp"
#include "text/characters.hpp"
#include "text/multiword.hpp"

namespace laconic::text {

// The tokens of characters [begin, end), labelled one by one; multiword tokens are split unless `multiwords` is null.
// White space is told by SpaceAfter, SpacesBefore, SpacesAfter and SpacesInToken, with the escapes of UD and `\0` for
// NUL, so that the text of the columns is the text of the characters, which must be UTF-8. One space at the very end is
// told where the text ends there, and not where this is a piece of it (`last` is false): more follows then. Offsets
// count from the beginning of the first of them. Sentences carry `# text`, and `# newpar` behind a blank line.
[[nodiscard]] corpus::Columns build(const Characters& characters, std::span<const std::uint8_t> labels,
                                    std::size_t begin, std::size_t end, bool last, const Multiwords* multiwords);

}  // namespace laconic::text
