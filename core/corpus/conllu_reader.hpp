#pragma once
// CoNLL-U to columns. Nothing is repaired: what could not be written back byte for byte is a fault.

#include <string_view>

#include "corpus/lines.hpp"

namespace laconic::corpus {

// Reads whole sentences. One pass, linear in the source; no allocation per line or field.
// With max_words it stops before the sentence that would exceed it (one sentence is always read), and rather at a
// `# newdoc` in the second half of the batch if there is one.
[[nodiscard]] ReadResult read_conllu(std::string_view source, const ReadOptions& options);

// The same, for the sake of the faults: also those of what is read as it is, but should not be there.
[[nodiscard]] ReadResult check_conllu(std::string_view source, ReadOptions options);

// Is the comment line `# key`, `# key = value` or `# key value`? The value, empty where there is none.
[[nodiscard]] bool comment_value(std::string_view comment, std::string_view key, std::string_view& value) noexcept;

}  // namespace laconic::corpus
