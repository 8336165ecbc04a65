#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/unicode.hpp"
#include "bindings/arrays.hpp"
#include "bindings/rooms.hpp"
#include "features/codes.hpp"
#include "features/feats.hpp"
#include "features/lexicon.hpp"
#include "features/rows.hpp"

namespace nb = nanobind;
using namespace laconic::features;

namespace {

using laconic::bindings::as_array;
using laconic::bindings::vector_of;
template <class T>
using Array = laconic::bindings::Input<T, 1>;
using Matrix = laconic::bindings::Input<std::uint32_t, 2>;

template <std::size_t Size>
std::vector<std::string> list(const std::array<std::string_view, Size>& names) {
    return {names.begin(), names.end()};
}

constexpr const char* arrays_signature = "def arrays(self) -> dict[str, NDArray[numpy.generic]]";

Forms forms_of(const Array<std::uint8_t>& bytes, const Array<std::uint32_t>& offsets) {
    return {std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()), vector_of(offsets)};
}

auto bytes_of(const Forms& forms) {
    return as_array(std::vector<std::uint8_t>(forms.bytes().begin(), forms.bytes().end()));
}

std::vector<laconic::corpus::Span> spans_of(std::string_view bytes, const Matrix& spans) {
    if (spans.shape(1) != 2) throw std::invalid_argument("spans are pairs of begin and size");
    std::vector<laconic::corpus::Span> result(spans.shape(0));
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
            nb::arg("attribute"), nb::arg("node"), nb::arg("index") = 0, nb::arg("number") = 0, nb::arg("argument") = 0,
            nb::arg("path") = std::vector<std::uint8_t>{}, nb::arg("many") = false)
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
             nb::arg("slots"), nb::arg("templates"), nb::arg("names"),
             nb::arg("arguments") = std::vector<std::string>{})
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
            nb::arg("bytes"), nb::arg("offsets"), nb::arg("values"), nb::arg("name_bytes"), nb::arg("name_offsets"))
        .def("__len__", [](const Dictionary& self) { return self.forms().size(); })
        .def("atom", &Dictionary::atom, nb::arg("form"), nb::arg("prefix") = 0)
        .def(
            "arrays",
            [](const Dictionary& self) {
                nb::dict state;
                state["bytes"] = bytes_of(self.forms());
                state["offsets"] = as_array(std::vector(self.forms().offsets()));
                state["values"] = as_array(std::vector(self.values()));
                state["name_bytes"] = bytes_of(self.names());
                state["name_offsets"] = as_array(std::vector(self.names().offsets()));
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
                    throw laconic::ModelError("the payloads of a lexicon do not fit its forms");
                std::vector<std::shared_ptr<const Dictionary>> aligned;
                for (const std::string& name : plan.arguments()) {
                    const auto found = dictionaries.find(name);
                    aligned.push_back(found == dictionaries.end() ? nullptr : found->second);
                }
                nb::gil_scoped_release released;
                new (self) Lexicon(forms_of(bytes, offsets), WordColumns(plan).attributes, std::move(aligned),
                                   vector_of(ambiguity), {payloads.data(), payloads.size()}, payloads.shape(1));
            },
            nb::arg("plan"), nb::arg("bytes"), nb::arg("offsets"), nb::arg("ambiguity"), nb::arg("payloads"),
            nb::arg("dictionaries"))
        .def("__len__", &Lexicon::size)
        .def("__contains__",
             [](const Lexicon& self, std::string_view form) { return self.find(form) != Lexicon::absent; })
        .def(
            "find",
            [](const Lexicon& self, std::string_view form) -> std::optional<std::uint32_t> {
                const std::uint32_t found = self.find(form);
                return found == Lexicon::absent ? std::nullopt : std::optional(found);
            },
            nb::arg("form"), "The number of a form, or None.")
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
                 return as_array(std::vector<std::uint32_t>(self.row(form), self.row(form) + self.stride()));
             })
        .def(
            "arrays",
            [](const Lexicon& self) {
                std::vector<std::uint32_t> payloads;
                for (std::size_t i = 0; i < self.size(); ++i)
                    payloads.insert(payloads.end(), self.row(i) + self.attributes().size(),
                                    self.row(i) + self.stride());
                nb::dict state;
                state["bytes"] = bytes_of(self.forms());
                state["offsets"] = as_array(std::vector(self.forms().offsets()));
                state["ambiguity"] = as_array(std::vector(self.ambiguity()));
                state["payloads"] = as_array(std::move(payloads), {self.size(), self.payload_count()});
                return state;
            },
            nb::sig(arrays_signature));

    nb::class_<WordRows>(room, "WordRows", "The words of a batch resolved to rows of a lexicon and of an overlay.")
        .def(
            "__init__",
            [](WordRows* self, const Lexicon& lexicon, const nb::bytes& bytes, const Matrix& spans) {
                const std::string_view view(bytes.c_str(), bytes.size());
                const std::vector<laconic::corpus::Span> forms = spans_of(view, spans);
                nb::gil_scoped_release released;
                new (self) WordRows(lexicon, view, forms);
            },
            nb::arg("lexicon"), nb::arg("bytes"), nb::arg("spans"), nb::keep_alive<1, 2>())
        .def("__len__", &WordRows::size)
        .def("known",
             [](const WordRows& self, std::size_t word) {
                 if (word >= self.size()) throw nb::index_error("no such word");
                 return self.known(word);
             })
        .def_prop_ro(
            "ids", [](const WordRows& self) { return as_array(std::vector(self.ids().begin(), self.ids().end())); },
            nb::rv_policy::automatic)
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
    room.attr("UNICODE_VERSION") = laconic::unicode::version;
    room.def("lower", [](const nb::bytes& text) {
        const std::string lowered = laconic::unicode::lower(std::string_view(text.c_str(), text.size()));
        return nb::bytes(lowered.data(), lowered.size());
    });
    room.def("decode", [](const nb::bytes& text) {
        const std::string_view view(text.c_str(), text.size());
        std::vector<std::uint32_t> points;
        for (std::size_t at = 0; at < view.size();) {
            const auto [point, size] = laconic::unicode::decode(view, at);
            points.push_back(point);
            at += size;
        }
        return points;
    });
    room.def("code_point", [](std::uint32_t point) {
        const auto& record = laconic::unicode::record(point);
        return std::tuple<std::string, std::string, std::uint32_t>(
            laconic::unicode::class_names[record.cls], laconic::unicode::script_names[record.script],
            static_cast<std::uint32_t>(laconic::unicode::lower(static_cast<char32_t>(point))));
    });
}

}  // namespace

void laconic::bindings::features(nb::module_& core) {
    nb::module_ room = core.def_submodule("features", "Core of laconic.features.");
    room.def(
        "is_word_level",
        [](std::size_t attribute) {
            return attribute < attribute_names.size() && word_level(static_cast<Attribute>(attribute));
        },
        nb::arg("attribute"), "Does the attribute depend on nothing but the form of a word?");
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
    room.def("feat_atom", &feat_atom, nb::arg("feats"), nb::arg("name"));
    room.def("shape", [](std::string_view form) { return std::string(Word(form).shape()); });
    room.def(
        "word_atom",
        [](std::string_view form, std::uint8_t attribute, std::size_t number) {
            if (attribute >= attribute_names.size() || number > Word::max_affix)
                throw std::invalid_argument("no such attribute");
            return Word(form).atom(static_cast<Attribute>(attribute), number);
        },
        nb::arg("form"), nb::arg("attribute"), nb::arg("number") = 0);
    bind_plan(room);
    bind_lexicon(room);
    bind_unicode(room);
}
