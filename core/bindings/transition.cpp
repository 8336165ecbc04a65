#include <map>

#include "bindings/parser_model.hpp"
#include "features/rows.hpp"
#include "transition/context.hpp"
#include "transition/oracle.hpp"
#include "transition/stepper.hpp"

namespace laconic::bindings {

namespace {

using namespace laconic::transition;
using features::Atom;
using features::Plan;

void check_tree(std::span<const std::int32_t> heads) {
    const corpus::TreeFault fault = corpus::check_tree(heads);
    if (!fault.reason.empty()) throw std::invalid_argument(fault.reason);
    for (const std::int32_t head : heads)
        if (head < 0) throw std::invalid_argument("a word has no head");
}

Gold gold_of(const Stepper& stepper, const Input<std::int32_t, 1>& heads) {
    if (heads.shape(0) != static_cast<std::size_t>(stepper.state().words()))
        throw std::invalid_argument("the tree has another number of words");
    const std::vector<std::int32_t> copied = vector_of(heads);  // another thread may write to the array meanwhile
    check_tree(copied);
    Gold gold;
    gold.set(copied, {}, stepper.system().single_root());
    return gold;
}

std::vector<Move> members(Moves moves) {
    std::vector<Move> list;
    for (Move move = 0; move < max_moves; ++move)
        if (has(moves, move)) list.push_back(move);
    return list;
}

template <class Size, class At>
std::vector<Node> nodes(const State& state, Size size, At at) {
    std::vector<Node> list;
    for (std::size_t i = 0; i < (state.*size)(); ++i) list.push_back((state.*at)(i));
    return list;
}

void bind_stepper(nb::module_& room) {
    nb::class_<Stepper>(room, "Stepper", "A transition system at work on one sentence, step by step.")
        .def(
            "__init__",
            [](Stepper* self, std::string_view system, std::size_t words, bool single_root, const std::string& focus,
               const std::string& waits) {
                new (self) Stepper(system, words, system_options(single_root, focus, waits));
            },
            "system"_a, "words"_a, "single_root"_a = false, "focus"_a = "step-back", "waits"_a = "left")
        .def_prop_ro("done", &Stepper::done)
        .def_prop_ro("words", [](const Stepper& self) { return self.state().words(); })
        .def_prop_ro(
            "noted", [](const Stepper& self) { return self.state().noted(); }, "A number that the system keeps.")
        .def(
            "valid", [](const Stepper& self) { return members(self.valid()); }, "Moves that are possible now.")
        .def(
            "arc",
            [](const Stepper& self, Move move) {
                const Arc arc = self.arc(move);
                return std::make_tuple(arc.head, arc.dependent);
            },
            "move"_a, "Head and dependent that a move would join; -1 for a move without an arc.")
        .def("apply", &Stepper::apply, "move"_a, "relation"_a = 0)
        .def("finish", &Stepper::finish, "Heads for words that ended without one.")
        .def("copy", [](const Stepper& self) { return self; })
        .def(
            "costs",
            [](const Stepper& self, Input<std::int32_t, 1> heads) {
                const Costs costs = self.costs(gold_of(self, heads));
                std::map<Move, std::uint32_t> found;
                for (const Move move : members(self.valid())) found[move] = costs[move];
                return found;
            },
            "heads"_a,
            "What each possible move costs with this tree as gold: arcs that cannot be had any more after it.")
        .def("heads", [](const Stepper& self) { return copy_of(self.state().heads()); })
        .def("stack", [](const Stepper& self) { return nodes(self.state(), &State::stack_size, &State::stack); })
        .def("aside", [](const Stepper& self) { return nodes(self.state(), &State::aside_size, &State::aside); })
        .def("queue", [](const Stepper& self) { return nodes(self.state(), &State::queue_size, &State::queue); });
}

// What the slots of a plan read of a state, for every slot the atoms of its node or nodes.
std::vector<std::vector<Atom>> read_slots(const Stepper& stepper, const Plan& plan, const features::Lexicon& lexicon,
                                          const Columns& columns, std::size_t sentence, std::span<const Atom> relations,
                                          Arc arc) {
    features::AtomColumns layout(lexicon.attributes(), plan.arguments(), corpus::Field::upos);
    const Reader reader(plan, layout);
    const features::WordRows rows(lexicon, columns);
    features::SentenceAtoms words(layout, rows, columns);
    words.enter(sentence);
    StateContext context(reader, words, stepper.state(), relations);
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
std::tuple<std::vector<std::int32_t>, std::size_t> follow(std::string_view name, std::span<const std::int32_t> heads,
                                                          const SystemOptions& options) {
    State state;
    state.start(heads.size());
    Gold gold;
    gold.set(heads, {}, options.single_root);
    const auto system = make_system(name, options);
    while (!system->done(state)) {
        const Moves best = cheapest(system->costs(state, gold), system->valid(state));
        system->apply(state, static_cast<Move>(std::countr_zero(best)), 0);
    }
    system->finish(state, 0, 0);
    return {{state.heads().begin(), state.heads().end()}, state.moves()};
}

}  // namespace

void transition(nb::module_& core) {
    nb::module_ room = core.def_submodule("transition", "Core of laconic.transition: parser states and decisions.");
    bind_stepper(room);
    room.def(
        "read_slots",
        [](const Stepper& stepper, const Plan& plan, const features::Lexicon& lexicon, const Columns& columns,
           std::size_t sentence, Input<Atom, 1> relations, Node head, Node dependent) {
            const auto exists = [&](Node node) { return node >= none && node <= stepper.state().words(); };
            if (sentence >= columns.sentence_count() ||
                columns.heads_of(sentence).size() != static_cast<std::size_t>(stepper.state().words()) ||
                !exists(head) || !exists(dependent) || relations.shape(0) == 0)
                throw std::invalid_argument("state, sentence, labels and arc do not fit together");
            return unlocked(columns, [&] {
                return read_slots(stepper, plan, lexicon, columns, sentence, span_of(relations), {head, dependent});
            });
        },
        "stepper"_a, "plan"_a, "lexicon"_a, "columns"_a, "sentence"_a, "relations"_a, "head"_a = none,
        "dependent"_a = none, "The atoms that each slot of a plan reads of a state; relations has one atom per label.");
    nb::class_<SystemFacts>(room, "SystemFacts", "What is known of a transition system before it runs.")
        .def_ro("name", &SystemFacts::name)
        .def_prop_ro("moves",
                     [](const SystemFacts& self) {
                         std::vector<std::string_view> names;
                         for (const MoveFacts& move : self.moves) names.push_back(move.name);
                         return names;
                     })
        .def_ro("template_kind", &SystemFacts::template_kind, "The kind of the templates that read its states.")
        .def_ro("projective", &SystemFacts::projective, "Builds projective trees only.")
        .def_ro("dynamic", &SystemFacts::dynamic, "Does its oracle know the cost of moves off the path of gold trees?")
        .def_ro("joint_labels", &SystemFacts::joint_labels, "May its actions name the labels of arcs?")
        .def_ro("has_focus", &SystemFacts::has_focus, "Are focus and waits for it?");
    room.def("system_names", &system_names);
    room.def("system_facts", &system_facts, "name"_a, nb::rv_policy::reference);
    room.def(
        "follow_oracle",
        [](std::string_view system, Input<std::int32_t, 1> heads, bool single_root, const std::string& focus,
           const std::string& waits) {
            const std::vector<std::int32_t> copied = vector_of(heads);  // another thread may write to it meanwhile
            check_tree(copied);
            auto [built, moves] = follow(system, copied, system_options(single_root, focus, waits));
            return std::make_tuple(as_array(std::move(built)), moves);
        },
        "system"_a, "heads"_a, "single_root"_a = false, "focus"_a = "step-back", "waits"_a = "left",
        "The tree that the oracle's moves build, and how many they were.");
}

}  // namespace laconic::bindings
