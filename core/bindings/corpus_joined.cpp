#include <deque>

#include "bindings/common.hpp"
#include "corpus/joined.hpp"

namespace laconic::bindings {

namespace {

using corpus::Joined;

template <class Guard, class C>
struct Guarded {
    std::vector<C*> parts;
    std::deque<Guard> guards;

    explicit Guarded(const nb::list& given) {
        for (const nb::handle part : given) parts.push_back(nb::cast<C*>(part));
        std::vector<C*> distinct = parts;  // one guard for a document that is given twice
        std::ranges::sort(distinct);
        distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
        for (C* part : distinct) guards.emplace_back(part->access);
    }
};

}  // namespace

void corpus_joined(nb::module_& core) {
    nb::module_ room = nb::cast<nb::module_>(core.attr("corpus"));
    nb::class_<Joined>(room, "Joined", "Short documents at work as one; see core/corpus/joined.hpp.")
        .def(
            "__init__",
            [](Joined* self, const nb::list& parts, const std::vector<bool>& opens) {
                const Guarded<corpus::Reading, const Columns> guarded(parts);
                const std::vector<std::uint8_t> flags(opens.begin(), opens.end());
                unlocked([&] { new (self) Joined(corpus::join(guarded.parts, flags)); });
            },
            "parts"_a, "opens"_a,
            nb::sig("def __init__(self, parts: list[Columns], opens: collections.abc.Sequence[bool]) -> None"))
        .def_prop_ro(
            "columns", [](Joined& self) -> Columns& { return self.columns; }, nb::rv_policy::reference_internal)
        .def(
            "hand_back",
            [](const Joined& self, const nb::list& parts) {
                const Guarded<corpus::Writing, Columns> guarded(parts);
                unlocked(self.columns, [&] { corpus::hand_back(self, guarded.parts); });
            },
            "parts"_a, nb::sig("def hand_back(self, parts: list[Columns]) -> None"),
            "Gives each part what its words have in the whole: heads, and fields but for forms.");
}

}  // namespace laconic::bindings
