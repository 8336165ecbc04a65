#pragma once
// Changes of one word of a document. Whole columns are written by codes.hpp.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "corpus/columns.hpp"

namespace laconic::corpus {

// Why a string cannot stand in a column; empty where it can.
[[nodiscard]] std::string cell_fault(std::string_view cell);

// Throws InputError that names the sentence and the word.
[[noreturn]] void refuse(const Columns& columns, std::size_t word, const std::string& reason);

// Writes one field of a word. Throws InputError, which names sentence and word, where the string cannot stand there;
// the document is then as it was. Appends to the buffer, unless the field has that value already.
void set_field(Columns& columns, Field field, std::size_t word, std::string_view value);

// Writes the head of a word: 0, the id of another word of its sentence, or no_head. InputError else. Whether the heads
// are a tree is checked when they are written, since one that becomes another may have cycles on the way.
void set_head(Columns& columns, std::size_t word, std::int64_t head);

}  // namespace laconic::corpus
