#pragma once
// The templates of a plan by the words that they look at.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "features/plan.hpp"
#include "label/context.hpp"

namespace laconic::label {

class TemplateGroups {
public:
    TemplateGroups(const features::Plan& plan, const EdgeReader& reader);

    // Templates that read one word, or each child of one word, and nothing else.
    struct Group {
        std::uint16_t address = 0;
        bool children = false;
        std::vector<std::uint16_t> templates;
    };
    // Groups whose rows are summed once for each type of words. The first has the templates that begin the plan and
    // read the word in focus. It may be empty.
    [[nodiscard]] const std::vector<Group>& folded() const noexcept { return folded_; }
    // Groups of few templates: sums would be one more thing to fetch, so rows are kept in mind for each type.
    [[nodiscard]] const std::vector<Group>& small() const noexcept { return small_; }
    // All templates of the small groups.
    [[nodiscard]] std::size_t small_templates() const noexcept { return small_templates_; }
    // Templates that look at the word in focus and at its children, one or all of them or their number. Where it has no
    // children, what they add depends on its type alone.
    [[nodiscard]] const std::vector<std::uint16_t>& of_children() const noexcept { return of_children_; }
    // Templates that look at several words or at the tree in other ways.
    [[nodiscard]] const std::vector<std::uint16_t>& others() const noexcept { return others_; }

private:
    std::vector<Group> folded_, small_;
    std::size_t small_templates_ = 0;
    std::vector<std::uint16_t> of_children_, others_;
};

}  // namespace laconic::label
