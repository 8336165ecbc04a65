#pragma once
// A context that finds the rows of templates itself, by a compiled plan.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
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
          record_(compiled_->record),
          nodes_(reader.addresses().size()),
          values_(compiled_->numbers + 1),
          ranges_(plan.size()),
          new_word_rows_(numbers.unknown_types() * compiled_->word_places),
          rows_(compiled_->most_rows() + 1),
          sums_(compiled_->groups.begins.size()) {}

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
    // decision follow each other, from one exit to another.
    [[nodiscard]] learn::FoundRows rows(std::size_t first, std::size_t last) {
        const Range& range = range_of(first, last);
        find_nodes(range);
        Sums sums(*compiled_->sums, sums_.data());
        look_up_sums(range.joined.few, sums);
        if (!range.joined.many.empty()) look_up_sums(range.joined.many, sums);
        Rows rows(table_, rows_.data());
        look_up(range.single.few, rows);
        if (!range.single.many.empty()) look_up(range.single.many, rows);
        look_up_words(range.words, rows);
        if (!loose_.empty()) [[unlikely]]
            rows.put(std::exchange(loose_, {}));
        return {{rows_.data(), rows.count}, {sums_.data(), sums.count}, rows.count + sums.rows};
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
        std::size_t last = 0;
        std::span<const CompiledPlan::Place> stack, queue;
        std::span<const CompiledPlan::FoundNode> steps;
        std::span<const CompiledPlan::Dep> deps;
        std::span<const CompiledPlan::StateNumber> state;
        struct LookUps {
            std::span<const CompiledPlan::LookUp<3>> few;
            std::span<const CompiledPlan::LookUp<4>> many;
        };
        LookUps single, joined;
        std::span<const CompiledPlan::WordLookUp> words;
    };
    // Decisions ask for the same few ranges again and again.
    const Range& range_of(std::size_t first, std::size_t last) {
        Range& range = ranges_[first];
        if (range.last != last) {
            const CompiledPlan& all = *compiled_;
            range = {last,
                     all.stack.of(first, last),
                     all.queue.of(first, last),
                     all.steps.of(first, last),
                     all.deps.of(first, last),
                     all.state.of(first, last),
                     {all.single.few.of(first, last), all.single.many.of(first, last)},
                     {all.joined.few.of(first, last), all.joined.many.of(first, last)},
                     all.words.of(first, last)};
        }
        return range;
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
        void put(std::span<const std::int8_t* const> found) noexcept {
            for (const std::int8_t* row : found) to[count++] = row;
        }

        std::size_t size;
        std::uintptr_t begin;  // of the row with the number 0 among places
        const std::int8_t** to;
        std::size_t count = 0;
    };
    // The same for sums.
    struct Sums {
        Sums(const learn::RememberedSums& all, const std::int16_t** to) noexcept
            : lanes(all.lanes()), begin(all.sums()), counts(all.counts()), to(to) {}

        void put(std::uint32_t found) noexcept {
            const std::int16_t* sum = begin + found * lanes;
            prefetch(sum);
            prefetch(sum + cache_line / sizeof *sum);
            to[count] = sum;
            count += found >= Remembered::first ? 1 : 0;
            rows += counts[found];
        }

        std::size_t lanes;
        const std::int16_t* begin;
        const std::uint8_t* counts;
        const std::int16_t** to;
        std::size_t count = 0, rows = 0;  // sums, and rows that they stand for
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
        std::uint32_t* const values = values_.data();
        for (const auto [address, to] : range.deps) {
            const Relation relation = state.relation(nodes_[address]);
            // No relation is the largest number of 16 bits, and its number is 0.
            values[to] = static_cast<Relation>(relation + 1U);
        }
        for (const auto& [source, to] : range.state)
            values[to] = state_number(state, source, nodes_[source.address], node_at);
    }
    // As resolve(), the most frequent steps first.
    [[nodiscard]] Node step_to(Reader::Address address) const noexcept {
        if (address.kind == Reader::Address::step) {
            const auto step = static_cast<features::Step>(address.step_code);
            const Node from = nodes_[address.from];
            if (step == features::Step::lc) return state_->leftmost(from);
            if (step == features::Step::rc) return state_->rightmost(from);
        }
        return resolve(*state_, arc_, address, [this](std::uint16_t other) { return nodes_[other]; });
    }
    void set_node(std::uint16_t number, Node node) noexcept {
        nodes_[number] = node;
        const std::uint32_t* from = numbers_[node];
        std::uint32_t* to = values_.data() + number * record_;
        std::memcpy(to, from, 4 * sizeof *from);
        for (std::size_t i = 4; i < record_; i += 4) std::memcpy(to + i, from + i, 4 * sizeof *from);
    }

    template <std::size_t Sources>
    [[nodiscard]] static std::uint32_t place_of(const CompiledPlan::LookUp<Sources>& one,
                                                const std::uint32_t* values) noexcept {
        std::uint32_t place = one.begin + values[one.sources[Sources - 1]];
        for (std::size_t i = 0; i + 1 < Sources; ++i) place += values[one.sources[i]] * one.strides[i];
        return place;
    }
    template <std::size_t Sources>
    void look_up(std::span<const CompiledPlan::LookUp<Sources>> all, Rows& found) {
        const std::uint32_t* const values = values_.data();
        const Remembered::View remembered = compiled_->rows->view();
        Rows rows = found;  // in registers
        for (const CompiledPlan::LookUp<Sources>& one : all) {
            const std::uint32_t place = place_of(one, values);
            std::uint32_t row = remembered[place];
            if (row == Remembered::open) [[unlikely]]
                row = remember(one.sources, place, one.number);
            rows.put(row);
        }
        found = rows;
    }
    // Looks up a place that was not asked for before.
    std::uint32_t remember(std::span<const CompiledPlan::Source> sources, std::size_t place,
                           std::size_t template_index) {
        const std::uint32_t row = find(template_index);
        if (can_be_told(sources)) compiled_->rows->store(place, row);
        return row;
    }
    // What is true of one value without a number is not of all.
    [[nodiscard]] bool can_be_told(std::span<const CompiledPlan::Source> sources) const noexcept {
        return std::ranges::none_of(sources, [&](CompiledPlan::Source source) {
            return source < compiled_->state_begin && values_[source] == features::number_of_others;
        });
    }

    template <std::size_t Sources>
    void look_up_sums(std::span<const CompiledPlan::LookUp<Sources>> all, Sums& found) {
        const std::uint32_t* const values = values_.data();
        const Remembered::View remembered = compiled_->sum_rows->view();
        Sums sums = found;
        for (const CompiledPlan::LookUp<Sources>& one : all) {
            const std::uint32_t place = place_of(one, values);
            std::uint32_t sum = remembered[place];
            if (sum == Remembered::open) [[unlikely]]
                sum = remember_sum(one.sources, place, one.number);
            sums.put(sum);
        }
        found = sums;
    }
    // The sum of a place that was not asked for before. Where there is no room for it, its rows are left in `loose_`.
    std::uint32_t remember_sum(std::span<const CompiledPlan::Source> sources, std::size_t place, std::size_t group) {
        const std::size_t before = loose_.size();
        for (const std::uint16_t template_index : compiled_->groups.of(group, group + 1)) {
            const CompiledPlan::Places& own = compiled_->places[template_index];
            std::size_t at = own.begin;
            for (std::size_t i = 0; i < own.sources.size(); ++i)
                at += std::size_t{values_[own.sources[i]]} * own.strides[i];
            std::uint32_t row = (*compiled_->rows)[at];
            if (row == Remembered::open)
                row = remember(std::span(own.sources).first(plan_[template_index].size()), at, template_index);
            if (row != Remembered::no_row) loose_.push_back(table_.row_at(row - Remembered::first));
        }
        if (!can_be_told(sources)) return Remembered::no_row;
        std::uint32_t sum = Remembered::no_row;
        if (loose_.size() > before) {
            sum = compiled_->sums->add(std::span(loose_).subspan(before));
            if (sum == learn::RememberedSums::none) return sum;
        }
        loose_.resize(before);
        compiled_->sum_rows->store(place, sum);
        return sum;
    }

    void look_up_words(std::span<const CompiledPlan::WordLookUp> all, Rows& found) {
        Rows rows = found;
        for (const CompiledPlan::WordLookUp& word : all) {
            const std::uint32_t type = values_[word.node * record_ + features::NumberedWords::type];
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
    std::size_t fetched_ = entered_;            // the sentence whose words were fetched
    std::size_t record_;                        // numbers of an address
    std::vector<Node> nodes_;                   // by address
    std::vector<std::uint32_t> values_;         // their records, and what the state says
    std::vector<Range> ranges_;                 // by their first template
    std::vector<std::uint32_t> new_word_rows_;  // of types outside the lexicon
    std::vector<const std::int8_t*> rows_;
    std::vector<const std::int16_t*> sums_;
    std::vector<const std::int8_t*> loose_;  // rows of groups that have no sum
};

}  // namespace laconic::transition
