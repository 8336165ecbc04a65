#pragma once
// What the binding files of the corpus room share.

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "corpus/lines.hpp"

namespace laconic::bindings {

inline nanobind::str to_str(std::string_view text) {
    return nanobind::str(text.data(), text.size());
}

// Binds reader(source, options) as name(source, file, first_line, lenient, max_words, begin), which returns
// (columns, faults, skipped, consumed, next_line): the face of every reader of lines.
template <class Reader>
void bind_reader(nanobind::module_& room, const char* name, Reader reader, const char* doc) {
    namespace nb = nanobind;
    const auto call = [reader](const nb::bytes& source, std::string file, std::uint64_t first_line, bool lenient,
                               std::uint64_t max_words, std::size_t begin) {
        const std::string_view view(source.c_str(), source.size());
        const corpus::ReadOptions options{std::move(file), first_line, lenient, max_words};
        corpus::ReadResult result;
        {
            const nb::gil_scoped_release release;
            result = reader(view.substr(begin < view.size() ? begin : view.size()), options);
        }
        nb::list faults;
        for (const corpus::Fault& fault : result.faults)
            faults.append(nb::make_tuple(fault.reason, fault.line, fault.column));
        return nb::make_tuple(nb::cast(std::move(result.columns)), faults, result.skipped, result.consumed,
                              result.next_line);
    };
    room.def(
        name, call, nb::arg("source"), nb::arg("file") = "", nb::arg("first_line") = 1, nb::arg("lenient") = false,
        nb::arg("max_words") = std::numeric_limits<std::uint64_t>::max(), nb::arg("begin") = 0,
        nb::sig(("def " + std::string(name) +
                 "(source: bytes, file: str = '', first_line: int = 1, lenient: bool = False, max_words: int = "
                 "18446744073709551615, begin: int = 0) -> tuple[Columns, list[tuple[str, int, int]], int, int, int]")
                    .c_str()),
        doc);
}

}  // namespace laconic::bindings
