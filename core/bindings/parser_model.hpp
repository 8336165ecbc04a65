#pragma once
// What all bindings of the parser share.

#include "bindings/common.hpp"
#include "corpus/tree.hpp"
#include "transition/parser.hpp"

namespace laconic::bindings {

using transition::Relation;

// The gold trees of a document: one head and one label per word.
inline void check_gold(const transition::Model& model, const Columns& columns, std::span<const std::int32_t> heads,
                       std::span<const Relation> relations) {
    if (heads.size() != columns.words() || relations.size() != columns.words())
        throw std::invalid_argument("heads and labels do not fit the document");
    check_numbers(relations, model.relations.size(), "no such label");
    for (std::size_t i = 0; i < columns.sentence_count(); ++i) {
        const auto tree = heads.subspan(columns.sentences[i], columns.sentences[i + 1] - columns.sentences[i]);
        const corpus::TreeFault fault = corpus::check_tree(tree);
        if (!fault.reason.empty() || std::ranges::any_of(tree, [](std::int32_t head) { return head < 0; }))
            throw std::invalid_argument("sentence " + std::to_string(i + 1) +
                                        " has no tree: " + (fault.reason.empty() ? "heads are missing" : fault.reason));
    }
}

// Options of a system as Python spells them.
inline transition::SystemOptions system_options(bool single_root, const std::string& focus, const std::string& waits) {
    using transition::Focus;
    using transition::Waits;
    return {
        single_root,
        choice<Focus>(focus, "focus",
                      {{"step-back", Focus::step_back}, {"stay", Focus::stay}, {"start-over", Focus::start_over}}),
        choice<Waits>(waits, "moves to wait", {{"left", Waits::left}, {"none", Waits::none}, {"both", Waits::both}})};
}

}  // namespace laconic::bindings
