#pragma once
// What the binding files of the corpus room share.

#include <limits>

#include "bindings/common.hpp"
#include "corpus/lines.hpp"

namespace laconic::bindings {

inline nb::str to_str(std::string_view text) {
    return nb::str(text.data(), text.size());
}

// Writes one field of a word. Text and offsets follow where they must.
void set_string(Columns& columns, corpus::Field field, std::size_t word, nb::handle string);

// The columns with the offsets of all words, found at the first question.
const Columns& located(Columns& columns);

// reader(source, options) from the byte `begin` on: (columns, faults, skipped, consumed, next_line).
template <class Reader>
nb::tuple read_from(const nb::bytes& source, std::size_t begin, const corpus::ReadOptions& options, Reader&& reader) {
    const std::string_view bytes = view_of(source);
    corpus::ReadResult result = unlocked([&] { return reader(bytes.substr(std::min(begin, bytes.size())), options); });
    nb::list faults;
    for (const corpus::Fault& fault : result.faults)
        faults.append(nb::make_tuple(fault.reason, fault.line, fault.column));
    return nb::make_tuple(nb::cast(std::move(result.columns)), faults, result.skipped, result.consumed,
                          result.next_line);
}

// Binds reader(source, options) as name(source, file, first_line, lenient, max_words, begin), which returns what
// read_from() does: the face of every reader of lines.
template <class Reader>
void bind_reader(nb::module_& room, const char* name, Reader reader, const char* doc) {
    const auto call = [reader](const nb::bytes& source, std::string file, std::uint64_t first_line, bool lenient,
                               std::uint64_t max_words, std::size_t begin) {
        return read_from(source, begin, {std::move(file), first_line, lenient, max_words}, reader);
    };
    room.def(
        name, call, "source"_a, "file"_a = "", "first_line"_a = 1, "lenient"_a = false,
        "max_words"_a = std::numeric_limits<std::uint64_t>::max(), "begin"_a = 0,
        nb::sig(("def " + std::string(name) +
                 "(source: bytes, file: str = '', first_line: int = 1, lenient: bool = False, max_words: int = "
                 "18446744073709551615, begin: int = 0) -> tuple[Columns, list[tuple[str, int, int]], int, int, int]")
                    .c_str()),
        doc);
}

}  // namespace laconic::bindings
