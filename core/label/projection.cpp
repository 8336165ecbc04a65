#include "label/projection.hpp"

#include <algorithm>

#include "base/hash.hpp"
#include "features/tree_steps.hpp"
#include "learn/kernels.hpp"

namespace laconic::label {

FoldedRows::FoldedRows(const features::Plan& plan, const learn::FactorTable& table, const EdgeReader& reader,
                       const TemplateGroups& groups, const WordTypes& types)
    : plan_(plan), table_(table), reader_(reader), groups_(groups) {
    for (std::size_t role = 0; role < table.roles(); ++role) {
        begins_.push_back(width_);
        width_ += table.lanes(role);
    }
    sums_ = AlignedBytes(types.size() * groups_count() * width_ * sizeof(std::int16_t));
    small_rows_.resize(types.size() * groups.small_templates());
    auto* sums = reinterpret_cast<std::int16_t*>(sums_.data());
    learn::FactorRows found;
    for (std::uint32_t type = 0; type < types.size(); ++type) {
        for (std::size_t group = 0; group < groups_count(); ++group) {
            find(group, types.atoms(type), found);
            const std::span<const std::uint32_t> rows = found.look_up(table);
            for (std::size_t role = 0; role < table.roles(); ++role) table.add(role, rows, sums + begins_[role]);
            sums += width_;
        }
        find_small(types.atoms(type), small_rows_.data() + type * groups.small_templates());
    }
}

bool FoldedRows::key_of(std::size_t j, const Atom* atoms, bool leaf, std::uint64_t& key) const noexcept {
    key = plan_.seed(j);
    bool known = true;
    for (const std::uint16_t slot : plan_[j]) {
        const EdgeReader::Source& source = reader_.sources()[slot];
        Atom value = atoms[source.kind == EdgeReader::word ? source.column : 0];
        if (leaf && reader_.addresses()[source.address].steps > 0)
            value = features::nothing;
        else if (source.kind != EdgeReader::word)
            value = features::valency_atom(0);
        known = known && value != features::unknown;
        key = mix(key, value);
    }
    key = learn::finish(key);
    return known;
}

void FoldedRows::find(std::size_t group, const Atom* atoms, learn::FactorRows& found) const {
    found.clear();
    const bool leaf = group == leaf_group();
    std::uint64_t key = 0;
    for (const std::uint16_t j : groups_.folded()[leaf ? 0 : group].templates)
        if (key_of(j, atoms, false, key)) found.add(table_, j, key);
    if (!leaf) return;
    for (const std::uint16_t j : groups_.of_children())  // a set of children is empty
        if (!plan_.many(j) && key_of(j, atoms, true, key)) found.add(table_, j, key);
}

void FoldedRows::find_small(const Atom* atoms, std::uint32_t* rows) const {
    for (const TemplateGroups::Group& group : groups_.small())
        for (const std::uint16_t j : group.templates) {
            std::uint64_t key = 0;
            *rows++ = key_of(j, atoms, false, key) ? table_.index().find(j, key) : learn::RowIndex::absent;
        }
}

Projections::Projections(const features::Plan& plan, const learn::FactorTable& table, const EdgeReader& reader,
                         const FoldedRows& folded, const WordTypes& types, const SentenceTypes& words,
                         const corpus::Tree& tree)
    : plan_(plan),
      table_(table),
      folded_(folded),
      groups_(folded.groups()),
      types_(types),
      words_(words),
      tree_(tree),
      context_(reader, words, tree),
      sums_(folded.width()) {}

void Projections::enter() {
    const std::size_t nodes = words_.words() + 1;
    needs_.assign(nodes, {});
    waiting_.clear();
    group_types_.clear();
    small_rows_.clear();
    other_rows_.clear();
    if (vectors_.size() < 2 * nodes * folded_.width()) vectors_.resize(2 * nodes * folded_.width());
    // Sums are made when they are first asked for, which is never while others are being added: nothing moves then.
    const std::size_t types = words_.size() - types_.size(), known = new_roles_.size() / folded_.groups_count();
    if (types == known) return;
    new_roles_.resize(types * folded_.groups_count());
    new_sums_.resize(new_roles_.size() * folded_.width());
    new_small_rows_.resize(types * groups_.small_templates());
    for (std::size_t i = known; i < types; ++i)
        folded_.find_small(words_.atoms(static_cast<std::uint32_t>(types_.size() + i)),
                           new_small_rows_.data() + i * groups_.small_templates());
}

const std::int16_t* Projections::sums_of(std::size_t group, std::uint32_t type, std::size_t role) {
    if (type < types_.size()) return folded_.sums(group, type, role);
    const std::size_t at = (type - types_.size()) * folded_.groups_count() + group;
    std::int16_t* sums = new_sums_.data() + at * folded_.width() + folded_.begin_of(role);
    std::uint8_t& roles = new_roles_[at];
    if ((roles >> role & 1) != 0) return sums;
    roles = static_cast<std::uint8_t>(roles | 1U << role);
    folded_.find(group, words_.atoms(type), found_);
    const std::span<const std::uint32_t> found = found_.look_up(table_);
    table_.add(role, found, sums);
    rows += found.size() * ((table_.lanes(role) + 63) / 64);
    return sums;
}

const float* Projections::first_part(std::size_t role, Node node) {
    float* vector = vectors_.data() + 2 * static_cast<std::size_t>(node) * folded_.width() + folded_.begin_of(role);
    Need& need = needs_[static_cast<std::size_t>(node)];
    if ((need.parts >> role & 1) != 0) return vector;
    if (need.parts == 0) templates += groups_.first_part();
    need.parts = static_cast<std::uint8_t>(need.parts | 1U << role);
    table_.finish(role, sums_of(0, words_[node], role), vector);
    rows += (2 * table_.lanes(role) + 63) / 64;
    return vector;
}

// The rows of templates about one word beside the word in focus, which its type has kept.
void Projections::read_small_rows(Need& need) {
    need.small.begin = static_cast<std::uint32_t>(small_rows_.size());
    std::size_t first = 0;
    for (const TemplateGroups::Group& group : groups_.small()) {
        const auto add = [&](std::uint32_t type) {
            const std::uint32_t* rows =
                type < types_.size() ? folded_.small_rows(type).data()
                                     : new_small_rows_.data() + (type - types_.size()) * groups_.small_templates();
            for (std::size_t i = first; i < first + group.templates.size(); ++i)
                if (rows[i] != learn::RowIndex::absent) small_rows_.push_back(rows[i]);
        };
        if (group.children)
            for (const Node child : context_.children_of(group.address)) add(words_[child]);
        else
            add(context_.type_of(group.address));
        first += group.templates.size();
    }
    need.small.end = static_cast<std::uint32_t>(small_rows_.size());
}

// The keys of some templates about the word in focus, whose slots are asked for.
void Projections::read_keys(std::span<const std::uint16_t> templates) {
    for (const std::uint16_t j : templates) {
        const auto add = [&](std::uint64_t key) {
            table_.index().prefetch_slot(j, key);
            keys_.push_back({key, j});
        };
        if (const features::Plan::Brief& brief = plan_.brief(j); brief.size > 0) {
            if (const learn::BriefKey one = learn::brief_key(brief, context_); one.known) add(one.key);
        } else {
            learn::visit_keys(plan_, j, context_, add);
        }
    }
}

void Projections::compute() {
    const auto each_role = [&](std::uint8_t wanted, auto&& use) {
        for (std::size_t role = 0; role < table_.roles(); ++role)
            if ((wanted >> role & 1) != 0) use(role);
    };
    // First what has to be read: keys, types of words and rows that they have kept.
    keys_.clear();
    for (const Node node : waiting_) {
        Need& need = needs_[static_cast<std::size_t>(node)];
        if (need.read) continue;
        context_.focus(node);
        const bool leaf = tree_.valency(node) == 0;
        need.others.begin = static_cast<std::uint32_t>(keys_.size());
        read_keys(groups_.others());
        if (!leaf) read_keys(groups_.of_children());
        need.others.end = static_cast<std::uint32_t>(keys_.size());
        need.types.begin = static_cast<std::uint32_t>(group_types_.size());
        group_types_.push_back({leaf ? static_cast<std::uint32_t>(folded_.leaf_group()) : 0, words_[node]});
        for (std::uint32_t group = 1; group < groups_.folded().size(); ++group) {
            const TemplateGroups::Group& one = groups_.folded()[group];
            if (one.children)
                for (const Node child : context_.children_of(one.address))
                    group_types_.push_back({group, words_[child]});
            else
                group_types_.push_back({group, context_.type_of(one.address)});
        }
        need.types.end = static_cast<std::uint32_t>(group_types_.size());
        read_small_rows(need);
    }
    // Then rows are looked up, and all that is to be added is asked for.
    for (const Node node : waiting_) {
        Need& need = needs_[static_cast<std::size_t>(node)];
        if (!need.read) {
            const Run keys = need.others;
            need.others.begin = static_cast<std::uint32_t>(other_rows_.size());
            for (std::uint32_t i = keys.begin; i < keys.end; ++i) {
                const std::uint32_t row = table_.index().find(keys_[i].template_index, keys_[i].key);
                if (row != learn::RowIndex::absent) other_rows_.push_back(row);
            }
            need.others.end = static_cast<std::uint32_t>(other_rows_.size());
            templates += plan_.size() - (need.parts != 0 ? groups_.first_part() : 0);
        }
        need.read = true;
        each_role(need.wanted, [&](std::size_t role) {
            for (std::uint32_t i = need.types.begin; i < need.types.end; ++i)
                if (group_types_[i].type < types_.size())
                    prefetch(folded_.sums(group_types_[i].group, group_types_[i].type, role));
            for (std::uint32_t i = need.small.begin; i < need.small.end; ++i)
                prefetch(table_.row(role, small_rows_[i]));
            for (std::uint32_t i = need.others.begin; i < need.others.end; ++i)
                prefetch(table_.row(role, other_rows_[i]));
        });
    }
    for (const Node node : waiting_) {
        Need& need = needs_[static_cast<std::size_t>(node)];
        // The first two roles lie side by side everywhere: both are summed as one.
        const bool both = (need.wanted & 3U) == 3U;
        if (both) sum(need, node, 0, 2);
        each_role(need.wanted, [&](std::size_t role) {
            if (!both || role > 1) sum(need, node, role, role + 1);
        });
        need.made = static_cast<std::uint8_t>(need.made | need.wanted);
        need.wanted = 0;
    }
    waiting_.clear();
}

void Projections::sum(const Need& need, Node node, std::size_t first, std::size_t last) {
    std::size_t lanes = 0;
    sum_pointers_.clear();
    for (std::size_t role = first; role < last; ++role) {
        lanes += table_.lanes(role);
        for (std::uint32_t i = need.types.begin; i < need.types.end; ++i) {
            const std::int16_t* sums = sums_of(group_types_[i].group, group_types_[i].type, role);
            if (role == first) sum_pointers_.push_back(sums);
        }
    }
    pointers_.clear();
    for (std::uint32_t i = need.small.begin; i < need.small.end; ++i)
        pointers_.push_back(table_.row(first, small_rows_[i]));
    for (std::uint32_t i = need.others.begin; i < need.others.end; ++i)
        pointers_.push_back(table_.row(first, other_rows_[i]));
    const std::span<const std::int16_t* const> sums(sum_pointers_);  // the first group is always there
    learn::add_rows()(pointers_.data(), pointers_.size(), lanes, sums[0], sums_.data());
    if (sums.size() > 1) learn::add_sums()(sums.data() + 1, sums.size() - 1, lanes, sums_.data());
    rows += pointers_.size() * ((lanes + 63) / 64) + sums.size() * ((2 * lanes + 63) / 64);
    float* vector = vectors_.data() + (2 * static_cast<std::size_t>(node) + 1) * folded_.width();
    for (std::size_t role = first; role < last; ++role)
        table_.finish(role, sums_.data() + folded_.begin_of(role) - folded_.begin_of(first),
                      vector + folded_.begin_of(role));
}

}  // namespace laconic::label
