#pragma once
// Entities that the tags of a document mark, as conlleval reads them.

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "corpus/columns.hpp"

namespace laconic::corpus {

struct EntitySpan {
    std::uint32_t first = 0, last = 0;  // words of the document, both included
    std::string_view label;
};

// The entities of the sentences [begin, end), read from `NER=` in MISC, whatever the scheme of the tags. A word starts
// one if its tag is B, S or U; if it is I, E or L after a word that is in none or ends one, or at the start of a
// sentence; and where the word before has another label. What is no tag counts as none: MISC is everybody's. Linear.
[[nodiscard]] std::vector<EntitySpan> entity_spans(const Columns& columns, std::size_t begin, std::size_t end);

}  // namespace laconic::corpus
