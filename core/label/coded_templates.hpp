#pragma once
// Templates that join a few values of columns that have few, such as tags: the rows of all combinations lie in a table,
// made when a model is loaded, so that none has to be searched by a hash.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "features/plan.hpp"
#include "label/context.hpp"
#include "label/node_context.hpp"
#include "label/word_types.hpp"
#include "learn/factors.hpp"

namespace laconic::label {

class CodedTemplates {
public:
    // A row that a table does not know, since a value has no code: it has to be searched.
    static constexpr std::uint32_t unknown_row = learn::RowIndex::absent - 1;

    struct Template {
        std::uint16_t number = 0;  // in the plan
        // Of its slots, one of which may stand for a set. Places that are not needed have the stride 0.
        std::array<NodeContext::Place, 3> places{};
        std::array<std::uint32_t, 3> strides{};
        std::uint32_t begin = 0;  // of its rows
        // Of the slot that stands for a set of children, if there is one: where the code of a child is, and its stride.
        bool children = false;
        std::uint16_t address = 0, column = 0;
        std::uint32_t stride = 0;
    };

    // Takes from `templates` those that can be coded. The tables of all have at most `most_rows` rows.
    CodedTemplates(const features::Plan& plan, const learn::FactorTable& table, const EdgeReader& reader,
                   const WordTypes& types, std::vector<std::uint16_t>& templates, std::size_t most_rows);

    [[nodiscard]] const std::vector<Template>& list() const noexcept { return list_; }
    [[nodiscard]] std::size_t size() const noexcept { return rows_.size(); }  // rows of all tables
    // Where the row of a template is that has no set, or the rows of one that has; rows by their places.
    [[nodiscard]] static std::size_t place(const Template& one, const NodeContext& context) noexcept {
        return one.begin + context.code(one.places[0]) * std::size_t{one.strides[0]} +
               context.code(one.places[1]) * std::size_t{one.strides[1]} +
               context.code(one.places[2]) * std::size_t{one.strides[2]};
    }
    [[nodiscard]] std::uint32_t row(std::size_t place) const noexcept { return rows_[place]; }

private:
    std::vector<Template> list_;
    std::vector<std::uint32_t> rows_;  // absent, or unknown_row
};

}  // namespace laconic::label
