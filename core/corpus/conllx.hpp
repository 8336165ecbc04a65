#pragma once
// CoNLL-X, the format of the shared tasks of 2006 and 2007: ID FORM LEMMA CPOSTAG POSTAG FEATS HEAD DEPREL PHEAD
// PDEPREL.
//
// CPOSTAG is UPOS and POSTAG is XPOS here. PHEAD and PDEPREL are carried in MISC as `PHead=` and `PDeprel=` where they
// are not "_". The format has no comments, but many files do: lines with "#" before a sentence are kept.

#include <string_view>

#include "corpus/rows.hpp"

namespace laconic::corpus {

[[nodiscard]] ReadResult read_conllx(std::string_view source, const ReadOptions& options);
[[nodiscard]] Written write_conllx(const Columns& columns);

}  // namespace laconic::corpus
