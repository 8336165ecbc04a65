#pragma once
// Columns to CoNLL-U: what was read is written back byte for byte.

#include <cstddef>
#include <span>
#include <string>

#include "corpus/columns.hpp"

namespace laconic::corpus {

// Throws std::invalid_argument where the heads of a sentence are what no reader takes: see check_tree. Linear.
void check_heads(const Columns& columns);

// Bytes that write_conllu will fill. Linear.
[[nodiscard]] std::size_t conllu_size(const Columns& columns);

// Fills `out`, which has conllu_size bytes. Fields that lie together in the buffer are copied together.
void write_conllu(const Columns& columns, std::span<char> out);

[[nodiscard]] std::string to_conllu(const Columns& columns);

}  // namespace laconic::corpus
