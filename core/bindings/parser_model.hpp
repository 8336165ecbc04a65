#pragma once
// A parser's model as Python holds it, and the checks that all who use it share.

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "bindings/arrays.hpp"
#include "bindings/settings.hpp"
#include "corpus/tree.hpp"
#include "transition/parser.hpp"

namespace laconic::transition {

using bindings::check_sentences;
using bindings::Input;
using bindings::span_of;
using bindings::vector_of;

// What a Model refers to, kept together for Python.
struct BoundModel {
    const features::Plan& plan;
    const features::Plan& label_plan;
    const features::Lexicon& lexicon;
    std::vector<std::string> names;
    corpus::Field pos;
    ActionSet actions;
    std::vector<Atom> relations;

    [[nodiscard]] Model view() const { return {plan, label_plan, lexicon, names, pos, actions, relations}; }
};

inline void check_gold(const BoundModel& model, const corpus::Columns& columns, std::span<const std::int32_t> heads,
                       std::span<const Relation> relations) {
    if (heads.size() != columns.words() || relations.size() != columns.words())
        throw std::invalid_argument("heads and labels do not fit the document");
    for (const Relation relation : relations)
        if (relation >= model.relations.size()) throw std::invalid_argument("no such label");
    for (std::size_t i = 0; i < columns.sentence_count(); ++i) {
        const auto tree = heads.subspan(columns.sentences[i], columns.sentences[i + 1] - columns.sentences[i]);
        const corpus::TreeFault fault = corpus::check_tree(tree);
        if (!fault.reason.empty() || std::ranges::any_of(tree, [](std::int32_t head) { return head < 0; }))
            throw std::invalid_argument("sentence " + std::to_string(i + 1) +
                                        " has no tree: " + (fault.reason.empty() ? "heads are missing" : fault.reason));
    }
}

// Options of a system as Python spells them.
inline SystemOptions system_options(bool single_root, const std::string& focus, const std::string& waits) {
    return {single_root,
            bindings::choice<Focus>(
                focus, "focus",
                {{"step-back", Focus::step_back}, {"stay", Focus::stay}, {"start-over", Focus::start_over}}),
            bindings::choice<Waits>(waits, "moves to wait",
                                    {{"left", Waits::left}, {"none", Waits::none}, {"both", Waits::both}})};
}

// Runs what reads a document without the interpreter's lock; nobody may write to the document meanwhile.
template <class Result, class Run>
Result reading(const corpus::Columns& columns, Run&& run) {
    const corpus::Reading guard(columns.access);
    const nanobind::gil_scoped_release released;
    return run();
}

}  // namespace laconic::transition
