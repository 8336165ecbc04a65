#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <map>
#include <string>
#include <vector>

#include "bindings/arrays.hpp"
#include "bindings/rooms.hpp"
#include "corpus/tree.hpp"
#include "features/rows.hpp"
#include "transition/context.hpp"
#include "transition/machine.hpp"
#include "transition/oracle.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace laconic::transition {

namespace {

using bindings::as_array;
using bindings::Input;

void check_tree(std::span<const std::int32_t> heads) {
    const corpus::TreeFault fault = corpus::check_tree(heads);
    if (!fault.reason.empty()) throw std::invalid_argument(fault.reason);
    for (const std::int32_t head : heads)
        if (head < 0) throw std::invalid_argument("a word has no head");
}

Gold gold_of(const Machine& machine, const Input<std::int32_t, 1>& heads) {
    if (heads.shape(0) != static_cast<std::size_t>(machine.state().words()))
        throw std::invalid_argument("the tree has another number of words");
    check_tree({heads.data(), heads.shape(0)});
    Gold gold;
    gold.set({heads.data(), heads.shape(0)}, {}, machine.system().single_root());
    return gold;
}

std::vector<Move> members(Moves moves) {
    std::vector<Move> list;
    for (Move move = 0; move < max_moves; ++move)
        if (has(moves, move)) list.push_back(move);
    return list;
}

void bind_machine(nb::module_& room) {
    nb::class_<Machine>(room, "Machine", "A transition system at work on one sentence, step by step.")
        .def(nb::init<std::string_view, std::size_t, bool>(), "system"_a, "words"_a, "single_root"_a = false)
        .def_prop_ro("done", &Machine::done)
        .def_prop_ro("words", [](const Machine& self) { return self.state().words(); })
        .def_prop_ro(
            "noted", [](const Machine& self) { return self.state().noted(); }, "A number that the system keeps.")
        .def(
            "valid", [](const Machine& self) { return members(self.valid()); }, "Moves that are possible now.")
        .def(
            "arc",
            [](const Machine& self, Move move) {
                const Arc arc = self.arc(move);
                return std::make_tuple(arc.head, arc.dependent);
            },
            "move"_a, "Head and dependent that a move would join; -1 for a move without an arc.")
        .def("apply", &Machine::apply, "move"_a, "relation"_a = 0)
        .def("finish", &Machine::finish, "Heads for words that ended without one.")
        .def("copy", [](const Machine& self) { return self; })
        .def(
            "costs",
            [](const Machine& self, Input<std::int32_t, 1> heads) {
                const Costs costs = self.costs(gold_of(self, heads));
                std::map<Move, std::uint32_t> found;
                for (const Move move : members(self.valid())) found[move] = costs[move];
                return found;
            },
            "heads"_a,
            "What each possible move costs with this tree as gold: arcs that cannot be had any more after it.")
        .def("heads",
             [](const Machine& self) {
                 const auto heads = self.state().heads();
                 return as_array(std::vector<std::int32_t>(heads.begin(), heads.end()));
             })
        .def("stack",
             [](const Machine& self) {
                 std::vector<Node> nodes;
                 for (std::size_t i = 0; i < self.state().stack_size(); ++i) nodes.push_back(self.state().stack(i));
                 return nodes;
             })
        .def("aside",
             [](const Machine& self) {
                 std::vector<Node> nodes;
                 for (std::size_t i = 0; i < self.state().aside_size(); ++i) nodes.push_back(self.state().aside(i));
                 return nodes;
             })
        .def("queue", [](const Machine& self) {
            std::vector<Node> nodes;
            for (std::size_t i = 0; i < self.state().queue_size(); ++i) nodes.push_back(self.state().queue(i));
            return nodes;
        });
}

// What the slots of a plan read of a state, for every slot the atoms of its node or nodes.
std::vector<std::vector<Atom>> read_slots(const Machine& machine, const features::Plan& plan,
                                          const features::Lexicon& lexicon, const corpus::Columns& columns,
                                          std::size_t sentence, std::span<const Atom> relations, Arc arc) {
    features::AtomColumns layout(lexicon.attributes(), plan.arguments(), corpus::Field::upos);
    const Reader reader(plan, layout);
    const features::WordRows rows(lexicon, columns);
    features::SentenceAtoms words(layout, rows, columns);
    words.enter(sentence);
    StateContext context(reader, words, machine.state(), relations);
    context.refresh(arc);
    std::vector<std::vector<Atom>> atoms;
    for (std::uint16_t slot = 0; slot < plan.slots().size(); ++slot) {
        if (plan.slots()[slot].many) {
            const std::span<const Atom> all = context.atoms(slot);
            atoms.emplace_back(all.begin(), all.end());
        } else {
            atoms.push_back({context.atom(slot)});
        }
    }
    return atoms;
}

// The tree that following the oracle builds, and the moves it took.
std::tuple<std::vector<std::int32_t>, std::size_t> follow(const std::string& name, std::span<const std::int32_t> heads,
                                                          bool single_root) {
    State state;
    state.start(heads.size());
    Gold gold;
    gold.set(heads, {}, single_root);
    const auto system = make_system(name, single_root);
    while (!system->done(state)) {
        const Moves best = cheapest(system->costs(state, gold), system->valid(state));
        system->apply(state, static_cast<Move>(std::countr_zero(best)), 0);
    }
    system->finish(state, 0, 0);
    return {{state.heads().begin(), state.heads().end()}, state.moves()};
}

}  // namespace

}  // namespace laconic::transition

void laconic::bindings::transition(nb::module_& core) {
    using namespace laconic::transition;
    nb::module_ room = core.def_submodule("transition", "Core of laconic.transition: parser states and decisions.");
    bind_machine(room);
    room.def(
        "read_slots",
        [](const Machine& machine, const features::Plan& plan, const features::Lexicon& lexicon,
           const corpus::Columns& columns, std::size_t sentence, Input<Atom, 1> relations, Node head, Node dependent) {
            const auto exists = [&](Node node) { return node >= none && node <= machine.state().words(); };
            if (sentence >= columns.sentence_count() ||
                columns.heads_of(sentence).size() != static_cast<std::size_t>(machine.state().words()) ||
                !exists(head) || !exists(dependent) || relations.shape(0) == 0)
                throw std::invalid_argument("state, sentence, labels and arc do not fit together");
            return read_slots(machine, plan, lexicon, columns, sentence, {relations.data(), relations.shape(0)},
                              {head, dependent});
        },
        "machine"_a, "plan"_a, "lexicon"_a, "columns"_a, "sentence"_a, "relations"_a, "head"_a = none,
        "dependent"_a = none, "The atoms that each slot of a plan reads of a state; relations has one atom per label.");
    room.def("system_names", &system_names);
    room.def(
        "move_names",
        [](const std::string& system) {
            std::vector<std::string_view> names;
            for (const MoveFacts& move : make_system(system, false)->facts().moves) names.push_back(move.name);
            return names;
        },
        "system"_a);
    room.def(
        "is_dynamic", [](const std::string& system) { return make_system(system, false)->facts().dynamic; }, "system"_a,
        "Does the system's oracle know the cost of moves off the path of gold trees?");
    room.def(
        "follow_oracle",
        [](const std::string& system, Input<std::int32_t, 1> heads, bool single_root) {
            const std::span<const std::int32_t> given(heads.data(), heads.shape(0));
            check_tree(given);
            auto [built, moves] = follow(system, given, single_root);
            return std::make_tuple(as_array(std::move(built)), moves);
        },
        "system"_a, "heads"_a, "single_root"_a = false,
        "The tree that the oracle's moves build, and how many they were.");
}
