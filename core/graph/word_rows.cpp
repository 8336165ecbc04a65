#include "graph/word_rows.hpp"

#include <algorithm>

namespace laconic::graph {

namespace {

constexpr std::size_t first_values = 64;  // places for values of a pattern

std::size_t at(Node node) noexcept {
    return static_cast<std::size_t>(node);
}

}  // namespace

WordRowLists::WordRowLists(const std::array<Source, roles>& sources, const features::AtomColumns& columns,
                           const features::SentenceAtoms& words, const corpus::FormTypes& types)
    : words_(words), types_(types.size()), tables_{&sources[as_head].table, &sources[as_modifier].table} {
    for (const Role role : {as_head, as_modifier}) {
        const Source& source = sources[role];
        most_ = std::max(most_, source.plan.size());
        for (std::size_t t = 0; t < source.plan.size(); t += source.table.merged(t)) add_run(role, source, columns, t);
        // Rows of forms first.
        std::ranges::stable_partition(runs_[role], [&](const Run& run) { return patterns_[run.pattern].of_form; });
    }
    for (const Role role : {as_head, as_modifier})
        for (std::size_t i = 0; i < runs_[role].size(); ++i) {
            Pattern& pattern = patterns_[runs_[role][i].pattern];
            runs_[role][i].number = pattern.runs.size();
            const Node shift = runs_[role][i].shift;
            pattern.lowest = pattern.runs.empty() ? shift : std::min(pattern.lowest, shift);
            pattern.highest = pattern.runs.empty() ? shift : std::max(pattern.highest, shift);
            pattern.runs.emplace_back(role, i);
        }
    for (Pattern& pattern : patterns_) {
        if (pattern.of_form) {
            pattern.known.resize(types_ + 2);
            pattern.found.resize((types_ + 2) * pattern.runs.size());
        } else {
            pattern.values.resize(first_values);
        }
    }
}

void WordRowLists::add_run(Role role, const Source& source, const features::AtomColumns& columns, std::size_t first) {
    const std::size_t last = first + source.table.merged(first);
    Run run{role, first, 0, false, 0, 0, {}};
    Pattern pattern{{}, true};
    run.shift = source.reader[source.plan[first][0]].index;
    for (std::size_t t = first; t < last; ++t)
        for (const std::uint16_t slot : source.plan[t])
            run.shift = std::min(run.shift, Node{source.reader[slot].index});
    for (std::size_t t = first; t < last; ++t) {
        Template& own = run.templates.emplace_back(source.plan.seed(t));
        for (const std::uint16_t slot : source.plan[t]) {
            const WordReader::Source& read = source.reader[slot];
            const Place place{static_cast<std::int16_t>(read.index - run.shift), read.column};
            const auto found = std::ranges::find(pattern.places, place);
            own.places.push_back(static_cast<std::size_t>(found - pattern.places.begin()));
            if (found == pattern.places.end()) pattern.places.push_back(place);
            run.sees_word = run.sees_word || read.index == 0;
            reach_ = std::max({reach_, Node{read.index}, -Node{read.index}});
            pattern.of_form =
                pattern.of_form && place.index == 0 && columns.list()[read.column].kind == features::AtomColumn::word;
        }
    }
    const auto same = std::ranges::find(patterns_, pattern.places, &Pattern::places);
    run.pattern = static_cast<std::size_t>(same - patterns_.begin());
    if (same == patterns_.end()) patterns_.push_back(std::move(pattern));
    runs_[role].push_back(std::move(run));
}

bool WordRowLists::key_of(const Pattern& pattern, const Run& run, std::size_t index, const Atom* const* atoms,
                          std::uint64_t& key) {
    key = run.templates[index].seed;
    for (const std::size_t p : run.templates[index].places) {
        const Place& place = pattern.places[p];
        const Atom atom = atoms[place.index][place.column];
        if (atom == features::unknown) return false;
        key = mix(key, atom);
    }
    key = learn::finish(key);
    return true;
}

void WordRowLists::look_up(Pattern& pattern, std::uint32_t begin, const Atom* const* atoms) {
    // The first templates of all runs are on their way before any is looked at.
    keys_.assign(pattern.runs.size(), 0);
    for (std::size_t i = 0; i < pattern.runs.size(); ++i) {
        const Run& run = runs_[pattern.runs[i].first][pattern.runs[i].second];
        if (key_of(pattern, run, 0, atoms, keys_[i])) tables_[run.role]->index().prefetch_slot(run.first, keys_[i]);
    }
    for (std::size_t i = 0; i < pattern.runs.size(); ++i) {
        const Run& run = runs_[pattern.runs[i].first][pattern.runs[i].second];
        const learn::HiddenTable& table = *tables_[run.role];
        std::uint32_t number = 0;
        const auto find = [&](std::size_t k) {
            std::uint64_t key = 0;
            number = key_of(pattern, run, k, atoms, key) ? table.row_number(run.first + k, key)
                                                         : learn::HiddenTable::absent_row;
            return number != learn::HiddenTable::absent_row;
        };
        Found& found = pattern.found[begin + i];
        if (find(0)) {
            found = number + 1;
            continue;
        }
        // The templates that the row would have stood for, one by one.
        const std::size_t place = more_.size();
        more_.push_back(0);
        for (std::size_t k = 1; k < run.templates.size(); ++k)
            if (find(k)) more_.push_back(number);
        const auto count = static_cast<std::uint32_t>(more_.size() - place - 1);
        more_[place] = count;
        found = count == 0 ? none : several + static_cast<std::uint32_t>(place);
        if (count == 0) more_.pop_back();
    }
}

std::uint32_t WordRowLists::form(Pattern& pattern, std::size_t type, const Atom* const* atoms) {
    const auto begin = static_cast<std::uint32_t>(type * pattern.runs.size());
    if (pattern.known[type] == 0) look_up(pattern, begin, atoms);
    pattern.known[type] = 1;
    return begin;
}

void WordRowLists::grow(Pattern& pattern) {
    std::vector<std::pair<std::uint64_t, std::uint32_t>> larger(2 * pattern.values.size());
    for (const auto& entry : pattern.values) {
        if (entry.second == 0) continue;
        std::size_t i = entry.first & (larger.size() - 1);
        while (larger[i].second != 0) i = (i + 1) & (larger.size() - 1);
        larger[i] = entry;
    }
    pattern.values = std::move(larger);
}

std::uint32_t WordRowLists::value(Pattern& pattern, const Atom* const* atoms) {
    std::uint64_t key = 0;
    for (const Place& place : pattern.places) key = mix(key, atoms[place.index][place.column]);
    key = learn::finish(key);
    const std::size_t mask = pattern.values.size() - 1;
    std::size_t i = key & mask;
    for (; pattern.values[i].second != 0; i = (i + 1) & mask)
        if (pattern.values[i].first == key) return pattern.values[i].second - 1;
    const auto begin = static_cast<std::uint32_t>(pattern.size * pattern.runs.size());
    pattern.values[i] = {key, begin + 1};
    pattern.found.resize(begin + pattern.runs.size());
    look_up(pattern, begin, atoms);
    if (2 * ++pattern.size > mask) grow(pattern);
    return begin;
}

void WordRowLists::enter(std::span<const std::uint32_t> types) {
    const auto size = static_cast<Node>(words_.size());
    // A word sees no root before the first.
    near_.assign(at(size + 1 + 2 * reach_), words_[corpus::none]);
    for (Node node = 1; node <= size; ++node) near_[at(node + reach_)] = words_[node];
    for (Pattern& pattern : patterns_) {
        pattern.at.resize(near_.size());
        for (Node node = pattern.lowest; node <= size + pattern.highest; ++node) {
            const std::size_t place = at(node + reach_);
            const bool there = node > corpus::root && node <= size;
            pattern.at[place] = pattern.of_form
                                    ? form(pattern, there ? types[at(node) - 1] : types_, near_.data() + place)
                                    : value(pattern, near_.data() + place);
        }
    }
    of_root_.assign(near_.begin(), near_.begin() + 2 * reach_ + 1);
    of_root_[at(reach_)] = words_[corpus::root];
    const std::size_t room = (at(size) + 1) * roles * most_;
    if (list_.size() < room) list_.resize(room);
    const std::int8_t** next = list_.data();
    begins_.assign(1, 0);
    for (Node node = 0; node <= size; ++node)
        for (const Role role : {as_head, as_modifier}) {
            if (node != corpus::root || role == as_head) next = list(role, node, next);
            begins_.push_back(static_cast<std::size_t>(next - list_.data()));
        }
}

const std::int8_t** WordRowLists::list(Role role, Node node, const std::int8_t** next) {
    const learn::HiddenTable& table = *tables_[role];
    const auto take = [&](std::uint32_t number) {
        *next = table.row_at(number);
        prefetch(*next++);
    };
    for (const Run& run : runs_[role]) {
        Pattern& pattern = patterns_[run.pattern];
        const std::size_t place = at(node + run.shift + reach_);
        std::uint32_t begin = pattern.at[place];
        if (node == corpus::root && run.sees_word)
            begin = pattern.of_form ? form(pattern, types_ + 1, of_root_.data() + place)
                                    : value(pattern, of_root_.data() + place);
        const Found found = pattern.found[begin + run.number];
        if (found == none) continue;
        if (found < several) {
            take(found - 1);
        } else {
            const std::uint32_t* more = more_.data() + (found - several);
            for (std::uint32_t i = 1; i <= more[0]; ++i) take(more[i]);
        }
    }
    return next;
}

}  // namespace laconic::graph
