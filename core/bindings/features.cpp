#include <map>
#include <optional>

#include "base/unicode.hpp"
#include "bindings/common.hpp"
#include "features/codes.hpp"
#include "features/feats.hpp"
#include "features/lexicon.hpp"
#include "features/rows.hpp"

namespace laconic::bindings {

namespace {

using namespace laconic::features;
template <class T>
using Array = Input<T, 1>;
using Matrix = Input<std::uint32_t, 2>;

template <std::size_t Size>
std::vector<std::string> list(const std::array<std::string_view, Size>& names) {
    return {names.begin(), names.end()};
}

constexpr const char* arrays_signature = "def arrays(self) -> dict[str, NDArray[numpy.generic]]";

auto bytes_of(const Forms& forms) {
    return as_array(std::vector<std::uint8_t>(forms.bytes().begin(), forms.bytes().end()));
}

std::vector<corpus::Span> spans_of(std::string_view bytes, const Matrix& spans) {
    if (spans.shape(1) != 2) throw std::invalid_argument("spans are pairs of begin and size");
    std::vector<corpus::Span> result(spans.shape(0));
    for (std::size_t i = 0; i < result.size(); ++i) {
        result[i] = {spans(i, 0), spans(i, 1)};
        if (result[i].begin > bytes.size() || result[i].size > bytes.size() - result[i].begin)
            throw std::invalid_argument("a span lies outside of the bytes");
    }
    return result;
}

void bind_plan(nb::module_& room) {
    nb::class_<Slot>(room, "Slot", "Where one atom is read.")
        .def(
            "__init__",
            [](Slot* self, std::uint8_t attribute, std::uint8_t node, std::int16_t index, std::uint8_t number,
               std::uint16_t argument, const std::vector<std::uint8_t>& path, bool many) {
                if (path.size() > Slot::max_steps) throw std::invalid_argument("a path has at most five steps");
                new (self) Slot{};
                self->attribute = attribute;
                self->node = node;
                self->index = index;
                self->number = number;
                self->argument = argument;
                self->steps = static_cast<std::uint8_t>(path.size());
                for (std::size_t i = 0; i < path.size(); ++i) self->path[i] = path[i];
                self->many = many;
            },
            "attribute"_a, "node"_a, "index"_a = 0, "number"_a = 0, "argument"_a = 0,
            "path"_a = std::vector<std::uint8_t>{}, "many"_a = false)
        .def_ro("attribute", &Slot::attribute)
        .def_ro("node", &Slot::node)
        .def_ro("index", &Slot::index)
        .def_ro("number", &Slot::number)
        .def_ro("argument", &Slot::argument)
        .def_ro("many", &Slot::many)
        .def_prop_ro("path", [](const Slot& slot) {
            return std::vector<std::uint8_t>(slot.path.begin(), slot.path.begin() + slot.steps);
        });
    nb::class_<Plan>(room, "Plan", "A template set compiled.")
        .def(nb::init<std::vector<Slot>, const std::vector<std::vector<std::uint16_t>>&,
                      const std::vector<std::string>&, std::vector<std::string>>(),
             "slots"_a, "templates"_a, "names"_a, "arguments"_a = std::vector<std::string>{})
        .def("__len__", &Plan::size)
        .def_prop_ro("slots", &Plan::slots)
        .def_prop_ro("arguments", &Plan::arguments)
        .def("template",
             [](const Plan& plan, std::size_t index) {
                 if (index >= plan.size()) throw nb::index_error("no such template");
                 return std::vector<std::uint16_t>(plan[index].begin(), plan[index].end());
             })
        .def("many",
             [](const Plan& plan, std::size_t index) {
                 if (index >= plan.size()) throw nb::index_error("no such template");
                 return plan.many(index);
             })
        .def_prop_ro(
            "word_columns", [](const Plan& plan) { return WordColumns(plan).columns; },
            "For each slot the column of a lexicon's rows that holds its atom, or -1.");
}

void bind_lexicon(nb::module_& room) {
    nb::class_<Dictionary>(room, "Dictionary", "A frozen map from forms to values.")
        .def(
            "__init__",
            [](Dictionary* self, const Array<std::uint8_t>& bytes, const Array<std::uint32_t>& offsets,
               const Array<std::uint32_t>& values, const Array<std::uint8_t>& name_bytes,
               const Array<std::uint32_t>& name_offsets) {
                new (self) Dictionary(forms_of(bytes, offsets), vector_of(values), forms_of(name_bytes, name_offsets));
            },
            "bytes"_a, "offsets"_a, "values"_a, "name_bytes"_a, "name_offsets"_a)
        .def("__len__", [](const Dictionary& self) { return self.forms().size(); })
        .def("atom", &Dictionary::atom, "form"_a, "prefix"_a = 0)
        .def(
            "arrays",
            [](const Dictionary& self) {
                nb::dict state;
                state["bytes"] = bytes_of(self.forms());
                state["offsets"] = copy_of(self.forms().offsets());
                state["values"] = copy_of(self.values());
                state["name_bytes"] = bytes_of(self.names());
                state["name_offsets"] = copy_of(self.names().offsets());
                return state;
            },
            nb::sig(arrays_signature));

    nb::class_<Lexicon>(room, "Lexicon", "The frozen vocabulary with the word-level atoms of a plan.")
        .def(
            "__init__",
            [](Lexicon* self, const Plan& plan, const Array<std::uint8_t>& bytes, const Array<std::uint32_t>& offsets,
               const Array<std::uint32_t>& ambiguity, const Matrix& payloads,
               const std::map<std::string, std::shared_ptr<const Dictionary>>& dictionaries) {
                if (payloads.shape(0) != (offsets.size() > 0 ? offsets.size() - 1 : 0))
                    throw ModelError("the payloads of a lexicon do not fit its forms");
                std::vector<std::shared_ptr<const Dictionary>> aligned;
                for (const std::string& name : plan.arguments()) {
                    const auto found = dictionaries.find(name);
                    aligned.push_back(found == dictionaries.end() ? nullptr : found->second);
                }
                unlocked([&] {
                    new (self) Lexicon(forms_of(bytes, offsets), WordColumns(plan).attributes, std::move(aligned),
                                       vector_of(ambiguity), span_of(payloads), payloads.shape(1));
                });
            },
            "plan"_a, "bytes"_a, "offsets"_a, "ambiguity"_a, "payloads"_a, "dictionaries"_a)
        .def("__len__", &Lexicon::size)
        .def("__contains__",
             [](const Lexicon& self, std::string_view form) { return self.find(form) != Lexicon::absent; })
        .def(
            "find",
            [](const Lexicon& self, std::string_view form) -> std::optional<std::uint32_t> {
                const std::uint32_t found = self.find(form);
                return found == Lexicon::absent ? std::nullopt : std::optional(found);
            },
            "form"_a, "The number of a form, or None.")
        .def_prop_ro("forms",
                     [](const Lexicon& self) {
                         std::vector<std::string> forms;
                         for (std::size_t i = 0; i < self.size(); ++i) forms.emplace_back(self.forms()[i]);
                         return forms;
                     })
        .def_prop_ro("stride", &Lexicon::stride)
        .def_prop_ro("payload_count", &Lexicon::payload_count)
        .def("row",
             [](const Lexicon& self, std::size_t form) {
                 if (form >= self.size()) throw nb::index_error("no such form");
                 return copy_of(std::span(self.row(form), self.stride()));
             })
        .def(
            "arrays",
            [](const Lexicon& self) {
                std::vector<std::uint32_t> payloads = self.payloads();
                nb::dict state;
                state["bytes"] = bytes_of(self.forms());
                state["offsets"] = copy_of(self.forms().offsets());
                state["ambiguity"] = copy_of(self.ambiguity());
                state["payloads"] = as_array(std::move(payloads), {self.size(), self.payload_count()});
                return state;
            },
            nb::sig(arrays_signature));

    nb::class_<WordRows>(room, "WordRows", "The words of a batch resolved to rows of a lexicon and of an overlay.")
        .def(
            "__init__",
            [](WordRows* self, const Lexicon& lexicon, const nb::bytes& bytes, const Matrix& spans) {
                const std::string_view view = view_of(bytes);
                const std::vector<corpus::Span> forms = spans_of(view, spans);
                unlocked([&] {
                    new (self) WordRows(lexicon, view, std::make_shared<const corpus::FormTypes>(view, forms));
                });
            },
            "lexicon"_a, "bytes"_a, "spans"_a, nb::keep_alive<1, 2>())
        .def("__len__", &WordRows::size)
        .def("known",
             [](const WordRows& self, std::size_t word) {
                 if (word >= self.size()) throw nb::index_error("no such word");
                 return self.known(word);
             })
        .def_prop_ro(
            "ids", [](const WordRows& self) { return copy_of(self.ids()); }, nb::rv_policy::automatic)
        .def_prop_ro("unknown_types", &WordRows::unknown_types)
        .def(
            "table",
            [](const WordRows& self) {
                const std::size_t stride = self.lexicon().stride();
                std::vector<std::uint32_t> table;
                for (std::size_t i = 0; i < self.size(); ++i) table.insert(table.end(), self[i], self[i] + stride);
                return as_array(std::move(table), {self.size(), stride});
            },
            "All rows as one matrix.");
}

void bind_unicode(nb::module_& room) {
    room.attr("UNICODE_VERSION") = unicode::version;
    room.def("lower", [](const nb::bytes& text) {
        const std::string lowered = unicode::lower(view_of(text));
        return nb::bytes(lowered.data(), lowered.size());
    });
    room.def("decode", [](const nb::bytes& text) {
        const std::string_view view = view_of(text);
        std::vector<std::uint32_t> points;
        for (std::size_t at = 0; at < view.size();) {
            const auto [point, size] = unicode::decode(view, at);
            points.push_back(point);
            at += size;
        }
        return points;
    });
    room.def("code_point", [](std::uint32_t point) {
        const auto& record = unicode::record(point);
        return std::tuple<std::string, std::string, std::uint32_t>(
            unicode::class_names[record.cls], unicode::script_names[record.script],
            static_cast<std::uint32_t>(unicode::lower(static_cast<char32_t>(point))));
    });
}

}  // namespace

void features(nb::module_& core) {
    nb::module_ room = core.def_submodule("features", "Core of laconic.features.");
    room.def(
        "is_word_level",
        [](std::size_t attribute) {
            return attribute < attribute_names.size() && word_level(static_cast<Attribute>(attribute));
        },
        "attribute"_a, "Does the attribute depend on nothing but the form of a word?");
    room.def("attribute_names", [] { return list(attribute_names); }, "Names in the order of their codes.");
    room.def("node_names", [] { return list(node_names); }, "Names in the order of their codes.");
    room.def("step_names", [] { return list(step_names); }, "Names in the order of their codes.");
    room.attr("UNKNOWN") = unknown;
    room.attr("NOTHING") = nothing;
    room.attr("UNKNOWN_WORD") = unknown_word;
    room.attr("NO_PAYLOAD") = Lexicon::no_payload;
    room.attr("MAX_STEPS") = Slot::max_steps;
    room.attr("MAX_AFFIX") = Word::max_affix;
    room.attr("CHARACTERS_BEFORE") = characters_before;
    room.attr("CHARACTERS_BEHIND") = characters_behind;
    room.attr("DECISIONS_BEFORE") = decisions_before;
    room.def("atom", [](std::string_view text) { return atom(text); });
    room.def("feat_atom", &feat_atom, "feats"_a, "name"_a);
    room.def("shape", [](std::string_view form) { return std::string(Word(form).shape()); });
    room.def(
        "word_atom",
        [](std::string_view form, std::uint8_t attribute, std::size_t number) {
            if (attribute >= attribute_names.size() || number > Word::max_affix)
                throw std::invalid_argument("no such attribute");
            return Word(form).atom(static_cast<Attribute>(attribute), number);
        },
        "form"_a, "attribute"_a, "number"_a = 0);
    bind_plan(room);
    bind_lexicon(room);
    bind_unicode(room);
}

}  // namespace laconic::bindings
