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
            runs_[role][i].number_in_role = i;
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
    at_root_.resize(runs_[as_head].size());
}

void WordRowLists::add_run(Role role, const Source& source, const features::AtomColumns& columns, std::size_t first) {
    const std::size_t last = first + source.table.merged(first);
    Run run{role, first, 0, false, 0, 0, 0, {}};
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

void WordRowLists::announce(Pattern& pattern, std::uint32_t begin, const Atom* const* atoms) {
    pending_.push_back({&pattern, begin, atoms});
    for (const auto& [role, number] : pattern.runs) {
        const Run& run = runs_[role][number];
        Key& first = keys_.emplace_back();
        first.known = key_of(pattern, run, 0, atoms, first.key);
        if (first.known) tables_[role]->index().prefetch_slot(run.first, first.key);
    }
}

void WordRowLists::look_up() {
    const Key* first = keys_.data();
    for (const Pending& one : pending_) {
        const Pattern& pattern = *one.pattern;
        Found* found = one.pattern->found.data() + one.begin;
        for (const auto& [role, number] : pattern.runs)
            *found++ = look_up(pattern, runs_[role][number], one.atoms, *first++);
    }
    pending_.clear();
    keys_.clear();
}

WordRowLists::Found WordRowLists::look_up(const Pattern& pattern, const Run& run, const Atom* const* atoms,
                                          const Key& first) {
    constexpr std::uint32_t absent = learn::HiddenTable::absent_row;
    const learn::HiddenTable& table = *tables_[run.role];
    if (first.known)
        if (const std::uint32_t row = table.row_number(run.first, first.key); row != absent) return row + 1;
    // The templates that the row would have stood for, one by one.
    const std::size_t place = more_.size();
    more_.push_back(0);
    for (std::size_t k = 1; k < run.templates.size(); ++k) {
        std::uint64_t key = 0;
        if (!key_of(pattern, run, k, atoms, key)) continue;
        if (const std::uint32_t row = table.row_number(run.first + k, key); row != absent) more_.push_back(row);
    }
    const auto count = static_cast<std::uint32_t>(more_.size() - place - 1);
    more_[place] = count;
    if (count > 0) return several + static_cast<std::uint32_t>(place);
    more_.pop_back();
    return none;
}

std::uint32_t WordRowLists::form(Pattern& pattern, std::size_t type, const Atom* const* atoms) {
    const auto begin = static_cast<std::uint32_t>(type * pattern.runs.size());
    if (pattern.known[type] == 0) announce(pattern, begin, atoms);
    pattern.known[type] = 1;
    return begin;
}

std::uint64_t WordRowLists::key_of(const Pattern& pattern, const Atom* const* atoms) {
    std::uint64_t key = 0;
    for (const Place& place : pattern.places) key = mix(key, atoms[place.index][place.column]);
    return learn::finish(key);
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

std::uint32_t WordRowLists::value(Pattern& pattern, std::uint64_t key, const Atom* const* atoms) {
    const std::size_t mask = pattern.values.size() - 1;
    std::size_t i = key & mask;
    for (; pattern.values[i].second != 0; i = (i + 1) & mask)
        if (pattern.values[i].first == key) return pattern.values[i].second - 1;
    const auto begin = static_cast<std::uint32_t>(pattern.size * pattern.runs.size());
    pattern.values[i] = {key, begin + 1};
    pattern.found.resize(begin + pattern.runs.size());
    announce(pattern, begin, atoms);
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
        if (pattern.of_form) {
            for (Node node = pattern.lowest; node <= size + pattern.highest; ++node) {
                const std::size_t place = at(node + reach_);
                const bool there = node > corpus::root && node <= size;
                pattern.at[place] = form(pattern, there ? types[at(node) - 1] : types_, near_.data() + place);
            }
            continue;
        }
        const std::size_t first = at(pattern.lowest + reach_), last = at(size + pattern.highest + reach_);
        here_.resize(near_.size());
        for (std::size_t place = first; place <= last; ++place) {
            here_[place] = key_of(pattern, near_.data() + place);
            prefetch(&pattern.values[here_[place] & (pattern.values.size() - 1)]);
        }
        for (std::size_t place = first; place <= last; ++place)
            pattern.at[place] = value(pattern, here_[place], near_.data() + place);
    }
    of_root_.assign(near_.begin(), near_.begin() + 2 * reach_ + 1);
    of_root_[at(reach_)] = words_[corpus::root];
    for (const Run& run : runs_[as_head]) {
        if (!run.sees_word) continue;
        Pattern& pattern = patterns_[run.pattern];
        const Atom* const* atoms = of_root_.data() + run.shift + reach_;
        at_root_[run.number_in_role] =
            pattern.of_form ? form(pattern, types_ + 1, atoms) : value(pattern, key_of(pattern, atoms), atoms);
    }
    look_up();
    for (const Pattern& pattern : patterns_)
        for (Node node = pattern.lowest; node <= size + pattern.highest; ++node)
            prefetch(&pattern.found[pattern.at[at(node + reach_)]]);
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

const std::int8_t** WordRowLists::list(Role role, Node node, const std::int8_t** next) const noexcept {
    const learn::HiddenTable& table = *tables_[role];
    const auto take = [&](std::uint32_t number) {
        *next = table.row_at(number);
        prefetch(*next++);
    };
    for (const Run& run : runs_[role]) {
        const Pattern& pattern = patterns_[run.pattern];
        const std::uint32_t begin = node == corpus::root && run.sees_word ? at_root_[run.number_in_role]
                                                                          : pattern.at[at(node + run.shift + reach_)];
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
