#pragma once
// A context that finds the rows of templates itself, by a compiled plan.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/memory.hpp"
#include "features/value_numbers.hpp"
#include "learn/key.hpp"
#include "transition/compiled_plan.hpp"

namespace laconic::transition {

// Like StateContext. `T` is a table that numbers its rows (learn::NumbersRows).
template <class T>
class CompiledContext {
public:
    // `interpreter` reads `atoms`, which this fills when it first asks. Nothing else is copied: all must outlive this.
    CompiledContext(const T& table, const features::Plan& plan, std::shared_ptr<const CompiledPlan> compiled,
                    const Reader& reader, const features::NumberedWords& numbers, std::size_t lexicon,
                    features::SentenceAtoms& atoms, const State& state, StateContext interpreter)
        : table_(table),
          plan_(plan),
          compiled_(std::move(compiled)),
          reader_(reader),
          numbers_(numbers),
          atoms_(atoms),
          interpreter_(std::move(interpreter)),
          state_(&state),
          known_types_(features::NumberedWords::first_type + static_cast<std::uint32_t>(lexicon)),
          nodes_(reader.addresses().size()),
          records_(reader.addresses().size() + 1),
          state_numbers_(compiled_->state.items.size() + 1),
          new_word_rows_(numbers.unknown_types() * compiled_->word_places),
          rows_(compiled_->most_rows() + 1) {
        records_.back() = state_numbers_.data();
    }

    // As of StateContext.
    void look_at(const State& state) noexcept {
        state_ = &state;
        interpreter_.look_at(state);
    }
    void refresh(Arc arc = {}) noexcept {
        arc_ = arc;
        interpreter_.refresh(arc);
    }
    [[nodiscard]] Atom atom(std::uint16_t slot) { return interpreter().atom(slot); }
    [[nodiscard]] std::span<const Atom> atoms(std::uint16_t slot) { return interpreter().atoms(slot); }

    // The rows of templates [first, last), those of others() excepted; valid until the next call. Ranges of one
    // decision follow each other.
    [[nodiscard]] std::span<const std::int8_t* const> rows(std::size_t first, std::size_t last) {
        find_nodes(first, last);
        end_ = rows_.data();
        look_up(compiled_->ones, first, last);
        look_up(compiled_->twos, first, last);
        look_up(compiled_->threes, first, last);
        look_up(compiled_->fours, first, last);
        look_up_words(first, last);
        return {rows_.data(), end_};
    }
    // Templates that are to be read through the interpreter.
    [[nodiscard]] std::span<const std::uint16_t> others(std::size_t first, std::size_t last) const noexcept {
        return compiled_->others.of(first, last);
    }
    [[nodiscard]] StateContext& interpreter() {
        if (entered_ != numbers_.sentence()) {
            entered_ = numbers_.sentence();
            atoms_.enter(entered_);
        }
        return interpreter_;
    }

private:
    using Remembered = learn::RememberedRows;

    void find_nodes(std::size_t first, std::size_t last) noexcept {
        const auto node_at = [this](std::uint16_t address) { return nodes_[address]; };
        for (const std::uint16_t address : compiled_->nodes.of(first, last)) {
            const Node node = resolve(*state_, arc_, reader_.addresses()[address], node_at);
            nodes_[address] = node;
            records_[address] = numbers_[node];
        }
        std::uint32_t* to = state_numbers_.data() + (compiled_->state.of(0, first).size());
        for (const std::uint16_t slot : compiled_->state.of(first, last)) {
            const Reader::Source& source = reader_.sources()[slot];
            const Node node = nodes_[source.address];
            if (source.kind == Reader::Source::dep) {
                const Relation relation = node == none ? no_relation : state_->relation(node);
                *to++ = relation == no_relation ? 0U : relation + 1U;
            } else {
                *to++ = state_number(*state_, source, node, node_at);
            }
        }
    }

    template <std::size_t Sources>
    void look_up(const ByTemplate<CompiledPlan::LookUp<Sources>>& all, std::size_t first, std::size_t last) {
        const std::uint32_t* const* const records = records_.data();
        for (const CompiledPlan::LookUp<Sources>& one : all.of(first, last)) {
            std::size_t place = one.begin;
            for (std::size_t i = 0; i < Sources; ++i)
                place += std::size_t{records[one.sources[i].node][one.sources[i].field]} * one.strides[i];
            std::uint32_t found = (*compiled_->rows)[place];
            if (found == Remembered::open) [[unlikely]] {
                found = find(one.template_index);
                const auto other = [&](CompiledPlan::Source source) {
                    return source.node < nodes_.size() &&
                           records[source.node][source.field] == features::number_of_others;
                };
                if (!std::ranges::any_of(one.sources, other)) compiled_->rows->store(place, found);
            }
            put(found);
        }
    }

    void look_up_words(std::size_t first, std::size_t last) {
        for (const CompiledPlan::WordLookUp& word : compiled_->words.of(first, last)) {
            const std::uint32_t type = records_[word.node][features::NumberedWords::type];
            const std::uint32_t found = word_row(type, word.place, word.template_index);
            put(found);
            if (found != Remembered::no_row) continue;
            for (std::uint16_t k = 0; k < word.more; ++k)
                put(word_row(type, static_cast<std::size_t>(word.more_places) + k,
                             static_cast<std::size_t>(word.template_index) + 1 + k));
        }
    }
    std::uint32_t word_row(std::uint32_t type, std::size_t place, std::size_t template_index) {
        if (type < known_types_) [[likely]] {
            place += type * compiled_->word_places;
            std::uint32_t found = (*compiled_->word_rows)[place];
            if (found == Remembered::open) [[unlikely]]
                compiled_->word_rows->store(place, found = find(template_index));
            return found;
        }
        std::uint32_t& found = new_word_rows_[(type - known_types_) * compiled_->word_places + place];
        if (found == Remembered::open) found = find(template_index);
        return found;
    }

    // The row of a template that has at most one feature.
    [[nodiscard]] std::uint32_t find(std::size_t template_index) {
        std::uint32_t found = Remembered::no_row;
        learn::visit_keys(plan_, template_index, interpreter(), [&](std::uint64_t key) {
            const std::uint32_t row = table_.row_number(template_index, key);
            if (row != T::absent_row) found = row + Remembered::first;
        });
        return found;
    }
    // Whether there is a row is unpredictable: it is written anyway, and overwritten if there is none.
    void put(std::uint32_t found) noexcept {
        const std::uint32_t is_row = found != Remembered::no_row ? 1 : 0;
        const std::int8_t* row = table_.row_at(found - Remembered::no_row - is_row);
        prefetch(row);
        *end_ = row;
        end_ += is_row;
    }

    const T& table_;
    const features::Plan& plan_;
    std::shared_ptr<const CompiledPlan> compiled_;
    const Reader& reader_;
    const features::NumberedWords& numbers_;
    features::SentenceAtoms& atoms_;
    StateContext interpreter_;
    const State* state_;
    Arc arc_{};
    std::uint32_t known_types_;
    std::size_t entered_ = std::numeric_limits<std::size_t>::max();
    std::vector<Node> nodes_;                    // by address
    std::vector<const std::uint32_t*> records_;  // of them, and of the state
    std::vector<std::uint32_t> state_numbers_;
    std::vector<std::uint32_t> new_word_rows_;  // of types outside the lexicon
    std::vector<const std::int8_t*> rows_;
    const std::int8_t** end_ = nullptr;
};

}  // namespace laconic::transition
