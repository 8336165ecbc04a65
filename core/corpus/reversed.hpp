#pragma once
// Documents read from right to left.

#include "corpus/columns.hpp"

namespace laconic::corpus {

// The same sentences with their words in reverse, each with its fields and with its head under its new number. What
// lies beside the columns (comments, multiword tokens, empty nodes) is left out. Linear.
[[nodiscard]] Columns reversed(const Columns& columns);

}  // namespace laconic::corpus
