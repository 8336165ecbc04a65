#pragma once
// What the reader of CoNLL-U takes as it is, but a treebank should not have: FEATS and DEPS that cannot be understood,
// and a `# text` that the words contradict.

#include <cstdint>
#include <string_view>

#include "corpus/lines.hpp"

namespace laconic::corpus {

// Adds the faults in the lines of one sentence, at most one of a kind per cell. `whole`: the ids of the sentence are in
// order, so that references to them and the text can be checked, too. Linear.
void check_content(std::string_view sentence, std::uint64_t first_line, bool whole, Faults& faults);

}  // namespace laconic::corpus
