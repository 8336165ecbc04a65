#include "label/projection.hpp"

#include <algorithm>

#include "base/hash.hpp"
#include "base/wide.hpp"

namespace laconic::label {

namespace {

LACONIC_WIDE void add_sums(std::int16_t* to, const std::int16_t* from, std::size_t width) {
    for (std::size_t i = 0; i < width; ++i)
        to[i] = static_cast<std::int16_t>(std::clamp(to[i] + from[i], -32768, 32767));
}

}  // namespace

TemplateGroups::TemplateGroups(const features::Plan& plan, const EdgeReader& reader) : groups_(1) {
    const auto& sources = reader.sources();
    // The address and kind of the one word that a template looks at, if it does.
    const auto group_of = [&](std::size_t j) -> std::ptrdiff_t {
        const auto slots = plan[j];
        const EdgeReader::Source& first = sources[slots[0]];
        const bool children = plan.slots()[slots[0]].many;
        for (const std::uint16_t slot : slots)
            if (sources[slot].kind != EdgeReader::word || sources[slot].address != first.address ||
                plan.slots()[slot].many != children || (children && slots.size() > 1))
                return -1;
        const auto same = [&](const Group& group) {
            return group.address == first.address && group.children == children && !group.templates.empty();
        };
        const auto at = std::ranges::find_if(groups_, same);
        if (at != groups_.end()) return at - groups_.begin();
        const features::Slot& address = reader.addresses()[first.address];
        const bool focus = address.index == 0 && address.steps == 0 && !children;
        if (focus && j == 0) {
            groups_[0].address = first.address;
            return 0;
        }
        groups_.push_back({first.address, children, {}});
        return static_cast<std::ptrdiff_t>(groups_.size()) - 1;
    };
    bool leading = true;
    for (std::size_t j = 0; j < plan.size(); ++j) {
        const std::ptrdiff_t group = group_of(j);
        leading = leading && group == 0;
        if (group > 0 || leading)
            groups_[static_cast<std::size_t>(group)].templates.push_back(static_cast<std::uint16_t>(j));
        else
            others_.push_back(static_cast<std::uint16_t>(j));
    }
    // Sums of a group are one more thing to fetch, so a small one is read template by template.
    std::vector<Group> large{groups_[0]};
    for (std::size_t i = 1; i < groups_.size(); ++i) {
        const std::vector<std::uint16_t>& templates = groups_[i].templates;
        if (templates.size() < 3)
            others_.insert(others_.end(), templates.begin(), templates.end());
        else
            large.push_back(groups_[i]);
    }
    groups_ = std::move(large);
    std::ranges::sort(others_);
}

std::uint32_t AtomRowTypes::number(const Atom* row) {
    std::uint64_t hash = width_;
    for (std::size_t i = 0; i < width_; ++i) hash = mix(hash, row[i]);
    hash = scramble(hash);
    if (2 * (hashes_.size() + 1) > slots_.size()) grow();
    for (std::size_t at = hash & (slots_.size() - 1);; at = (at + 1) & (slots_.size() - 1)) {
        const std::uint32_t known = slots_[at];
        if (known == absent) {
            slots_[at] = static_cast<std::uint32_t>(hashes_.size());
            hashes_.push_back(hash);
            rows_.insert(rows_.end(), row, row + width_);
            return slots_[at];
        }
        if (hashes_[known] == hash && std::equal(row, row + width_, rows_.data() + known * width_)) return known;
    }
}

void AtomRowTypes::grow() {
    slots_.assign(2 * slots_.size(), absent);
    for (std::uint32_t type = 0; type < hashes_.size(); ++type) {
        std::size_t at = hashes_[type] & (slots_.size() - 1);
        while (slots_[at] != absent) at = (at + 1) & (slots_.size() - 1);
        slots_[at] = type;
    }
}

Projections::Projections(const features::Plan& plan, const learn::FactorTable& table, const EdgeReader& reader,
                         EdgeContext& context)
    : plan_(plan),
      table_(table),
      context_(context),
      groups_(plan, reader),
      types_(reader.columns().list().size()),
      sources_(reader.sources()),
      kept_(groups_.groups().size()) {
    for (std::size_t role = 0; role < table.roles(); ++role) {
        begins_.push_back(width_);
        width_ += table.lanes(role);
    }
    sums_.resize(width_);
}

void Projections::enter() {
    const auto nodes = static_cast<std::size_t>(context_.tree().words()) + 1;
    node_types_.assign(nodes + 1, absent);
    made_.assign(2 * nodes * table_.roles(), 0);
    counted_.assign(2 * nodes, 0);
    if (vectors_.size() < 2 * nodes * width_) vectors_.resize(2 * nodes * width_);
    others_.assign(nodes, {});
    other_rows_.clear();
}

const float* Projections::find(std::size_t role, Node node, std::size_t part) {
    const std::size_t at = 2 * static_cast<std::size_t>(node) + part;
    float* vector = vectors_.data() + at * width_ + begins_[role];
    if (std::uint8_t& made = made_[at * table_.roles() + role]; made == 0) {
        made = 1;
        make(role, node, part, vector);
        if (counted_[at] == 0) {
            counted_[at] = 1;
            const std::size_t first = groups_.first_part();
            templates += part == 0 ? first : plan_.size() - (counted_[at - 1] != 0 ? first : 0);
        }
    }
    return vector;
}

std::uint32_t Projections::type_of(Node node) {
    std::uint32_t& type = node_types_[static_cast<std::size_t>(node + 1)];
    if (type == absent) type = types_.number(context_.row(node));
    return type;
}

const std::int16_t* Projections::sums_of(std::size_t group, Node word, std::size_t role) {
    const std::uint32_t type = type_of(word);
    std::vector<std::uint32_t>& kept = kept_[group];
    if (kept.size() < types_.size()) kept.resize(types_.size(), absent);
    if (kept[type] == absent) {
        kept[type] = static_cast<std::uint32_t>(kept_roles_.size());
        kept_roles_.push_back(0);
        kept_sums_.resize(kept_sums_.size() + width_);
    }
    std::uint8_t& roles = kept_roles_[kept[type]];
    std::int16_t* sums = kept_sums_.data() + kept[type] * width_ + begins_[role];
    if ((roles >> role & 1) != 0) return sums;
    roles = static_cast<std::uint8_t>(roles | 1U << role);
    const Atom* row = context_.row(word);
    found_.clear();
    for (const std::uint16_t j : groups_.groups()[group].templates) {
        std::uint64_t key = plan_.seed(j);
        bool known = true;
        for (const std::uint16_t slot : plan_[j]) {
            const Atom value = row[sources_[slot].column];
            known = known && value != features::unknown;
            key = mix(key, value);
        }
        if (known) found_.add(table_, j, learn::finish(key));
    }
    const std::span<const std::uint32_t> found = found_.look_up(table_);
    table_.add(role, found, sums);
    rows += found.size() * ((table_.lanes(role) + 63) / 64);
    return sums;
}

void Projections::make(std::size_t role, Node node, std::size_t part, float* to) {
    const std::size_t lanes = table_.lanes(role);
    std::int16_t* sums = sums_.data();
    std::fill_n(sums, lanes, std::int16_t{0});
    const auto add = [&](std::size_t group, Node word) {
        add_sums(sums, sums_of(group, word, role), lanes);
        rows += (2 * lanes + 63) / 64;
    };
    context_.focus(node);
    if (groups_.first_part() > 0) add(0, node);
    if (part == 1) {
        for (std::size_t group = 1; group < groups_.groups().size(); ++group) {
            const TemplateGroups::Group& one = groups_.groups()[group];
            const Node word = context_.node_at(one.address);
            if (!one.children) {
                add(group, word);
            } else if (word != corpus::none) {
                for (const Node child : context_.shown_children(word)) add(group, child);
            }
        }
        Run& run = others_[static_cast<std::size_t>(node)];
        if (!run.read) {
            found_.clear();
            for (const std::uint16_t j : groups_.others())
                learn::visit_keys(plan_, j, context_, [&](std::uint64_t key) { found_.add(table_, j, key); });
            const std::span<const std::uint32_t> found = found_.look_up(table_);
            run = {other_rows_.size(), found.size(), true};
            other_rows_.insert(other_rows_.end(), found.begin(), found.end());
        }
        table_.add(role, std::span(other_rows_).subspan(run.begin, run.size), sums);
        rows += run.size * ((lanes + 63) / 64);
    }
    table_.finish(role, sums, to);
}

}  // namespace laconic::label
