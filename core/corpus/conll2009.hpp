#pragma once
// The formats of the shared tasks of 2008 and 2009: dependencies with predicates and their arguments, one column per
// predicate.
//
// 2009: ID FORM LEMMA PLEMMA POS PPOS FEAT PFEAT HEAD PHEAD DEPREL PDEPREL FILLPRED PRED APRED1 …
// 2008: ID FORM LEMMA GPOS PPOS SPLIT_FORM SPLIT_LEMMA PPOSS HEAD DEPREL PRED ARG1 …
//
// The word of 2008 is the split one (heads count these): SPLIT_FORM is FORM here, SPLIT_LEMMA is LEMMA, PPOSS is XPOS.
// In 2009 POS is XPOS. Every other column is carried in MISC under its name, but left out where it has the value that
// it has by default:
//   2009: PLemma, PPos, PFeat, PHead, PDeprel   by default that of the column without the P
//         FillPred                              by default Y for a predicate, else _
//   2008: Form, Lemma, GPos, PPos               by default that of the split word
//   both: Pred, APred1, APred2, …               by default _; the number says which predicate of the sentence, from 1
// A sentence has as many argument columns as predicates (PRED is not "_"). Lines with "#" before a sentence are kept.

#include <string_view>

#include "corpus/rows.hpp"

namespace laconic::corpus {

[[nodiscard]] ReadResult read_conll2008(std::string_view source, const ReadOptions& options);
[[nodiscard]] ReadResult read_conll2009(std::string_view source, const ReadOptions& options);

// POS is XPOS, or UPOS where a word has no XPOS.
[[nodiscard]] Written write_conll2008(const Columns& columns);
[[nodiscard]] Written write_conll2009(const Columns& columns);

}  // namespace laconic::corpus
