#pragma once
// A column of strings as numbers.

#include <cstdint>
#include <span>
#include <vector>

#include "corpus/columns.hpp"

namespace laconic::corpus {

struct Codes {
    std::vector<std::int32_t> codes;  // one per word
    std::vector<Span> values;         // distinct strings in the order of their first appearance
};

// Linear in the bytes of the column.
[[nodiscard]] Codes factorise(const Columns& columns, Field field);

// Word i gets values[codes[i]]. Throws std::invalid_argument on a code outside the values or a wrong number of codes.
void set_codes(Columns& columns, Field field, std::span<const std::int32_t> codes, std::span<const Span> values);

}  // namespace laconic::corpus
