// Words of a document as objects: what laconic.corpus.Token is made of. A word holds its document and its place there;
// every attribute is looked up when it is asked for.

#include "bindings/corpus_columns.hpp"
#include "corpus/edit.hpp"
#include "corpus/entity_spans.hpp"
#include "corpus/misc.hpp"
#include "corpus/offsets.hpp"
#include "corpus/relatives.hpp"

namespace laconic::bindings {

namespace {

using corpus::Field;

struct WordView {
    nb::object doc;
    nb::object owner;  // of the columns
    Columns* columns = nullptr;
    std::uint32_t index = 0;
    std::uint32_t id = 0;

    [[nodiscard]] std::span<const std::int32_t> heads() const { return columns->heads_of(sentence()); }
    [[nodiscard]] std::size_t sentence() const;
    [[nodiscard]] std::uint32_t begin() const { return index + 1 - id; }
};

// The sentence that a word is in.
std::size_t sentence_of(const Columns& columns, std::uint32_t word) {
    const auto after = std::ranges::upper_bound(columns.sentences, word);
    return static_cast<std::size_t>(after - columns.sentences.begin()) - 1;
}

std::size_t checked_sentence_of(const Columns& columns, std::uint32_t word) {
    if (word >= columns.words()) throw std::out_of_range("no such word");
    return sentence_of(columns, word);
}

std::size_t WordView::sentence() const {
    return sentence_of(*columns, index);
}

const WordView& view(nb::handle self) {
    return *nb::inst_ptr<WordView>(self);
}

// One more of the type of `self`, without a call of its constructor.
nb::object made(nb::handle type, const nb::object& doc, const nb::object& owner, Columns* columns, std::uint32_t index,
                std::uint32_t id) {
    nb::object one = nb::inst_alloc(type);
    new (nb::inst_ptr<WordView>(one)) WordView{doc, owner, columns, index, id};
    nb::inst_mark_ready(one);
    return one;
}

nb::object relative(nb::handle self, std::uint32_t id) {
    const WordView& word = view(self);
    return made(self.type(), word.doc, word.owner, word.columns, word.begin() + id - 1, id);
}

nb::list relatives(nb::handle self, const corpus::Ids& ids) {
    nb::list result;
    for (const std::uint32_t id : ids) result.append(relative(self, id));
    return result;
}

nb::list children(nb::handle self, bool left, bool right) {
    const std::uint32_t own = view(self).id;
    corpus::Ids ids = corpus::children_of(view(self).heads(), own);
    std::erase_if(ids, [&](std::uint32_t id) { return id < own ? !left : !right; });
    return relatives(self, ids);
}

nb::object head(nb::handle self) {
    const WordView& word = view(self);
    const std::int32_t id = word.columns->heads[word.index];
    if (id <= 0) return nb::borrow(self);
    if (static_cast<std::size_t>(id) > word.heads().size())
        corpus::refuse(*word.columns, word.index, "the head " + std::to_string(id) + " is not in the sentence");
    return relative(self, static_cast<std::uint32_t>(id));
}

void set_head(nb::handle self, nb::handle head) {
    if (!nb::isinstance<WordView>(head))
        throw nb::type_error("a head is a token of the sentence, the token itself for a root; head_index takes an id");
    const WordView& word = view(self);
    const WordView& other = view(head);
    if (!word.doc.is(other.doc) || word.begin() != other.begin())
        corpus::refuse(*word.columns, word.index, "the head is in another sentence: expected a token of this one");
    const corpus::Writing writing(word.columns->access);
    corpus::set_head(*word.columns, word.index, word.index == other.index ? 0 : other.id);
}

std::int32_t head_index(const WordView& word) {
    return word.columns->heads[word.index];
}

void set_head_index(WordView& word, nb::handle value) {
    const nb::object number = nb::steal(PyNumber_Index(value.ptr()));
    if (!number.is_valid()) throw nb::python_error();
    int overflow = 0;
    const long long id = PyLong_AsLongLongAndOverflow(number.ptr(), &overflow);
    const corpus::Writing writing(word.columns->access);
    corpus::set_head(*word.columns, word.index, overflow != 0 ? std::numeric_limits<std::int64_t>::max() : id);
}

template <Field field>
nb::str get(const WordView& word) {
    return to_str(word.columns->view(field, word.index));
}

template <Field field>
void set(WordView& word, nb::handle value) {
    set_string(*word.columns, field, word.index, value);
}

void construct(WordView* self, const nb::object& doc, std::int64_t index) {
    nb::object owner = doc.attr("columns");
    auto* columns = nb::cast<Columns*>(owner);
    const auto words = static_cast<std::int64_t>(columns->words());
    if (index < 0 || index >= words) throw nb::index_error("no such word");
    const auto word = static_cast<std::uint32_t>(index);
    const std::uint32_t begin = columns->sentences[sentence_of(*columns, word)];
    new (self) WordView{doc, std::move(owner), columns, word, word - begin + 1};
}

// The words [begin, end) of a document as objects of a type.
nb::list words(nb::handle type, const nb::object& doc, std::uint32_t begin, std::uint32_t end) {
    const nb::object owner = doc.attr("columns");
    auto* columns = nb::cast<Columns*>(owner);
    if (begin > end || end > columns->words()) throw std::out_of_range("no such words");
    nb::list result;
    std::size_t sentence = begin < end ? sentence_of(*columns, begin) : 0;
    for (std::uint32_t word = begin; word < end; ++word) {
        while (columns->sentences[sentence + 1] <= word) ++sentence;
        result.append(made(type, doc, owner, columns, word, word - columns->sentences[sentence] + 1));
    }
    return result;
}

nb::tuple as_tuple(const corpus::EntitySpan& span) {
    return nb::make_tuple(span.first, span.last + 1, to_str(span.label));
}

nb::list entities(const Columns& columns, std::size_t begin, std::size_t end) {
    if (begin > end || end > columns.sentence_count()) throw std::out_of_range("no such sentences");
    nb::list result;
    for (const corpus::EntitySpan& span : corpus::entity_spans(columns, begin, end)) result.append(as_tuple(span));
    return result;
}

nb::object entity_at(const Columns& columns, std::uint32_t word) {
    const std::size_t sentence = checked_sentence_of(columns, word);
    for (const corpus::EntitySpan& span : corpus::entity_spans(columns, sentence, sentence + 1))
        if (span.first <= word && word <= span.last) return as_tuple(span);
    return nb::none();
}

// The value of the first entry with a key in FEATS or MISC of a word, empty for an entry without one; None where there
// is no such entry.
nb::object entry(const Columns& columns, const std::string& field, std::uint32_t word, std::string_view key) {
    if (word >= columns.words()) throw std::out_of_range("no such word");
    const auto column = choice<Field>(field, "column", {{"feats", Field::feats}, {"misc", Field::misc}});
    nb::object found = nb::none();
    corpus::for_each_entry(columns.view(column, word), [&](std::string_view name, std::string_view value) {
        if (found.is_none() && name == key) found = to_str(value);
    });
    return found;
}

// Their part of the text of the sentences that they are in; where it is not known, the forms joined by spaces.
nb::str text_between(const Columns& columns, std::uint32_t begin, std::uint32_t end) {
    if (begin > end || end > columns.words()) throw std::out_of_range("no such words");
    if (begin == end) return nb::str("");
    const std::size_t first = sentence_of(columns, begin), last = sentence_of(columns, end - 1);
    const corpus::Located located = corpus::locate(corpus::slice(columns, first, last + 1));
    const std::uint32_t before = columns.sentences[first];
    const std::int32_t start = located.starts[begin - before], stop = located.ends[end - 1 - before];
    if (start >= 0 && stop >= start) {
        const nb::str whole = to_str(located.text);
        return nb::steal<nb::str>(PyUnicode_Substring(whole.ptr(), start, stop));
    }
    std::string joined;
    for (std::uint32_t word = begin; word < end; ++word) {
        if (word > begin) joined += ' ';
        joined += columns.view(Field::form, word);
    }
    return to_str(joined);
}

}  // namespace

void corpus_words(nb::module_& core) {
    auto room = nb::borrow<nb::module_>(core.attr("corpus"));
    auto columns = nb::borrow<nb::class_<Columns>>(room.attr("Columns"));
    columns.def("sentence_of", &checked_sentence_of, "word"_a, "The number of the sentence that a word is in.")
        .def("entry", &entry, "field"_a, "word"_a, "key"_a,
             nb::sig("def entry(self, field: str, word: int, key: str) -> str | None"),
             "The value of an entry of FEATS or MISC; None where there is no such entry.")
        .def("entity_at", &entity_at, "word"_a,
             nb::sig("def entity_at(self, word: int) -> tuple[int, int, str] | None"),
             "The entity that a word is in: first word, the word behind the last, label.")
        .def("entities", &entities, "begin"_a, "end"_a,
             nb::sig("def entities(self, begin: int, end: int) -> list[tuple[int, int, str]]"),
             "Entities of some sentences: first word, the word behind the last, label.")
        .def("text_between", &text_between, "begin"_a, "end"_a,
             nb::sig("def text_between(self, begin: int, end: int) -> str"), "The text of some words.");

    const auto string = [](const char* name) { return std::string("def ") + name + "(self) -> str"; };
    const auto take = [](const char* name) { return std::string("def ") + name + "(self, value: str, /) -> None"; };
    nb::class_<WordView> word(room, "WordView", "A word of a document; see laconic.corpus.Token.");
    const auto field = [&](const char* name, auto getter, auto setter, const char* meaning) {
        word.def_prop_rw(name, getter, setter, nb::for_getter(nb::sig(string(name).c_str())),
                         nb::for_setter(nb::arg().none()), nb::for_setter(nb::sig(take(name).c_str())), meaning);
    };
    word.def("__init__", &construct, "doc"_a, "index"_a,
             nb::sig("def __init__(self, doc: typing.Any, index: int) -> None"))
        .def(
            "__eq__",
            [](const WordView& self, nb::handle other) {
                return nb::isinstance<WordView>(other) && self.doc.is(view(other).doc) &&
                       self.index == view(other).index;
            },
            nb::arg().none(), nb::sig("def __eq__(self, other: object, /) -> bool"))
        .def("__hash__", [](const WordView& self) { return std::hash<const void*>{}(self.doc.ptr()) + self.index; })
        .def_prop_ro(
            "doc", [](const WordView& self) { return self.doc; }, nb::sig("def doc(self) -> typing.Any"),
            "The document it belongs to.")
        .def_prop_ro(
            "index", [](const WordView& self) { return self.index; },
            "Its place among all words of the document, from 0 on.")
        .def_prop_ro(
            "id", [](const WordView& self) { return self.id; }, "Its number in the sentence, from 1 on.")
        .def_prop_ro("form", &get<Field::form>, nb::sig("def form(self) -> str"), "The word as it is written.")
        .def_prop_ro("text", &get<Field::form>, nb::sig("def text(self) -> str"), "The same as ``form``.")
        .def_prop_ro(
            "start", [](const WordView& self) { return located(*self.columns).starts[self.index]; },
            "Offset of the first character in ``doc.text``; -1 where it is not known.")
        .def_prop_ro(
            "end", [](const WordView& self) { return located(*self.columns).ends[self.index]; },
            "Offset behind the last character in ``doc.text``.");
    field("lemma", &get<Field::lemma>, &set<Field::lemma>, "Its dictionary form.");
    field("upos", &get<Field::upos>, &set<Field::upos>, "Universal part of speech.");
    field("xpos", &get<Field::xpos>, &set<Field::xpos>, "Part of speech of the language or the treebank.");
    field("deprel", &get<Field::deprel>, &set<Field::deprel>, "Its relation to the head.");
    field("deps", &get<Field::deps>, &set<Field::deps>, "Enhanced dependencies, as in CoNLL-U.");
    word.def_prop_rw("head_index", &head_index, &set_head_index, nb::for_setter(nb::arg().none()),
                     nb::for_setter(nb::sig("def head_index(self, value: typing.SupportsIndex, /) -> None")),
                     "Id of the head in the sentence; 0 for a root, -1 where there is none.")
        .def_prop_rw("head", &head, &set_head, nb::for_getter(nb::sig("def head(self) -> typing.Self")),
                     nb::for_setter(nb::arg().none()),
                     nb::for_setter(nb::sig("def head(self, value: WordView, /) -> None")),
                     "The word it depends on; the word itself for a root, and where no head is known.")
        .def_prop_ro(
            "children", [](nb::handle self) { return children(self, true, true); },
            nb::sig("def children(self) -> list[typing.Self]"),
            "The words that depend on it, in their order. Linear in the sentence, as all below.")
        .def_prop_ro(
            "lefts", [](nb::handle self) { return children(self, true, false); },
            nb::sig("def lefts(self) -> list[typing.Self]"), "Those of its children that stand before it.")
        .def_prop_ro(
            "rights", [](nb::handle self) { return children(self, false, true); },
            nb::sig("def rights(self) -> list[typing.Self]"), "Those of its children that stand behind it.")
        .def_prop_ro(
            "subtree",
            [](nb::handle self) { return relatives(self, corpus::subtree_of(view(self).heads(), view(self).id)); },
            nb::sig("def subtree(self) -> list[typing.Self]"),
            "It and all words below it, in the order of the sentence.")
        .def_prop_ro(
            "ancestors",
            [](nb::handle self) { return relatives(self, corpus::ancestors_of(view(self).heads(), view(self).id)); },
            nb::sig("def ancestors(self) -> list[typing.Self]"), "Its head, the head of that, up to the root.");
    room.def("words", &words, "type"_a, "doc"_a, "begin"_a, "end"_a,
             nb::sig("def words(type: type[typing.Any], doc: typing.Any, begin: int, end: int) -> list[typing.Any]"),
             "Words of a document as objects of a subclass of WordView.");
}

}  // namespace laconic::bindings
