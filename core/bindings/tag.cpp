#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>
#include <vector>

#include "bindings/arrays.hpp"
#include "bindings/rooms.hpp"
#include "tag/tagger.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace laconic::tag {

namespace {

using bindings::as_array;
using bindings::Input;

template <class T>
std::span<const T> span_of(const Input<T, 1>& array) {
    return {array.data(), array.shape(0)};
}

Candidates candidates_of(const learn::LabelSets& sets, std::uint32_t open, const features::Lexicon& lexicon) {
    if (open >= sets.size() || lexicon.payload_count() == 0)
        throw std::invalid_argument("the candidates do not fit the lexicon");
    return {sets, open, lexicon.attributes().size()};
}

void check_sentences(std::span<const std::uint32_t> sentences, const corpus::Columns& columns) {
    for (const std::uint32_t sentence : sentences)
        if (sentence >= columns.sentence_count()) throw std::invalid_argument("no such sentence");
}

void check_table(const features::Plan& plan, const learn::Table& table, const learn::LabelSets& sets, std::size_t atoms,
                 const learn::Exits& exits) {
    if (plan.size() != table.templates() || sets.labels() != table.labels() || atoms != table.labels() ||
        (plan.size() > 0 && (exits.list.empty() || exits.list.back().depth > plan.size())))
        throw std::invalid_argument("plan, table, labels and exits do not fit together");
}

}  // namespace

}  // namespace laconic::tag

void laconic::bindings::tag(nb::module_& core) {
    using namespace laconic::tag;
    using laconic::corpus::Columns;
    nb::module_ room = core.def_submodule("tag", "Core of laconic.tag: one label per word, left to right.");
    room.def(
        "collect",
        [](laconic::learn::Examples& examples, const laconic::features::Plan& plan,
           const laconic::features::Lexicon& lexicon, const laconic::learn::LabelSets& sets, std::uint32_t open,
           Input<Atom, 1> atoms, const Columns& columns, Input<Label, 1> gold, Input<std::uint32_t, 1> sentences) {
            check_sentences(span_of(sentences), columns);
            if (gold.shape(0) != columns.words() || sets.labels() != atoms.shape(0))
                throw std::invalid_argument("gold labels do not fit the document");
            for (std::size_t i = 0; i < gold.shape(0); ++i)
                if (gold(i) >= atoms.shape(0)) throw std::invalid_argument("no such label");
            const nb::gil_scoped_release released;
            collect(examples, plan, lexicon, candidates_of(sets, open, lexicon), span_of(atoms), columns, span_of(gold),
                    span_of(sentences));
        },
        "examples"_a, "plan"_a, "lexicon"_a, "sets"_a, "open"_a, "atoms"_a, "columns"_a, "gold"_a, "sentences"_a,
        "One example per word of the sentences, gold labels to the left as history.");
    room.def(
        "tag",
        [](const laconic::features::Plan& plan, const laconic::features::Lexicon& lexicon,
           const laconic::learn::Table& table, const laconic::learn::LabelSets& sets, std::uint32_t open,
           Input<Atom, 1> atoms, const Columns& columns, const laconic::learn::Exits& exits) {
            check_table(plan, table, sets, atoms.shape(0), exits);
            Tagged result;
            {
                const nb::gil_scoped_release released;
                result =
                    tag(plan, lexicon, table, candidates_of(sets, open, lexicon), span_of(atoms), columns, exits.list);
            }
            return std::make_tuple(as_array(std::move(result.labels)), as_array(std::move(result.depths)),
                                   result.work.rows);
        },
        "plan"_a, "lexicon"_a, "table"_a, "sets"_a, "open"_a, "atoms"_a, "columns"_a, "exits"_a,
        "Label and templates computed for each word, and the cache lines of weights read in all.");
    room.def(
        "prefixes",
        [](const laconic::features::Plan& plan, const laconic::features::Lexicon& lexicon,
           const laconic::learn::Table& table, const laconic::learn::LabelSets& sets, std::uint32_t open,
           Input<Atom, 1> atoms, const Columns& columns, const std::vector<std::uint32_t>& depths,
           const laconic::learn::Exits& exits, Input<std::uint32_t, 1> sentences) {
            check_table(plan, table, sets, atoms.shape(0), exits);
            check_sentences(span_of(sentences), columns);
            for (std::size_t i = 0; i < depths.size(); ++i)
                if (depths[i] > plan.size() || (i > 0 && depths[i] <= depths[i - 1]))
                    throw std::invalid_argument("depths must ascend and end at the number of templates");
            Prefixes result;
            {
                const nb::gil_scoped_release released;
                result = prefixes(plan, lexicon, table, candidates_of(sets, open, lexicon), span_of(atoms), columns,
                                  depths, exits.list, span_of(sentences));
            }
            const std::size_t rows = depths.empty() ? 0 : result.leads.size() / depths.size();
            return std::make_tuple(as_array(std::move(result.leads), {rows, depths.size()}),
                                   as_array(std::move(result.labels), {rows, depths.size()}));
        },
        "plan"_a, "lexicon"_a, "table"_a, "sets"_a, "open"_a, "atoms"_a, "columns"_a, "depths"_a, "exits"_a,
        "sentences"_a,
        "Lead and label of each word after each of the depths, along the trajectory that the exits give.");
}
