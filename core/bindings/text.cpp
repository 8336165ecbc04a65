#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "bindings/arrays.hpp"
#include "bindings/rooms.hpp"
#include "text/boundaries.hpp"
#include "text/document.hpp"
#include "text/keep.hpp"
#include "text/multiword.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace laconic::text {

namespace {

using bindings::as_array;
using bindings::Input;
using bindings::span_of;
using bindings::vector_of;

std::string_view view_of(const nb::bytes& text) {
    return {text.c_str(), text.size()};
}

// A text with the labels that a treebank gives its characters. Not copied: characters point into the text.
class Training {
public:
    Training(std::string text, const corpus::Columns& columns)
        : text_(std::move(text)), characters_(text_), sentences_(columns.sentence_count()) {
        if (columns.starts.size() != columns.words() || columns.ends.size() != columns.words())
            throw std::invalid_argument("the words of the document are not located");
        gold_ = gold_labels(characters_, columns);
    }
    Training(const Training&) = delete;
    Training& operator=(const Training&) = delete;

    [[nodiscard]] const Characters& characters() const noexcept { return characters_; }
    [[nodiscard]] const Gold& gold() const noexcept { return gold_; }
    [[nodiscard]] std::span<const std::uint8_t> chosen(const Input<std::uint8_t, 1>& sentences) const {
        if (sentences.shape(0) != sentences_) throw std::invalid_argument("expected one mark per sentence");
        return span_of(sentences);
    }

private:
    std::string text_;
    Characters characters_;
    std::size_t sentences_;
    Gold gold_;
};

void check_table(const features::Plan& plan, const learn::Table& table) {
    if (plan.size() != table.templates() || table.labels() != label_count)
        throw std::invalid_argument("plan and table do not fit together");
}

void check_exits(const features::Plan& plan, const learn::Exits& exits) {
    if (plan.size() > 0 && (exits.list.empty() || exits.list.back().depth > plan.size()))
        throw std::invalid_argument("plan and exits do not fit together");
}

BoundaryTables tables_of(const Input<std::uint8_t, 1>& masks, const std::vector<std::uint8_t>& gaps,
                         const Input<Atom, 1>& words, const Input<std::uint8_t, 1>& casing) {
    if (gaps.size() != gap_count) throw ModelError("no such kinds of white space");
    std::array<std::uint8_t, gap_count> kinds{};
    std::ranges::copy(gaps, kinds.begin());
    return {vector_of(masks), kinds, CasingStatistics(vector_of(words), vector_of(casing))};
}

struct Result {
    corpus::Columns columns;
    std::size_t consumed = 0;
    SegmentWork work;
};

Result run(const features::Plan& plan, const BoundaryTables& tables, const learn::Table& table, std::string_view bytes,
           std::size_t begin_byte, std::span<const learn::Exit> exits, const Multiwords* multiwords,
           const Exceptions* exceptions, bool emails, bool urls, const Options& options) {
    const Characters characters(bytes);
    std::size_t begin = 0;
    while (begin < characters.size() && characters.byte(begin) < begin_byte) ++begin;
    std::vector<Known> known;
    if (emails || urls || exceptions != nullptr) known.assign(characters.size(), Known::nothing);
    if (emails) keep_emails(characters, known);
    if (urls) keep_urls(characters, known);
    if (exceptions != nullptr) exceptions->keep(characters, known);
    const Segmented found = segment(plan, tables, table, characters, begin, known, exits, options);
    return {build(characters, found.labels, begin, found.end, options.last, multiwords), characters.byte(found.end),
            found.work};
}

// For each token, given by where it ends, whether a sentence ends behind it.
std::vector<std::uint8_t> run_split(const features::Plan& plan, const BoundaryTables& tables, const learn::Table& table,
                                    std::string_view bytes, std::span<const std::uint32_t> ends,
                                    std::span<const learn::Exit> exits) {
    const Characters characters(bytes);
    std::vector<Known> known(characters.size(), Known::inside);
    std::vector<std::size_t> last_characters;
    std::size_t at = 0;
    for (const std::uint32_t end : ends) {
        std::size_t last = characters.size();
        for (; at < characters.size() && characters.byte(at) < end; ++at)
            if (!characters.white(at)) last = at;
        if (last == characters.size())
            throw std::invalid_argument("token " + std::to_string(last_characters.size()) +
                                        " is nothing but white space");
        known[last] = Known::end;
        last_characters.push_back(last);
    }
    const Segmented found = segment(plan, tables, table, characters, 0, known, exits, {});
    std::vector<std::uint8_t> result;
    for (const std::size_t character : last_characters)
        result.push_back(found.labels[character] == sentence_end ? 1 : 0);
    return result;
}

nb::dict arrays_of(const Multiwords& multiwords) {
    nb::dict result;
    const auto bytes = [](std::string_view text) {
        return as_array(std::vector<std::uint8_t>(text.begin(), text.end()));
    };
    result["token_bytes"] = bytes(multiwords.tokens().bytes());
    result["token_offsets"] = as_array(std::vector(multiwords.tokens().offsets()));
    result["ending_bytes"] = bytes(multiwords.endings().bytes());
    result["ending_offsets"] = as_array(std::vector(multiwords.endings().offsets()));
    result["begins"] = as_array(std::vector(multiwords.begins()));
    std::string words;
    std::vector<std::uint32_t> offsets{0};
    for (const std::string& word : multiwords.words()) {
        words += word;
        offsets.push_back(static_cast<std::uint32_t>(words.size()));
    }
    result["word_bytes"] = bytes(words);
    result["word_offsets"] = as_array(std::move(offsets));
    return result;
}

features::Forms forms_of(const Input<std::uint8_t, 1>& bytes, const Input<std::uint32_t, 1>& offsets) {
    return {std::string(bytes.data(), bytes.data() + bytes.shape(0)), vector_of(offsets)};
}

Multiwords multiwords_of(const Input<std::uint8_t, 1>& token_bytes, const Input<std::uint32_t, 1>& token_offsets,
                         const Input<std::uint8_t, 1>& ending_bytes, const Input<std::uint32_t, 1>& ending_offsets,
                         const Input<std::uint32_t, 1>& begins, const Input<std::uint8_t, 1>& word_bytes,
                         const Input<std::uint32_t, 1>& word_offsets) {
    const std::string bytes(word_bytes.data(), word_bytes.data() + word_bytes.shape(0));
    const auto offsets = span_of(word_offsets);
    if (offsets.empty() || offsets.front() != 0 || offsets.back() != bytes.size() || !std::ranges::is_sorted(offsets) ||
        begins.shape(0) == 0)
        throw ModelError("the words of multiword tokens are cut up wrongly");
    std::vector<std::string> words;
    for (std::size_t i = 0; i + 1 < offsets.size(); ++i)
        words.push_back(bytes.substr(offsets[i], offsets[i + 1] - offsets[i]));
    return {forms_of(token_bytes, token_offsets), forms_of(ending_bytes, ending_offsets), vector_of(begins),
            std::move(words)};
}

}  // namespace

}  // namespace laconic::text

void laconic::bindings::text(nb::module_& core) {
    using namespace laconic::text;
    using laconic::features::Plan;
    using laconic::learn::Exits;
    using laconic::learn::Table;
    nb::module_ room = core.def_submodule("text", "Core of laconic.text: where tokens and sentences end.");
    room.attr("CODES") = code_count;
    room.attr("GAPS") = gap_count;
    room.attr("LABELS") = label_count;
    // Bytes before the beginning of a piece that its decisions may look at.
    room.attr("CONTEXT") = 4 * farthest_look;

    nb::class_<BoundaryTables>(room, "BoundaryTables",
                               "What is learned beside the weights: likely labels, gaps, casing of words.")
        .def(
            "__init__",
            [](BoundaryTables* self, Input<std::uint8_t, 1> masks, const std::vector<std::uint8_t>& gaps,
               Input<Atom, 1> words,
               Input<std::uint8_t, 1> casing) { new (self) BoundaryTables(tables_of(masks, gaps, words, casing)); },
            "masks"_a, "gaps"_a, "words"_a, "casing"_a);
    nb::class_<Multiwords>(room, "Multiwords", "Which tokens stand for several words, and for which.")
        .def(
            "__init__",
            [](Multiwords* self, const std::vector<std::string>& tokens, const std::vector<std::string>& endings,
               std::vector<std::uint32_t> begins, std::vector<std::string> words) {
                new (self) Multiwords(features::Forms::of(tokens), features::Forms::of(endings), std::move(begins),
                                      std::move(words));
            },
            "tokens"_a, "endings"_a, "begins"_a, "words"_a)
        .def_static("from_arrays", &multiwords_of, "token_bytes"_a, "token_offsets"_a, "ending_bytes"_a,
                    "ending_offsets"_a, "begins"_a, "word_bytes"_a, "word_offsets"_a)
        .def("arrays", &arrays_of, nb::sig("def arrays(self) -> dict[str, NDArray[numpy.generic]]"))
        .def(
            "split",
            [](const Multiwords& self, const std::string& form) {
                std::vector<std::string> words;
                self.split(form, words);
                return words;
            },
            "form"_a, "The words of a token; none if it is one word.");
    nb::class_<Exceptions>(room, "Exceptions", "Strings never split.")
        .def(
            "__init__",
            [](Exceptions* self, const std::vector<std::string>& strings) { new (self) Exceptions(strings); },
            "strings"_a);
    nb::class_<Training>(room, "Training", "A text with the labels that a treebank gives its characters.")
        .def(
            "__init__",
            [](Training* self, const nb::bytes& text, const corpus::Columns& columns) {
                new (self) Training(std::string(view_of(text)), columns);
            },
            "text"_a, "columns"_a)
        .def(
            "boundary_counts",
            [](const Training& self, Input<std::uint8_t, 1> chosen) {
                return as_array(count_boundaries(self.characters(), self.gold(), self.chosen(chosen)),
                                {code_count, gap_count, code_count, label_count});
            },
            "chosen"_a, "How often each label stood between which characters, over the chosen sentences.")
        .def(
            "casing",
            [](const Training& self, Input<std::uint8_t, 1> chosen, std::uint32_t minimum) {
                const CasingStatistics casing =
                    casing_statistics(self.characters(), self.gold(), self.chosen(chosen), minimum);
                return std::make_tuple(as_array(std::vector(casing.keys())), as_array(std::vector(casing.values())));
            },
            "chosen"_a, "minimum"_a, "Words of the chosen sentences and how they are written.")
        .def(
            "collect",
            [](const Training& self, learn::Examples& examples, const Plan& plan, const BoundaryTables& tables,
               Input<std::uint8_t, 1> chosen) {
                const auto sentences = self.chosen(chosen);
                const nb::gil_scoped_release released;
                collect(examples, plan, tables, self.characters(), self.gold(), sentences);
            },
            "examples"_a, "plan"_a, "tables"_a, "chosen"_a, "One example per decision of the chosen sentences.")
        .def(
            "prefixes",
            [](const Training& self, const Plan& plan, const BoundaryTables& tables, const Table& table,
               const std::vector<std::uint32_t>& depths, Input<std::uint8_t, 1> chosen) {
                check_table(plan, table);
                for (std::size_t i = 0; i < depths.size(); ++i)
                    if (depths[i] > plan.size() || (i > 0 && depths[i] <= depths[i - 1]))
                        throw std::invalid_argument("depths must ascend and end at the number of templates");
                const auto sentences = self.chosen(chosen);
                learn::Prefixes result;
                {
                    const nb::gil_scoped_release released;
                    result = prefixes(plan, tables, table, self.characters(), self.gold(), sentences, depths);
                }
                const std::size_t rows = depths.empty() ? 0 : result.leads.size() / depths.size();
                return std::make_tuple(as_array(std::move(result.leads), {rows, depths.size()}),
                                       as_array(std::move(result.labels), {rows, depths.size()}));
            },
            "plan"_a, "tables"_a, "table"_a, "depths"_a, "chosen"_a,
            "Lead and label of each decision of the chosen sentences after each of the depths.");
    room.def(
        "segment",
        [](const Plan& plan, const BoundaryTables& tables, const Table& table, const nb::bytes& text, std::size_t begin,
           const Exits& exits, const Multiwords* multiwords, const Exceptions* exceptions, bool emails, bool urls,
           bool lines, bool last, std::size_t longest) {
            check_table(plan, table);
            check_exits(plan, exits);
            const std::string_view bytes = view_of(text);
            Result result;
            {
                const nb::gil_scoped_release released;
                result = run(plan, tables, table, bytes, begin, exits.list, multiwords, exceptions, emails, urls,
                             {lines, last, longest});
            }
            return std::make_tuple(std::move(result.columns), result.consumed, result.work.decisions,
                                   result.work.templates, result.work.rows);
        },
        "plan"_a, "tables"_a, "table"_a, "text"_a, "begin"_a, "exits"_a, "multiwords"_a.none(), "exceptions"_a.none(),
        "emails"_a, "urls"_a, "lines"_a, "last"_a, "longest"_a,
        "The sentences of a text in UTF-8 from the byte `begin` on, the byte where they end, and what it cost.");
    room.def(
        "split",
        [](const Plan& plan, const BoundaryTables& tables, const Table& table, const nb::bytes& text,
           Input<std::uint32_t, 1> ends, const Exits& exits) {
            check_table(plan, table);
            check_exits(plan, exits);
            const std::string_view bytes = view_of(text);
            const auto token_ends = span_of(ends);
            std::vector<std::uint8_t> result;
            {
                const nb::gil_scoped_release released;
                result = run_split(plan, tables, table, bytes, token_ends, exits.list);
            }
            return as_array(std::move(result));
        },
        "plan"_a, "tables"_a, "table"_a, "text"_a, "ends"_a, "exits"_a,
        "For each token of a text, given by the byte where it ends: does a sentence end behind it?");
}
