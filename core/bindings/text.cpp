#include <array>

#include "bindings/handle.hpp"
#include "text/boundaries.hpp"
#include "text/document.hpp"
#include "text/keep.hpp"
#include "text/multiword.hpp"

namespace laconic::bindings {

namespace {

using features::Plan;
using learn::Exits;
using text::BoundaryTables;
using text::Characters;
using text::Exceptions;
using text::Known;
using text::Multiwords;
using Chosen = Input<std::uint8_t, 1>;  // a mark per sentence

// A text with the labels that a treebank gives its characters. Not copied: characters point into the text.
class Training {
public:
    Training(std::string text, const Columns& columns)
        : text_(std::move(text)), characters_(text_), sentences_(columns.sentence_count()) {
        if (columns.starts.size() != columns.words() || columns.ends.size() != columns.words())
            throw std::invalid_argument("the words of the document are not located");
        gold_ = gold_labels(characters_, columns);
    }
    Training(const Training&) = delete;
    Training& operator=(const Training&) = delete;

    [[nodiscard]] const Characters& characters() const noexcept { return characters_; }
    [[nodiscard]] const text::Gold& gold() const noexcept { return gold_; }
    [[nodiscard]] std::span<const std::uint8_t> chosen(const Chosen& sentences) const {
        if (sentences.shape(0) != sentences_) throw std::invalid_argument("expected one mark per sentence");
        return span_of(sentences);
    }

private:
    std::string text_;
    Characters characters_;
    std::size_t sentences_;
    text::Gold gold_;
};

struct BoundaryModel {
    const Plan& plan;
    const BoundaryTables& tables;
};

// Decides behind each character where more than one label is likely.
struct BoundaryClassifier : Handle<BoundaryModel, learn::Table> {
    BoundaryClassifier(const Plan& plan, const BoundaryTables& tables, const learn::Table* table)
        : Handle({plan, tables}, text::label_count, table) {
        (void)text::CharReader(plan);  // throws where it cannot read the plan
    }

    [[nodiscard]] text::Segmented segment(const Characters& characters, std::size_t begin, std::span<const Known> known,
                                          const Exits& exits, const text::Options& options) const {
        return with_table([&](const auto& table) {
            check_exits(table, exits.list);
            return text::segment(model.plan, model.tables, table, characters, begin, known, exits.list, options);
        });
    }
};

text::LineEnds line_ends_of(const std::string& name) {
    using text::LineEnds;
    return choice<LineEnds>(name, "way to read line ends",
                            {{"soft", LineEnds::soft}, {"keep", LineEnds::keep}, {"hard", LineEnds::hard}});
}

// What a user wants kept whole, and how.
struct Wishes {
    const Multiwords* multiwords;
    const Exceptions* exceptions;
    bool emails, urls, technical;
};

struct Result {
    Columns columns;
    std::size_t consumed = 0;
    text::SegmentWork work;
};

Result segment(const BoundaryClassifier& boundaries, std::string_view bytes, std::size_t begin_byte, const Exits& exits,
               const Wishes& wishes, const text::Options& options) {
    const Characters characters(bytes);
    std::size_t begin = 0;
    while (begin < characters.size() && characters.byte(begin) < begin_byte) ++begin;
    std::vector<Known> known(characters.size(), Known::nothing);
    keep_clusters(characters, known);
    if (wishes.technical) keep_technical(characters, known);
    if (wishes.emails) keep_emails(characters, known);
    if (wishes.urls) keep_urls(characters, known);
    if (wishes.exceptions != nullptr) wishes.exceptions->keep(characters, known);
    const text::Segmented found = boundaries.segment(characters, begin, known, exits, options);
    return {build(characters, found.labels, begin, found.end, options.last, wishes.multiwords),
            characters.byte(found.end), found.work};
}

// For each token, given by where it ends, whether a sentence ends behind it.
std::vector<std::uint8_t> split(const BoundaryClassifier& boundaries, std::string_view bytes,
                                std::span<const std::uint32_t> ends, const Exits& exits) {
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
    const text::Segmented found = boundaries.segment(characters, 0, known, exits, {});
    std::vector<std::uint8_t> result;
    for (const std::size_t character : last_characters)
        result.push_back(found.labels[character] == text::sentence_end ? 1 : 0);
    return result;
}

nb::dict arrays_of(const Multiwords& multiwords) {
    nb::dict result;
    const auto bytes = [](std::string_view text) {
        return as_array(std::vector<std::uint8_t>(text.begin(), text.end()));
    };
    result["token_bytes"] = bytes(multiwords.tokens().bytes());
    result["token_offsets"] = copy_of(multiwords.tokens().offsets());
    result["ending_bytes"] = bytes(multiwords.endings().bytes());
    result["ending_offsets"] = copy_of(multiwords.endings().offsets());
    result["begins"] = copy_of(multiwords.begins());
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

void bind_parts(nb::module_& room) {
    nb::class_<BoundaryTables>(room, "BoundaryTables",
                               "What is learned beside the weights: likely labels, gaps, casing of words.")
        .def(
            "__init__",
            [](BoundaryTables* self, Input<std::uint8_t, 1> masks, const std::vector<std::uint8_t>& gaps,
               Input<features::Atom, 1> words, Input<std::uint8_t, 1> casing) {
                if (gaps.size() != text::gap_count) throw ModelError("no such kinds of white space");
                std::array<std::uint8_t, text::gap_count> kinds{};
                std::ranges::copy(gaps, kinds.begin());
                new (self) BoundaryTables(vector_of(masks), kinds,
                                          text::CasingStatistics(vector_of(words), vector_of(casing)));
            },
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
            [](const Multiwords& self, const std::string& form, const std::string& next) {
                std::vector<std::string> words;
                self.split(form, next, words);
                return words;
            },
            "form"_a, "next"_a = "", "The words of a token before another; none if it is one word.");
    nb::class_<Exceptions>(room, "Exceptions", "Strings never split.")
        .def(nb::init<const std::vector<std::string>&>(), "strings"_a);
    nb::class_<Training>(room, "Training", "A text with the labels that a treebank gives its characters.")
        .def(
            "__init__",
            [](Training* self, const nb::bytes& text, const Columns& columns) {
                const std::string_view bytes = view_of(text);
                unlocked(columns, [&] { new (self) Training(std::string(bytes), columns); });
            },
            "text"_a, "columns"_a)
        .def(
            "boundary_counts",
            [](const Training& self, Chosen chosen) {
                return as_array(count_boundaries(self.characters(), self.gold(), self.chosen(chosen)),
                                {text::code_count, text::gap_count, text::code_count, text::label_count});
            },
            "chosen"_a, "How often each label stood between which characters, over the chosen sentences.")
        .def(
            "casing",
            [](const Training& self, Chosen chosen, std::uint32_t minimum) {
                const text::CasingStatistics casing =
                    casing_statistics(self.characters(), self.gold(), self.chosen(chosen), minimum);
                return std::make_tuple(copy_of(casing.keys()), copy_of(casing.values()));
            },
            "chosen"_a, "minimum"_a, "Words of the chosen sentences and how they are written.");
}

void bind_boundaries(nb::module_& room) {
    nb::class_<BoundaryClassifier>(room, "BoundaryClassifier", "Which ends are likely where, and weights.")
        .def(nb::init<const Plan&, const BoundaryTables&, const learn::Table*>(), "plan"_a, "tables"_a,
             "table"_a.none() = nb::none(), nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>(), nb::keep_alive<1, 4>())
        .def(
            "collect",
            [](const BoundaryClassifier& self, learn::Examples& examples, const Training& training, Chosen chosen) {
                const corpus::Writing writing(examples.access);
                self.check_examples(examples, learn::LabelSets(self.labels));
                const auto sentences = training.chosen(chosen);
                unlocked([&] {
                    collect(examples, self.model.plan, self.model.tables, training.characters(), training.gold(),
                            sentences);
                });
            },
            "examples"_a, "training"_a, "chosen"_a, "One example per decision of the chosen sentences.")
        .def(
            "prefixes",
            [](const BoundaryClassifier& self, const Training& training, const Depths& depths, Chosen chosen) {
                check_depths(depths, self.model.plan);
                const auto sentences = training.chosen(chosen);
                auto found = self.with_table([&](const auto& table) {
                    return unlocked([&] {
                        return prefixes(self.model.plan, self.model.tables, table, training.characters(),
                                        training.gold(), sentences, depths);
                    });
                });
                return as_tuple(std::move(found), depths.size());
            },
            "training"_a, "depths"_a, "chosen"_a,
            "Lead and label of each decision of the chosen sentences after each of the depths; gold labels are the "
            "history.")
        .def(
            "segment",
            [](const BoundaryClassifier& self, const nb::bytes& text, const Exits& exits, std::size_t begin,
               const Multiwords* multiwords, const Exceptions* exceptions, bool emails, bool urls, bool technical,
               bool lines, const std::string& line_ends, bool last, std::size_t longest) {
                const text::LineEnds chosen = line_ends_of(line_ends);
                const std::string_view bytes = view_of(text);
                Result result = unlocked([&] {
                    return segment(self, bytes, begin, exits, {multiwords, exceptions, emails, urls, technical},
                                   {lines, chosen, last, longest});
                });
                return std::make_tuple(std::move(result.columns), result.consumed, result.work.decisions,
                                       result.work.templates, result.work.rows);
            },
            "text"_a, "exits"_a, "begin"_a, "multiwords"_a.none(), "exceptions"_a.none(), "emails"_a, "urls"_a,
            "technical"_a, "lines"_a, "line_ends"_a, "last"_a, "longest"_a,
            "The sentences of a text in UTF-8 from the byte `begin` on, the byte where they end, and what it cost.")
        .def(
            "segment_each",
            [](const BoundaryClassifier& self, const nb::list& texts, const Exits& exits, const Multiwords* multiwords,
               const Exceptions* exceptions, bool emails, bool urls, bool technical, bool lines,
               const std::string& line_ends, std::size_t longest) {
                const text::LineEnds chosen = line_ends_of(line_ends);
                std::vector<std::string_view> views;
                for (const nb::handle text : texts) views.push_back(view_of(nb::cast<nb::bytes>(text)));
                std::vector<Columns> made(views.size());
                unlocked([&] {
                    for (std::size_t i = 0; i < views.size(); ++i)
                        made[i] = segment(self, views[i], 0, exits, {multiwords, exceptions, emails, urls, technical},
                                          {lines, chosen, true, longest})
                                      .columns;
                });
                nb::list found;
                for (Columns& columns : made) found.append(nb::cast(std::move(columns)));
                return found;
            },
            "texts"_a, "exits"_a, "multiwords"_a.none(), "exceptions"_a.none(), "emails"_a, "urls"_a, "technical"_a,
            "lines"_a, "line_ends"_a, "longest"_a,
            nb::sig("def segment_each(self, texts: list[bytes], exits: laconic._core.learn.Exits, multiwords: "
                    "Multiwords | None, exceptions: Exceptions | None, emails: bool, urls: bool, technical: bool, "
                    "lines: bool, line_ends: str, longest: "
                    "int) -> list[laconic._core.corpus.Columns]"),
            "Each of the texts as a document of its own.")
        .def(
            "split",
            [](const BoundaryClassifier& self, const nb::bytes& text, const Exits& exits,
               Input<std::uint32_t, 1> ends) {
                const std::string_view bytes = view_of(text);
                return as_array(unlocked([&] { return split(self, bytes, span_of(ends), exits); }));
            },
            "text"_a, "exits"_a, "ends"_a,
            "For each token of a text, given by the byte where it ends: does a sentence end behind it?");
}

}  // namespace

void text(nb::module_& core) {
    nb::module_ room = core.def_submodule("text", "Core of laconic.text: where tokens and sentences end.");
    room.attr("CODES") = text::code_count;
    room.attr("GAPS") = text::gap_count;
    room.attr("LABELS") = text::label_count;
    // Bytes before the beginning of a piece that its decisions may look at.
    room.attr("CONTEXT") = 4 * text::farthest_look;
    bind_parts(room);
    bind_boundaries(room);
}

}  // namespace laconic::bindings
