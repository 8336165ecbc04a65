#include "label/projection.hpp"

#include <algorithm>

#include "base/hash.hpp"
#include "features/tree_steps.hpp"
#include "learn/kernels.hpp"

namespace laconic::label {

namespace {

// Of all tables of rows, so that they stay in the cache of a core.
constexpr std::size_t most_coded_rows = std::size_t{1} << 18;

}  // namespace

FoldedRows::FoldedRows(const features::Plan& plan, const learn::FactorTable& table, const EdgeReader& reader,
                       const TemplateGroups& groups, const WordTypes& types)
    : plan_(plan),
      table_(table),
      reader_(reader),
      groups_(groups),
      of_all_(plan, table, reader, types, groups.small(), groups.others(), most_coded_rows),
      of_parents_(plan, table, reader, types, {}, groups.of_children(), most_coded_rows - of_all_.size()) {
    for (std::size_t role = 0; role < table.roles(); ++role) {
        begins_.push_back(width_);
        width_ += table.lanes(role);
    }
    sums_ = AlignedBytes(types.size() * groups_count() * width_ * sizeof(std::int16_t));
    small_rows_.resize(types.size() * groups.small_templates());
    auto* sums = reinterpret_cast<std::int16_t*>(sums_.data());
    learn::FactorRows found;
    for (std::uint32_t type = 0; type < types.size(); ++type) {
        for (std::size_t group = 0; group < groups_count(); ++group, sums += width_)
            add(group, types.atoms(type), found, sums);
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

std::size_t FoldedRows::add(std::size_t group, const Atom* atoms, learn::FactorRows& found, std::int16_t* sums) const {
    found.clear();
    const bool leaf = group == leaf_group();
    std::uint64_t key = 0;
    for (const std::uint16_t j : groups_.folded()[leaf ? 0 : group].templates)
        if (key_of(j, atoms, false, key)) found.add(table_, j, key);
    if (leaf)
        for (const std::uint16_t j : groups_.of_children())  // a set of children is empty
            if (!plan_.many(j) && key_of(j, atoms, true, key)) found.add(table_, j, key);
    const std::span<const std::uint32_t> rows = found.look_up(table_);
    for (std::size_t role = 0; role < table_.roles(); ++role)
        table_.add(role, role + 1, rows, sums + begins_[role], sums + begins_[role]);
    return rows.size();
}

void FoldedRows::find_small(const Atom* atoms, std::uint32_t* rows) const {
    const auto each = [&](auto&& visit) {
        for (const TemplateGroups::Group& group : groups_.small())
            for (const std::uint16_t j : group.templates) visit(j);
    };
    std::uint64_t key = 0;
    // All slots are asked for before the first one is read.
    each([&](std::uint16_t j) {
        if (key_of(j, atoms, false, key)) table_.index().prefetch_slot(j, key);
    });
    each([&](std::uint16_t j) { *rows++ = key_of(j, atoms, false, key) ? table_.find(j, key) : table_.zero_row(); });
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
      reading_(plan, table, reader, words, tree),
      sums_(folded.width()) {
    for (const TemplateGroups::Group& group : groups_.folded()) {
        const features::Slot& address = reader.addresses()[group.address];
        const bool own = static_cast<features::Node>(address.node) == features::Node::token && address.index == 0 &&
                         address.steps == 1 && static_cast<features::Step>(address.path[0]) == features::Step::children;
        places_.push_back({address, group.children, own});
    }
}

void Projections::enter() {
    const std::size_t nodes = words_.words() + 1;
    needs_.assign(nodes, {});
    waiting_.clear();
    sum_pointers_.clear();
    if (vectors_.size() < nodes * folded_.width()) vectors_.resize(2 * nodes * folded_.width());
    // Sums are made when they are first asked for.
    const std::size_t types = words_.size() - types_.size(), known = new_made_.size() / folded_.groups_count();
    if (types > known) {
        new_made_.resize(types * folded_.groups_count());
        while (new_sums_.size() * types_a_block < types)
            new_sums_.emplace_back(types_a_block * folded_.groups_count() * folded_.width() * sizeof(std::int16_t));
        new_small_rows_.resize(types * groups_.small_templates());
        for (std::size_t i = known; i < types; ++i)
            folded_.find_small(words_.atoms(static_cast<std::uint32_t>(types_.size() + i)),
                               new_small_rows_.data() + i * groups_.small_templates());
    }
    kept_rows_.resize(nodes + 1);
    for (std::size_t i = 0; i < kept_rows_.size(); ++i) {
        kept_rows_[i] = small_rows_of(words_[static_cast<Node>(i) - 1]);
        prefetch(kept_rows_[i]);
    }
    reading_.enter(kept_rows_);
}

const std::int16_t* Projections::new_sums_of(std::size_t group, std::uint32_t type) {
    const std::size_t number = type - types_.size(), at = number * folded_.groups_count() + group;
    std::int16_t* sums = reinterpret_cast<std::int16_t*>(new_sums_[number / types_a_block].data()) +
                         at % (types_a_block * folded_.groups_count()) * folded_.width();
    if (new_made_[at] == 0) {
        new_made_[at] = 1;
        rows += folded_.add(group, words_.atoms(type), found_, sums) * ((folded_.width() + 63) / 64);
    }
    return sums;
}

void Projections::read_sums(Need& need, Node node) {
    const bool leaf = tree_.valency(node) == 0;
    need.sums.begin = static_cast<std::uint32_t>(sum_pointers_.size());
    sum_pointers_.push_back(sums_of(leaf ? folded_.leaf_group() : 0, words_[node]));
    for (std::size_t group = 1; group < places_.size(); ++group) {
        const Place& place = places_[group];
        if (place.own && leaf) continue;
        const Node near = place.own ? node : node_at(tree_, node, place.address);
        if (!place.children)
            sum_pointers_.push_back(sums_of(group, words_[near]));
        else if (near != corpus::none)
            for (const Node child : shown_children(tree_, near)) sum_pointers_.push_back(sums_of(group, words_[child]));
    }
    need.sums.end = static_cast<std::uint32_t>(sum_pointers_.size());
}

void Projections::read() {
    unread_.clear();
    parents_.clear();
    for (const Node node : waiting_) {
        Need& need = needs_[static_cast<std::size_t>(node)];
        if (need.read) continue;
        need.read = true;
        templates += plan_.size();
        unread_.push_back(node);
        if (tree_.valency(node) > 0) parents_.push_back(node);
        read_sums(need, node);
    }
    runs_.resize(unread_.size());
    reading_.read(folded_.of_all(), unread_, runs_);
    for (std::size_t i = 0; i < unread_.size(); ++i) needs_[static_cast<std::size_t>(unread_[i])].rows = runs_[i];
    reading_.read(folded_.of_parents(), parents_, runs_);
    for (std::size_t i = 0; i < parents_.size(); ++i)
        needs_[static_cast<std::size_t>(parents_[i])].more_rows = runs_[i];
    reading_.finish();
}

// Asks for everything that is to be added.
void Projections::fetch(const Need& need) const noexcept {
    for (std::size_t role = 0; role < table_.roles(); ++role) {
        if ((need.wanted >> role & 1) == 0) continue;
        for (std::uint32_t i = need.sums.begin; i < need.sums.end; ++i)
            prefetch(sum_pointers_[i] + folded_.begin_of(role));
        for (const RowReader::Run run : {need.rows, need.more_rows})
            for (const std::uint32_t row : reading_.rows(run)) prefetch(table_.row(role, row));
    }
}

void Projections::compute() {
    read();
    for (const Node node : waiting_) fetch(needs_[static_cast<std::size_t>(node)]);
    for (const Node node : waiting_) {
        Need& need = needs_[static_cast<std::size_t>(node)];
        // The first two roles lie side by side everywhere: both are summed as one.
        const bool both = (need.wanted & 3U) == 3U;
        if (both) sum(need, node, 0, 2);
        for (std::size_t role = both ? 2 : 0; role < table_.roles(); ++role)
            if ((need.wanted >> role & 1) != 0) sum(need, node, role, role + 1);
        need.made = static_cast<std::uint8_t>(need.made | need.wanted);
        need.wanted = 0;
    }
    waiting_.clear();
}

void Projections::sum(const Need& need, Node node, std::size_t first, std::size_t last) {
    const std::size_t begin = folded_.begin_of(first);
    const std::size_t lanes = folded_.begin_of(last - 1) + table_.lanes(last - 1) - begin;
    const std::span<const std::int16_t* const> sums(sum_pointers_.data() + need.sums.begin,
                                                    need.sums.end - need.sums.begin);
    const std::span<const std::uint32_t> some = reading_.rows(need.rows), more = reading_.rows(need.more_rows);
    table_.add(first, last, some, sums[0] + begin, sums_.data());  // the first group is always there
    if (!more.empty()) table_.add(first, last, more, sums_.data(), sums_.data());
    if (sums.size() > 1) {
        of_role_.clear();
        for (const std::int16_t* one : sums.subspan(1)) of_role_.push_back(one + begin);
        learn::add_rows_and_sums()(nullptr, 0, of_role_.data(), of_role_.size(), lanes, sums_.data());
    }
    rows += (some.size() + more.size()) * ((lanes + 63) / 64) + sums.size() * ((2 * lanes + 63) / 64);
    float* vector = vectors_.data() + static_cast<std::size_t>(node) * folded_.width();
    for (std::size_t role = first; role < last; ++role)
        table_.finish(role, sums_.data() + folded_.begin_of(role) - begin, vector + folded_.begin_of(role));
}

}  // namespace laconic::label
