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
                    const Reader& reader, const features::NumberedWords& numbers, const features::WordRows& words,
                    const corpus::Columns& columns, features::SentenceAtoms& atoms, const State& state,
                    StateContext interpreter)
        : table_(table),
          plan_(plan),
          compiled_(std::move(compiled)),
          numbers_(numbers),
          words_(words),
          columns_(columns),
          atoms_(atoms),
          interpreter_(std::move(interpreter)),
          state_(&state),
          known_types_(features::NumberedWords::first_type + static_cast<std::uint32_t>(words.lexicon().size())),
          nodes_(reader.addresses().size()),
          records_(reader.addresses().size() + 1),
          state_numbers_(compiled_->state_numbers + 1),
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
        if (fetched_ != numbers_.sentence()) fetch_words();
    }
    [[nodiscard]] Atom atom(std::uint16_t slot) { return interpreter().atom(slot); }
    [[nodiscard]] std::span<const Atom> atoms(std::uint16_t slot) { return interpreter().atoms(slot); }

    // The rows of templates [first, last), those of others() excepted; valid until the next call. Ranges of one
    // decision follow each other.
    [[nodiscard]] std::span<const std::int8_t* const> rows(std::size_t first, std::size_t last) {
        const Range& range = range_of(first, last);
        find_nodes(range);
        Rows found{table_, rows_.data()};
        look_up(range.ones, found);
        look_up(range.twos, found);
        look_up(range.threes, found);
        if (!range.fours.empty()) look_up(range.fours, found);
        look_up_words(range.words, found);
        return {rows_.data(), found.count};
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

    // Templates [first, last) of the compiled plan, where they lie.
    struct Range {
        std::size_t first, last;
        std::span<const CompiledPlan::Place> stack, queue;
        std::span<const CompiledPlan::FoundNode> steps;
        std::span<const CompiledPlan::Dep> deps;
        std::span<const CompiledPlan::StateNumber> state;
        std::span<const CompiledPlan::LookUp<1>> ones;
        std::span<const CompiledPlan::LookUp<2>> twos;
        std::span<const CompiledPlan::LookUp<3>> threes;
        std::span<const CompiledPlan::LookUp<4>> fours;
        std::span<const CompiledPlan::WordLookUp> words;
    };
    // Decisions ask for the same few ranges again and again: from one exit to another.
    const Range& range_of(std::size_t first, std::size_t last) {
        for (const Range& range : ranges_)
            if (range.first == first && range.last == last) return range;
        const CompiledPlan& all = *compiled_;
        ranges_.push_back({first, last, all.stack.of(first, last), all.queue.of(first, last), all.steps.of(first, last),
                           all.deps.of(first, last), all.state.of(first, last), all.ones.of(first, last),
                           all.twos.of(first, last), all.threes.of(first, last), all.fours.of(first, last),
                           all.words.of(first, last)});
        return ranges_.back();
    }

    // Where found rows are written. Whether there is one is unpredictable: it is written anyway, and overwritten if
    // there is none.
    struct Rows {
        Rows(const T& table, const std::int8_t** to) noexcept
            : size(static_cast<std::size_t>(table.row_at(1) - table.row_at(0))),
              begin(reinterpret_cast<std::uintptr_t>(table.row_at(0)) - Remembered::first * size),
              to(to) {}

        void put(std::uint32_t found) noexcept {
            const auto* row = reinterpret_cast<const std::int8_t*>(begin + found * size);
            prefetch(row);
            to[count] = row;
            count += found >= Remembered::first ? 1 : 0;
        }

        std::size_t size;
        std::uintptr_t begin;  // of the row with the number 0 among places
        const std::int8_t** to;
        std::size_t count = 0;
    };

    // The places of all words of a sentence are on their way before they are first asked for.
    void fetch_words() noexcept {
        fetched_ = numbers_.sentence();
        for (Node node = 1; node <= state_->words(); ++node) {
            const std::uint32_t type = numbers_[node][features::NumberedWords::type];
            if (type < known_types_) compiled_->word_rows->fetch(type * compiled_->word_places);
        }
    }

    void find_nodes(const Range& range) noexcept {
        const State& state = *state_;
        for (const auto [index, number] : range.stack) set_node(number, state.stack(index));
        for (const auto [index, number] : range.queue) set_node(number, state.queue(index));
        const auto node_at = [this](std::uint16_t address) { return nodes_[address]; };
        for (const auto& [address, number] : range.steps) set_node(number, step_to(address));
        std::uint32_t* const numbers = state_numbers_.data();
        for (const auto [address, field] : range.deps) {
            const Node node = nodes_[address];
            const Relation relation = node == none ? no_relation : state.relation(node);
            // No relation is the largest number of 16 bits, and its number is 0.
            numbers[field] = static_cast<Relation>(relation + 1U);
        }
        for (const auto& [source, field] : range.state)
            numbers[field] = state_number(state, source, nodes_[source.address], node_at);
    }
    // As resolve(), the most frequent steps first.
    [[nodiscard]] Node step_to(Reader::Address address) const noexcept {
        if (address.kind == Reader::Address::step) {
            const auto step = static_cast<features::Step>(address.step_code);
            const Node from = nodes_[address.from];
            if (step == features::Step::lc) return from == none ? none : state_->leftmost(from);
            if (step == features::Step::rc) return from == none ? none : state_->rightmost(from);
        }
        return resolve(*state_, arc_, address, [this](std::uint16_t other) { return nodes_[other]; });
    }
    void set_node(std::uint16_t number, Node node) noexcept {
        nodes_[number] = node;
        records_[number] = numbers_[node];
    }

    template <std::size_t Sources>
    void look_up(std::span<const CompiledPlan::LookUp<Sources>> all, Rows& found) {
        const std::uint32_t* const* const records = records_.data();
        const Remembered& remembered = *compiled_->rows;
        Rows rows = found;  // in registers
        for (const CompiledPlan::LookUp<Sources>& one : all) {
            std::size_t place = one.begin;
            for (std::size_t i = 0; i + 1 < Sources; ++i)
                place += std::size_t{records[one.sources[i].node][one.sources[i].field]} * one.strides[i];
            place += records[one.sources[Sources - 1].node][one.sources[Sources - 1].field];  // its stride is 1
            std::uint32_t row = remembered[place];
            if (row == Remembered::open) [[unlikely]]
                row = remember(one, place);
            rows.put(row);
        }
        found = rows;
    }
    // Looks up a place that was not asked for before. What is true of one value without a number is not of all.
    template <std::size_t Sources>
    std::uint32_t remember(const CompiledPlan::LookUp<Sources>& one, std::size_t place) {
        const std::uint32_t row = find(one.template_index);
        const auto other = [&](CompiledPlan::Source source) {
            return source.node < nodes_.size() && records_[source.node][source.field] == features::number_of_others;
        };
        if (!std::ranges::any_of(one.sources, other)) compiled_->rows->store(place, row);
        return row;
    }

    void look_up_words(std::span<const CompiledPlan::WordLookUp> all, Rows& found) {
        Rows rows = found;
        for (const CompiledPlan::WordLookUp& word : all) {
            const std::uint32_t type = records_[word.node][features::NumberedWords::type];
            const std::uint32_t row = word_row(type, word, word.place, word.template_index);
            rows.put(row);
            if (row != Remembered::no_row) continue;
            for (std::uint16_t k = 0; k < word.more; ++k)
                rows.put(word_row(type, word, static_cast<std::size_t>(word.more_places) + k,
                                  static_cast<std::size_t>(word.template_index) + 1 + k));
        }
        found = rows;
    }
    std::uint32_t word_row(std::uint32_t type, const CompiledPlan::WordLookUp& word, std::size_t place,
                           std::size_t template_index) {
        if (type < known_types_) [[likely]] {
            place += type * compiled_->word_places;
            std::uint32_t found = (*compiled_->word_rows)[place];
            if (found == Remembered::open) [[unlikely]]
                compiled_->word_rows->store(place, found = find_of_form(word.node, template_index));
            return found;
        }
        std::uint32_t& found = new_word_rows_[(type - known_types_) * compiled_->word_places + place];
        if (found == Remembered::open) found = find_of_form(word.node, template_index);
        return found;
    }

    // The row of a template about the form of the node at an address: as find(), without the other words.
    [[nodiscard]] std::uint32_t find_of_form(std::uint16_t address, std::size_t template_index) const {
        const Node node = nodes_[address];
        Atom value = node == none ? features::nothing : features::root_atom;
        if (node > root) {
            const std::size_t begin = columns_.sentences[numbers_.sentence()];
            value = words_[begin + static_cast<std::size_t>(node) - 1][compiled_->attributes[template_index]];
        }
        if (value == features::unknown) return Remembered::no_row;
        const std::uint64_t key = learn::finish(mix(plan_.seed(template_index), value));
        const std::uint32_t row = table_.row_number(template_index, key);
        return row == T::absent_row ? Remembered::no_row : row + Remembered::first;
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
    const T& table_;
    const features::Plan& plan_;
    std::shared_ptr<const CompiledPlan> compiled_;
    const features::NumberedWords& numbers_;
    const features::WordRows& words_;
    const corpus::Columns& columns_;
    features::SentenceAtoms& atoms_;
    StateContext interpreter_;
    const State* state_;
    Arc arc_{};
    std::uint32_t known_types_;
    std::size_t entered_ = std::numeric_limits<std::size_t>::max();
    std::size_t fetched_ = entered_;             // the sentence whose words were fetched
    std::vector<Node> nodes_;                    // by address
    std::vector<const std::uint32_t*> records_;  // of them, and of the state
    std::vector<std::uint32_t> state_numbers_;
    std::vector<std::uint32_t> new_word_rows_;  // of types outside the lexicon
    std::vector<const std::int8_t*> rows_;
    std::vector<Range> ranges_;
};

}  // namespace laconic::transition
