#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "bindings/corpus_columns.hpp"
#include "bindings/rooms.hpp"
#include "corpus/conll2009.hpp"
#include "corpus/conllx.hpp"
#include "corpus/iob.hpp"
#include "corpus/projectivity.hpp"

namespace nb = nanobind;
using namespace laconic::corpus;

namespace {

template <class T>
using In = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using Out = nb::ndarray<nb::numpy, T, nb::ndim<1>>;

template <class T>
std::span<const T> view(const In<T>& array) {
    return {array.data(), array.shape(0)};
}

template <class T>
Out<T> give(std::vector<T>&& values) {
    auto owned = std::make_unique<std::vector<T>>(std::move(values));
    T* data = owned->data();
    const std::size_t size = owned->size();
    nb::capsule owner(owned.release(), [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    return Out<T>(data, {size}, owner);
}

// Calls `work(begin, size)` for each sentence, without the GIL; an error names the sentence.
template <class Work>
void each_sentence(std::span<const std::uint32_t> starts, std::size_t words, Work&& work) {
    if (starts.empty() || starts.front() != 0 || starts.back() != words)
        throw std::invalid_argument("sentence starts must begin with 0 and end with the number of words");
    const nb::gil_scoped_release unlocked;
    for (std::size_t i = 0; i + 1 < starts.size(); ++i) {
        if (starts[i] > starts[i + 1]) throw std::invalid_argument("sentence starts must ascend");
        try {
            work(std::size_t{starts[i]}, std::size_t{starts[i + 1]} - starts[i]);
        } catch (const std::invalid_argument& error) {
            throw std::invalid_argument("sentence " + std::to_string(i + 1) + ": " + error.what());
        }
    }
}

Out<std::uint8_t> nonprojective(const In<std::int32_t>& heads, const In<std::uint32_t>& starts) {
    std::vector<std::uint8_t> arcs(heads.shape(0));
    each_sentence(view(starts), arcs.size(), [&](std::size_t begin, std::size_t size) {
        const std::vector<std::uint8_t> part = nonprojective_arcs(view(heads).subspan(begin, size));
        std::copy(part.begin(), part.end(), arcs.begin() + static_cast<std::ptrdiff_t>(begin));
    });
    return give(std::move(arcs));
}

std::pair<Out<std::int32_t>, Out<std::uint8_t>> lifted(const In<std::int32_t>& heads, const In<std::uint32_t>& starts) {
    std::vector<std::int32_t> result(view(heads).begin(), view(heads).end());
    std::vector<std::uint8_t> crossed(result.size());
    each_sentence(view(starts), result.size(), [&](std::size_t begin, std::size_t size) {
        lift(std::span(result).subspan(begin, size), std::span(crossed).subspan(begin, size));
    });
    return {give(std::move(result)), give(std::move(crossed))};
}

// The last four arrays say, for each distinct label, what it encodes.
Out<std::int32_t> unlifted(const In<std::int32_t>& heads, const In<std::uint32_t>& starts,
                           const In<std::int32_t>& codes, const In<std::int32_t>& labels,
                           const In<std::int32_t>& targets, const In<std::uint8_t>& lifts,
                           const In<std::uint8_t>& paths, bool follow_path) {
    const std::size_t kinds = labels.shape(0);
    if (targets.shape(0) != kinds || lifts.shape(0) != kinds || paths.shape(0) != kinds ||
        codes.shape(0) != heads.shape(0))
        throw std::invalid_argument("heads and codes, and the parts of labels, must have the same length");
    std::vector<std::int32_t> result(view(heads).begin(), view(heads).end());
    std::vector<Mark> marks;
    each_sentence(view(starts), result.size(), [&](std::size_t begin, std::size_t size) {
        marks.clear();
        for (const std::int32_t code : view(codes).subspan(begin, size)) {
            const auto kind = static_cast<std::size_t>(code);
            if (code < 0 || kind >= kinds) throw std::invalid_argument("a code has no label");
            marks.push_back({view(labels)[kind], view(targets)[kind], view(lifts)[kind] != 0, view(paths)[kind] != 0});
        }
        unlift(std::span(result).subspan(begin, size), marks, follow_path);
    });
    return give(std::move(result));
}

// (bytes, [(what was lost, how often)])
template <class Write>
nb::tuple written(const Columns& columns, Write&& write) {
    Written result;
    {
        const Reading reading(columns.access);
        const nb::gil_scoped_release unlocked;
        result = write(columns);
        laconic::corpus::check_written(result.bytes);
    }
    nb::list losses;
    for (const auto& [what, count] : result.losses) losses.append(nb::make_tuple(what, count));
    return nb::make_tuple(nb::bytes(result.bytes.data(), result.bytes.size()), losses);
}

template <class Write>
void bind_writer(nb::module_& room, const char* name, Write write, const char* doc) {
    room.def(
        name, [write](const Columns& columns) { return written(columns, write); }, nb::arg("columns"),
        nb::sig(("def " + std::string(name) + "(columns: Columns) -> tuple[bytes, list[tuple[str, int]]]").c_str()),
        doc);
}

nb::tuple read_iob_columns(const nb::bytes& source, std::string file, std::uint64_t first_line, bool lenient,
                           std::uint64_t max_words, std::size_t begin, const std::vector<std::string>& names, bool tabs,
                           const std::string& scheme) {
    const IobMap map(names, tabs ? '\t' : ' ', scheme_named(scheme));
    const std::string_view bytes(source.c_str(), source.size());
    const ReadOptions options{std::move(file), first_line, lenient, max_words};
    ReadResult result;
    {
        const nb::gil_scoped_release unlocked;
        result = read_iob(bytes.substr(std::min(begin, bytes.size())), options, map);
    }
    nb::list faults;
    for (const Fault& fault : result.faults) faults.append(nb::make_tuple(fault.reason, fault.line, fault.column));
    return nb::make_tuple(nb::cast(std::move(result.columns)), faults, result.skipped, result.consumed,
                          result.next_line);
}

std::vector<std::string> tags_to_bio(const std::vector<std::string>& tags, const std::string& scheme) {
    const std::vector<std::string_view> views(tags.begin(), tags.end());
    std::vector<std::string> bio;
    const TagFault fault = to_bio(views, scheme_named(scheme), bio);
    if (!fault.reason.empty())
        throw std::invalid_argument("word " + std::to_string(fault.word + 1) + ": " + fault.reason);
    return bio;
}

std::vector<std::string> tags_from_bio(const std::vector<std::string>& bio, const std::string& scheme) {
    const std::vector<std::string> checked = tags_to_bio(bio, "bio");
    const std::vector<std::string_view> views(checked.begin(), checked.end());
    std::vector<std::string> tags;
    from_bio(views, scheme_named(scheme), tags);
    return tags;
}

}  // namespace

void laconic::bindings::corpus_formats(nb::module_& core) {
    auto room = nb::cast<nb::module_>(core.attr("corpus"));
    room.def("nonprojective_arcs", nonprojective, nb::arg("heads"), nb::arg("starts"),
             nb::sig("def nonprojective_arcs(heads: numpy.typing.NDArray[numpy.int32], starts: "
                     "numpy.typing.NDArray[numpy.uint32]) -> numpy.typing.NDArray[numpy.uint8]"));
    room.def(
        "lift", lifted, nb::arg("heads"), nb::arg("starts"),
        nb::sig("def lift(heads: numpy.typing.NDArray[numpy.int32], starts: numpy.typing.NDArray[numpy.uint32]) -> "
                "tuple[numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.uint8]]"));
    room.def(
        "unlift", unlifted, nb::arg("heads"), nb::arg("starts"), nb::arg("codes"), nb::arg("labels"),
        nb::arg("targets"), nb::arg("lifts"), nb::arg("paths"), nb::arg("follow_path"),
        nb::sig(
            "def unlift(heads: numpy.typing.NDArray[numpy.int32], starts: numpy.typing.NDArray[numpy.uint32], codes: "
            "numpy.typing.NDArray[numpy.int32], labels: numpy.typing.NDArray[numpy.int32], targets: "
            "numpy.typing.NDArray[numpy.int32], lifts: numpy.typing.NDArray[numpy.uint8], paths: "
            "numpy.typing.NDArray[numpy.uint8], follow_path: bool) -> numpy.typing.NDArray[numpy.int32]"));
    bind_reader(room, "read_conllx", read_conllx, "Reads CoNLL-X.");
    bind_reader(room, "read_conll2008", read_conll2008, "Reads CoNLL-2008.");
    bind_reader(room, "read_conll2009", read_conll2009, "Reads CoNLL-2009.");
    bind_writer(room, "write_conllx", write_conllx, "CoNLL-X, and what it could not hold.");
    bind_writer(room, "write_conll2008", write_conll2008, "CoNLL-2008, and what it could not hold.");
    bind_writer(room, "write_conll2009", write_conll2009, "CoNLL-2009, and what it could not hold.");
    room.def(
        "read_iob", read_iob_columns, nb::arg("source"), nb::arg("file"), nb::arg("first_line"), nb::arg("lenient"),
        nb::arg("max_words"), nb::arg("begin"), nb::arg("names"), nb::arg("tabs"), nb::arg("scheme"),
        nb::sig(
            "def read_iob(source: bytes, file: str, first_line: int, lenient: bool, max_words: int, begin: int, names: "
            "list[str], tabs: bool, scheme: str) -> tuple[Columns, list[tuple[str, int, int]], int, int, int]"),
        "Reads entities in columns.");
    room.def(
        "write_iob",
        [](const Columns& columns, const std::vector<std::string>& names, bool tabs, const std::string& scheme) {
            const IobMap map(names, tabs ? '\t' : ' ', scheme_named(scheme));
            return written(columns, [&](const Columns& all) { return write_iob(all, map); });
        },
        nb::arg("columns"), nb::arg("names"), nb::arg("tabs"), nb::arg("scheme"),
        nb::sig("def write_iob(columns: Columns, names: list[str], tabs: bool, scheme: str) -> tuple[bytes, "
                "list[tuple[str, "
                "int]]]"),
        "Entities in columns, and what they could not hold.");
    room.def("tags_to_bio", tags_to_bio, nb::arg("tags"), nb::arg("scheme"));
    room.def("tags_from_bio", tags_from_bio, nb::arg("bio"), nb::arg("scheme"));
}
