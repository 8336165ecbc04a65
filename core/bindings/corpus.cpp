#include <deque>

#include "bindings/corpus_columns.hpp"
#include "corpus/codes.hpp"
#include "corpus/columns.hpp"
#include "corpus/conllu_reader.hpp"
#include "corpus/conllu_writer.hpp"
#include "corpus/edit.hpp"
#include "corpus/misc.hpp"
#include "corpus/offsets.hpp"
#include "corpus/reversed.hpp"
#include "corpus/tree.hpp"

namespace laconic::bindings {

namespace {

using corpus::Aside;
using corpus::Field;
using corpus::Reading;
using corpus::Span;
using corpus::Writing;

using Numbers = nb::ndarray<nb::numpy, std::int32_t, nb::ndim<1>>;
using Starts = nb::ndarray<nb::numpy, const std::uint32_t, nb::ndim<1>>;
using Given = Input<std::int32_t, 1>;

constexpr const char* field_names[] = {"form", "lemma", "upos", "xpos", "feats", "deprel", "deps", "misc"};

Field field_of(std::string_view name) {
    for (std::size_t f = 0; f < corpus::field_count; ++f)
        if (name == field_names[f]) return static_cast<Field>(f);
    throw std::invalid_argument("no field \"" + std::string(name) +
                                "\": there are form, lemma, upos, xpos, feats, deprel, deps and misc");
}

std::size_t sentence_of(const Columns& columns, std::size_t sentence) {
    if (sentence >= columns.sentence_count()) throw std::out_of_range("no such sentence");
    return sentence;
}

// The bytes of a Python string, which lives as long as the string does.
std::string_view utf8(nb::handle text) {
    if (!PyUnicode_Check(text.ptr())) throw nb::type_error("expected a string, and _ for no value");
    Py_ssize_t size = 0;
    const char* bytes = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
    if (bytes == nullptr) throw nb::python_error();
    return {bytes, static_cast<std::size_t>(size)};
}

// Text that a line can hold and give back.
Span append_cell(Columns& columns, nb::handle text) {
    const std::string_view cell = utf8(text);
    if (const std::string fault = corpus::cell_fault(cell); !fault.empty()) throw std::invalid_argument(fault);
    return columns.append(cell);
}

// An array over memory of `self`, which it keeps alive.
Numbers numbers_of(std::vector<std::int32_t>& numbers, nb::handle self) {
    return Numbers(numbers.data(), {numbers.size()}, self);
}

// Offsets are found at the first question. They are put in place with the GIL held and never moved afterwards, since
// arrays over them may be out.
void ensure_located(Columns& columns) {
    if (columns.starts.size() == columns.words() && columns.ends.size() == columns.words()) return;
    corpus::Located located = unlocked(columns, [&] { return corpus::locate(columns); });
    if (columns.starts.size() == columns.words()) return;
    columns.starts = std::move(located.starts);
    columns.ends = std::move(located.ends);
}

// After a change to what the text is made of: in place, for the same reason.
void locate_again(Columns& columns) {
    if (columns.starts.empty()) return;
    const corpus::Located located = corpus::locate(columns);
    std::copy(located.starts.begin(), located.starts.end(), columns.starts.begin());
    std::copy(located.ends.begin(), located.ends.end(), columns.ends.begin());
}

bool shapes_text(std::string_view field) {
    return field == "form" || field == "misc";
}

Columns build(const nb::list& lengths, const nb::list& forms) {
    Columns columns;
    const Span blank = columns.append("_");
    for (auto& field : columns.fields) field.assign(forms.size(), blank);
    columns.heads.assign(forms.size(), corpus::no_head);
    for (std::size_t i = 0; i < forms.size(); ++i) columns[Field::form][i] = append_cell(columns, forms[i]);
    std::size_t end = 0;
    for (const nb::handle length : lengths) {
        end += nb::cast<std::size_t>(length);
        if (end > forms.size()) throw std::invalid_argument("the sentences have more words than there are forms");
        columns.close_sentence();
        columns.sentences.back() = static_cast<std::uint32_t>(end);
    }
    if (end != forms.size()) throw std::invalid_argument("the sentences have fewer words than there are forms");
    return columns;
}

void set_strings(Columns& columns, std::string_view field, const nb::list& strings) {
    const Writing writing(columns.access);
    std::vector<Span>& column = columns[field_of(field)];
    if (strings.size() != column.size()) throw std::invalid_argument("expected one string per word");
    for (std::size_t i = 0; i < column.size(); ++i) column[i] = append_cell(columns, strings[i]);
    if (shapes_text(field)) locate_again(columns);
}

std::size_t word_of(const Columns& columns, std::size_t word) {
    if (word >= columns.words()) throw std::out_of_range("no such word");
    return word;
}

nb::list strings(const Columns& columns, std::string_view field, std::size_t begin, std::size_t end) {
    const std::vector<Span>& column = columns[field_of(field)];
    nb::list result;
    for (std::size_t i = begin; i < std::min(end, column.size()); ++i) result.append(to_str(columns.view(column[i])));
    return result;
}

nb::tuple codes(const Columns& columns, std::string_view field) {
    const Reading reading(columns.access);
    const Field which = field_of(field);
    corpus::Codes made = unlocked([&] { return corpus::factorise(columns, which); });
    nb::list values;
    for (const Span span : made.values) values.append(to_str(columns.view(span)));
    return nb::make_tuple(as_array(std::move(made.codes)), values);
}

void set_codes(Columns& columns, std::string_view field, const Given& codes, const nb::list& values) {
    const Writing writing(columns.access);
    // A short document need not hold all labels of a model: only values that some word has.
    std::vector<bool> used(values.size());
    for (const std::int32_t code : span_of(codes))
        if (code >= 0 && static_cast<std::size_t>(code) < used.size()) used[static_cast<std::size_t>(code)] = true;
    std::vector<Span> spans(values.size());
    for (std::size_t i = 0; i < spans.size(); ++i)
        if (used[i]) spans[i] = append_cell(columns, values[i]);
    corpus::set_codes(columns, field_of(field), span_of(codes), spans);
    if (shapes_text(field)) locate_again(columns);
}

nb::list comments(const Columns& columns, std::size_t sentence) {
    nb::list result;
    for (const Span line : columns.comments[sentence_of(columns, sentence)]) result.append(to_str(columns.view(line)));
    return result;
}

void set_comments(Columns& columns, const nb::list& sentences) {
    const Writing writing(columns.access);
    if (sentences.size() != columns.sentence_count())
        throw std::invalid_argument("expected one list of comments per sentence");
    corpus::PerSentence<Span> made;
    for (const nb::handle lines : sentences) {
        for (const nb::handle line : nb::cast<nb::list>(lines)) {
            const std::string_view text = utf8(line);
            if (!text.starts_with('#') || text.find_first_of(std::string_view("\n\r\0", 3)) != std::string_view::npos)
                throw std::invalid_argument("a comment is one line that starts with #: " + corpus::quote(text));
            made.items.push_back(columns.append(text));
        }
        made.close();
    }
    columns.comments = std::move(made);
    locate_again(columns);
}

// (first, second, head, (form, lemma, upos, xpos, feats, deprel, deps, misc)) for each.
nb::list asides(const Columns& columns, const corpus::PerSentence<Aside>& all, std::size_t sentence) {
    nb::list result;
    for (const Aside& aside : all[sentence_of(columns, sentence)]) {
        nb::list fields;
        for (const Span span : aside.fields) fields.append(to_str(columns.view(span)));
        result.append(nb::make_tuple(aside.first, aside.second, to_str(columns.view(aside.head)), nb::tuple(fields)));
    }
    return result;
}

// Ranges must be in order, apart from each other and within their sentence.
void set_multiwords(Columns& columns, const nb::list& sentences) {
    const Writing writing(columns.access);
    if (sentences.size() != columns.sentence_count())
        throw std::invalid_argument("expected one list of multiword tokens per sentence");
    corpus::PerSentence<Aside> made;
    const Span blank = columns.append("_");
    for (std::size_t s = 0; s < sentences.size(); ++s) {
        std::uint32_t last = 0;
        for (const nb::handle item : nb::cast<nb::list>(sentences[s])) {
            const auto [first, second, form, misc] =
                nb::cast<std::tuple<std::uint32_t, std::uint32_t, nb::object, nb::object>>(item);
            if (first <= last || second < first || second > columns.heads_of(s).size())
                throw std::invalid_argument("sentence " + std::to_string(s) + ": the multiword token " +
                                            std::to_string(first) + "-" + std::to_string(second) +
                                            " is out of order or out of the sentence");
            Aside token{first, second};
            token.fields.fill(blank);
            token.head = blank;
            token.fields[static_cast<std::size_t>(Field::form)] = append_cell(columns, form);
            token.fields[static_cast<std::size_t>(Field::misc)] = append_cell(columns, misc);
            made.items.push_back(token);
            last = second;
        }
        made.close();
    }
    columns.multiwords = std::move(made);
    locate_again(columns);
}

void drop_empty_nodes(Columns& columns) {
    const Writing writing(columns.access);
    corpus::PerSentence<Aside> none;
    for (std::size_t s = 0; s < columns.sentence_count(); ++s) none.close();
    columns.empty_nodes = std::move(none);
}

nb::object document_text(const Columns& columns) {
    const corpus::Located located = unlocked(columns, [&] { return corpus::locate(columns); });
    return to_str(located.text);
}

// Sentences with a `# newdoc` comment.
nb::list document_starts(const Columns& columns) {
    nb::list result;
    std::string_view value;
    for (std::size_t s = 0; s < columns.sentence_count(); ++s)
        for (const Span line : columns.comments[s])
            if (corpus::comment_value(columns.view(line), "newdoc", value)) {
                result.append(s);
                break;
            }
    return result;
}

nb::bytes to_conllu(const Columns& columns, bool exact) {
    const Reading reading(columns.access);
    const std::size_t size = unlocked([&] {
        corpus::check_heads(columns);
        return corpus::conllu_size(columns, exact);
    });
    const auto bytes = nb::steal<nb::bytes>(PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(size)));
    if (!bytes.is_valid()) throw nb::python_error();
    const std::span<char> written(PyBytes_AsString(bytes.ptr()), size);
    unlocked([&] {
        corpus::write_conllu(columns, written, exact);
        corpus::check_written({written.data(), size});
    });
    return bytes;
}

Columns slice(const Columns& columns, std::size_t begin, std::size_t end) {
    if (begin > end || end > columns.sentence_count()) throw std::out_of_range("no such sentences");
    return unlocked(columns, [&] { return corpus::slice(columns, begin, end); });
}

bool equals(const Columns& columns, const Columns& other) {
    const Reading reading(other.access);
    return unlocked(columns, [&] { return corpus::equal(columns, other); });
}

Columns concatenate(const nb::list& parts) {
    std::vector<const Columns*> all;
    for (const nb::handle part : parts) all.push_back(nb::cast<const Columns*>(part));
    std::deque<Reading> reading;
    for (const Columns* part : all) reading.emplace_back(part->access);
    const nb::gil_scoped_release release;
    return corpus::concatenate(all);
}

std::string tree_fault(const Given& heads) {
    return corpus::check_tree(vector_of(heads)).reason;  // a copy: another thread may write to it meanwhile
}

}  // namespace

void set_string(Columns& columns, Field which, std::size_t word, nb::handle string) {
    const Writing writing(columns.access);
    const std::string_view old = columns.view(which, word_of(columns, word));
    if (PyUnicode_Check(string.ptr()) && PyUnicode_AsUTF8AndSize(string.ptr(), nullptr) == nullptr) {
        PyErr_Clear();
        corpus::refuse(columns, word, "a lone surrogate cannot stand in a column: expected text");
    }
    const std::string_view value = utf8(string);
    const bool moves = which == Field::form ? old != value : which == Field::misc && !corpus::same_spaces(old, value);
    corpus::set_field(columns, which, word, value);
    if (moves) locate_again(columns);
}

const Columns& located(Columns& columns) {
    ensure_located(columns);
    return columns;
}

void corpus(nb::module_& core) {
    nb::module_ room = core.def_submodule("corpus", "Core of laconic.corpus.");
    nb::class_<Columns>(room, "Columns", "Sentences as columns; see core/corpus/columns.hpp.")
        .def("__len__", &Columns::words)
        .def_prop_ro("sentence_count", &Columns::sentence_count)
        .def_prop_ro(
            "sentences",
            [](nb::handle self) {
                const auto& columns = nb::cast<const Columns&>(self);
                return Starts(columns.sentences.data(), {columns.sentences.size()}, self);
            },
            nb::sig("def sentences(self) -> numpy.typing.NDArray[numpy.uint32]"))
        .def_prop_ro(
            "heads", [](nb::handle self) { return numbers_of(nb::cast<Columns&>(self).heads, self); },
            nb::sig("def heads(self) -> numpy.typing.NDArray[numpy.int32]"))
        .def_prop_ro(
            "starts",
            [](nb::handle self) {
                auto& columns = nb::cast<Columns&>(self);
                ensure_located(columns);
                return numbers_of(columns.starts, self);
            },
            nb::sig("def starts(self) -> numpy.typing.NDArray[numpy.int32]"))
        .def_prop_ro(
            "ends",
            [](nb::handle self) {
                auto& columns = nb::cast<Columns&>(self);
                ensure_located(columns);
                return numbers_of(columns.ends, self);
            },
            nb::sig("def ends(self) -> numpy.typing.NDArray[numpy.int32]"))
        .def("text", &document_text, nb::sig("def text(self) -> str"))
        .def("strings", &strings, "field"_a, "begin"_a, "end"_a,
             nb::sig("def strings(self, field: str, begin: int, end: int) -> list[str]"))
        .def("set_strings", &set_strings, "field"_a, "strings"_a,
             nb::sig("def set_strings(self, field: str, strings: list[str]) -> None"))
        .def(
            "set_string",
            [](Columns& columns, std::string_view field, std::size_t word, nb::handle string) {
                set_string(columns, field_of(field), word, string);
            },
            "field"_a, "word"_a, "string"_a.none(),
            nb::sig("def set_string(self, field: str, word: int, string: str) -> None"))
        .def("codes", &codes, "field"_a,
             nb::sig("def codes(self, field: str) -> tuple[numpy.typing.NDArray[numpy.int32], list[str]]"))
        .def(
            "set_codes", &set_codes, "field"_a, "codes"_a, "values"_a,
            nb::sig(
                "def set_codes(self, field: str, codes: numpy.typing.NDArray[numpy.int32], values: list[str]) -> None"))
        .def("comments", &comments, "sentence"_a, nb::sig("def comments(self, sentence: int) -> list[str]"))
        .def("set_comments", &set_comments, "comments"_a,
             nb::sig("def set_comments(self, comments: list[list[str]]) -> None"))
        .def(
            "number_sentences",
            [](Columns& columns, std::uint64_t first) {
                const Writing writing(columns.access);
                const nb::gil_scoped_release release;
                corpus::number_sentences(columns, first);
            },
            "first"_a, "Gives each sentence a comment with its number as sent_id.")
        .def(
            "set_entries",
            [](Columns& columns, std::string_view key, const Input<std::uint16_t, 1>& codes,
               const std::vector<std::string>& values) {
                if (codes.shape(0) != columns.words()) throw std::invalid_argument("expected one code per word");
                check_numbers(span_of(codes), values.size(), "a code has no value");
                const Writing writing(columns.access);
                const nb::gil_scoped_release release;
                corpus::set_entries(columns, key, span_of(codes), values);
            },
            "key"_a, "codes"_a, "values"_a,
            "Gives each word an entry of MISC, in place of one of that name; an empty value is no entry.")
        .def(
            "multiwords",
            [](const Columns& columns, std::size_t sentence) { return asides(columns, columns.multiwords, sentence); },
            "sentence"_a,
            nb::sig("def multiwords(self, sentence: int) -> list[tuple[int, int, str, tuple[str, str, str, str, str, "
                    "str, str, str]]]"))
        .def("set_multiwords", &set_multiwords, "multiwords"_a,
             nb::sig("def set_multiwords(self, multiwords: list[list[tuple[int, int, str, str]]]) -> None"))
        .def("drop_empty_nodes", &drop_empty_nodes)
        .def(
            "empty_nodes",
            [](const Columns& columns, std::size_t sentence) { return asides(columns, columns.empty_nodes, sentence); },
            "sentence"_a,
            nb::sig("def empty_nodes(self, sentence: int) -> list[tuple[int, int, str, tuple[str, str, str, str, str, "
                    "str, str, str]]]"))
        .def("document_starts", &document_starts, nb::sig("def document_starts(self) -> list[int]"))
        .def("to_conllu", &to_conllu, "exact"_a = true, nb::sig("def to_conllu(self, exact: bool = True) -> bytes"),
             "As it was read, or with plain line ends and blank lines, so that several can be joined.")
        .def("slice", &slice, "begin"_a, "end"_a)
        .def(
            "reversed",
            [](const Columns& columns) { return unlocked(columns, [&] { return corpus::reversed(columns); }); },
            "The same sentences with their words, and heads, in reverse; without comments, multiword tokens and empty "
            "nodes.")
        .def("equals", &equals, "other"_a);
    room.def("build", &build, "lengths"_a, "forms"_a,
             nb::sig("def build(lengths: list[int], forms: list[str]) -> Columns"));
    room.def("concatenate", &concatenate, "parts"_a, nb::sig("def concatenate(parts: list[Columns]) -> Columns"));
    room.def("tree_fault", &tree_fault, "heads"_a,
             nb::sig("def tree_fault(heads: numpy.typing.NDArray[numpy.int32]) -> str"));
    room.attr("longest_line") = corpus::longest_line;
    bind_reader(room, "read_conllu", corpus::read_conllu, "Reads CoNLL-U.");
    bind_reader(room, "check_conllu", corpus::check_conllu,
                "Reads CoNLL-U; what is read as it is, but should not be there, is a fault, too.");
}

}  // namespace laconic::bindings
