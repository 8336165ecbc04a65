#pragma once
// Columns to CoNLL-U: exactly, so that what was read is written back byte for byte, or plainly, so that the output of
// several documents can be joined: lines end in LF, one blank line follows each sentence, nothing stands before the
// first.

#include <cstddef>
#include <span>
#include <string>

#include "corpus/columns.hpp"

namespace laconic::corpus {

// Throws std::invalid_argument where the heads of a sentence are what no reader takes: see check_tree. Linear.
void check_heads(const Columns& columns);

// Bytes that write_conllu will fill. Linear.
[[nodiscard]] std::size_t conllu_size(const Columns& columns, bool exact = true);

// Fills `out`, which has conllu_size bytes. Fields that lie together in the buffer are copied together.
void write_conllu(const Columns& columns, std::span<char> out, bool exact = true);

[[nodiscard]] std::string to_conllu(const Columns& columns);

}  // namespace laconic::corpus
