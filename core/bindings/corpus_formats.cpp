#include "bindings/corpus_columns.hpp"
#include "corpus/conll2009.hpp"
#include "corpus/conllx.hpp"
#include "corpus/iob.hpp"
#include "corpus/projectivity.hpp"

namespace laconic::bindings {

namespace {

using namespace laconic::corpus;
template <class T>
using In = Input<T, 1>;

// Calls `work(begin, size)` for each sentence, without the GIL; an error names the sentence.
template <class Work>
void each_sentence(std::span<const std::uint32_t> starts, std::size_t words, Work&& work) {
    if (starts.empty() || starts.front() != 0 || starts.back() != words)
        throw std::invalid_argument("sentence starts must begin with 0 and end with the number of words");
    const nb::gil_scoped_release released;
    for (std::size_t i = 0; i + 1 < starts.size(); ++i) {
        if (starts[i] > starts[i + 1]) throw std::invalid_argument("sentence starts must ascend");
        try {
            work(std::size_t{starts[i]}, std::size_t{starts[i + 1]} - starts[i]);
        } catch (const std::invalid_argument& error) {
            throw std::invalid_argument("sentence " + std::to_string(i + 1) + ": " + error.what());
        }
    }
}

auto nonprojective(const In<std::int32_t>& heads, const In<std::uint32_t>& starts) {
    const std::vector<std::int32_t> copied = vector_of(heads);  // another thread may write to the array meanwhile
    std::vector<std::uint8_t> arcs(copied.size());
    each_sentence(span_of(starts), arcs.size(), [&](std::size_t begin, std::size_t size) {
        const std::vector<std::uint8_t> part = nonprojective_arcs(std::span(copied).subspan(begin, size));
        std::copy(part.begin(), part.end(), arcs.begin() + static_cast<std::ptrdiff_t>(begin));
    });
    return as_array(std::move(arcs));
}

auto lifted(const In<std::int32_t>& heads, const In<std::uint32_t>& starts) {
    std::vector<std::int32_t> result = vector_of(heads);
    std::vector<std::uint8_t> crossed(result.size());
    each_sentence(span_of(starts), result.size(), [&](std::size_t begin, std::size_t size) {
        lift(std::span(result).subspan(begin, size), std::span(crossed).subspan(begin, size));
    });
    return as_arrays(std::move(result), std::move(crossed));
}

// The last four arrays say, for each distinct label, what it encodes.
auto unlifted(const In<std::int32_t>& heads, const In<std::uint32_t>& starts, const In<std::int32_t>& codes,
              const In<std::int32_t>& labels, const In<std::int32_t>& targets, const In<std::uint8_t>& lifts,
              const In<std::uint8_t>& paths, bool follow_path) {
    const std::size_t kinds = labels.shape(0);
    if (targets.shape(0) != kinds || lifts.shape(0) != kinds || paths.shape(0) != kinds ||
        codes.shape(0) != heads.shape(0))
        throw std::invalid_argument("heads and codes, and the parts of labels, must have the same length");
    std::vector<std::int32_t> result = vector_of(heads);
    std::vector<Mark> marks;
    each_sentence(span_of(starts), result.size(), [&](std::size_t begin, std::size_t size) {
        marks.clear();
        for (const std::int32_t code : span_of(codes).subspan(begin, size)) {
            const auto kind = static_cast<std::size_t>(code);
            if (code < 0 || kind >= kinds) throw std::invalid_argument("a code has no label");
            marks.push_back(
                {span_of(labels)[kind], span_of(targets)[kind], span_of(lifts)[kind] != 0, span_of(paths)[kind] != 0});
        }
        unlift(std::span(result).subspan(begin, size), marks, follow_path);
    });
    return as_array(std::move(result));
}

// (bytes, [(what was lost, how often)])
template <class Write>
nb::tuple written(const Columns& columns, Write&& write) {
    const Written result = unlocked(columns, [&] {
        Written made = write(columns);
        check_written(made.bytes);
        return made;
    });
    nb::list losses;
    for (const auto& [what, count] : result.losses) losses.append(nb::make_tuple(what, count));
    return nb::make_tuple(nb::bytes(result.bytes.data(), result.bytes.size()), losses);
}

template <class Write>
void bind_writer(nb::module_& room, const char* name, Write write, const char* doc) {
    room.def(
        name, [write](const Columns& columns) { return written(columns, write); }, "columns"_a,
        nb::sig(("def " + std::string(name) + "(columns: Columns) -> tuple[bytes, list[tuple[str, int]]]").c_str()),
        doc);
}

nb::tuple read_iob_columns(const nb::bytes& source, std::string file, std::uint64_t first_line, bool lenient,
                           std::uint64_t max_words, std::size_t begin, const std::vector<std::string>& names, bool tabs,
                           const std::string& scheme) {
    const IobMap map(names, tabs ? '\t' : ' ', scheme_named(scheme));
    return read_from(source, begin, {std::move(file), first_line, lenient, max_words},
                     [&](std::string_view bytes, const ReadOptions& options) { return read_iob(bytes, options, map); });
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

void corpus_formats(nb::module_& core) {
    auto room = nb::cast<nb::module_>(core.attr("corpus"));
    room.def("nonprojective_arcs", nonprojective, "heads"_a, "starts"_a,
             nb::sig("def nonprojective_arcs(heads: numpy.typing.NDArray[numpy.int32], starts: "
                     "numpy.typing.NDArray[numpy.uint32]) -> numpy.typing.NDArray[numpy.uint8]"));
    room.def(
        "lift", lifted, "heads"_a, "starts"_a,
        nb::sig("def lift(heads: numpy.typing.NDArray[numpy.int32], starts: numpy.typing.NDArray[numpy.uint32]) -> "
                "tuple[numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.uint8]]"));
    room.def(
        "unlift", unlifted, "heads"_a, "starts"_a, "codes"_a, "labels"_a, "targets"_a, "lifts"_a, "paths"_a,
        "follow_path"_a,
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
        "read_iob", read_iob_columns, "source"_a, "file"_a, "first_line"_a, "lenient"_a, "max_words"_a, "begin"_a,
        "names"_a, "tabs"_a, "scheme"_a,
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
        "columns"_a, "names"_a, "tabs"_a, "scheme"_a,
        nb::sig("def write_iob(columns: Columns, names: list[str], tabs: bool, scheme: str) -> tuple[bytes, "
                "list[tuple[str, "
                "int]]]"),
        "Entities in columns, and what they could not hold.");
    room.def("tags_to_bio", tags_to_bio, "tags"_a, "scheme"_a);
    room.def("tags_from_bio", tags_from_bio, "bio"_a, "scheme"_a);
}

}  // namespace laconic::bindings
