#include "label/row_reader.hpp"

#include <algorithm>

#include "base/hash.hpp"
#include "features/tree_steps.hpp"
#include "learn/key.hpp"

namespace laconic::label {

void RowReader::find_nodes(const features::Slot& address, std::span<const Node> nodes, Node* near) const noexcept {
    const auto each = [&](auto&& find) {
        for (std::size_t i = 0; i < nodes.size(); ++i) near[i] = find(nodes[i]);
    };
    const Node words = tree_.words();
    if (static_cast<features::Node>(address.node) == features::Node::token && address.steps == 0) {
        const Node index = address.index;
        if (index == 0)
            each([](Node node) { return node; });
        else
            each([&](Node node) {
                const Node there = node + index;
                return (node > corpus::root) & (there > corpus::root) & (there <= words) ? there : corpus::none;
            });
        return;
    }
    const bool one_step =
        static_cast<features::Node>(address.node) == features::Node::token && address.index == 0 && address.steps == 1;
    const auto step = static_cast<features::Step>(address.path[0]);
    if (one_step && step == features::Step::ls)
        each([&](Node node) { return tree_.previous_sibling(node); });
    else if (one_step && step == features::Step::rs)
        each([&](Node node) { return tree_.next_sibling(node); });
    else if (one_step && step == features::Step::fc)
        each([&](Node node) { return tree_.first_child(node); });
    else if (one_step && step == features::Step::ec)
        each([&](Node node) { return tree_.last_child(node); });
    else
        each([&](Node node) { return node_at(tree_, node, address); });
}

void RowReader::begin(const JoinedTemplates& templates, std::span<const Node> nodes) {
    count_ = nodes.size();
    if (near_.size() < templates.addresses().size() * count_) near_.resize(2 * templates.addresses().size() * count_);
    if (codes_.size() < templates.values().size() * count_) codes_.resize(2 * templates.values().size() * count_);
    if (places_.size() < count_) places_.resize(2 * count_);
    if (next_.size() < count_) next_.resize(2 * count_);
    std::fill_n(next_.begin(), count_, 0U);
    Node* near = near_.data();
    for (const features::Slot& address : templates.addresses()) {
        find_nodes(address, nodes, near);
        near += count_;
    }
    std::uint32_t* codes = codes_.data();
    for (const JoinedTemplates::Value& value : templates.values()) {
        const Node* at = near_.data() + value.place * count_;
        if (value.kind != EdgeReader::word)
            for (std::size_t i = 0; i < count_; ++i) codes[i] = tree_atom(tree_, nodes[i], value.kind, at[i]);
        else if (value.code_column != WordTypes::uncoded)
            for (std::size_t i = 0; i < count_; ++i) codes[i] = words_.codes(at[i])[value.code_column];
        codes += count_;
    }
}

void RowReader::allocate(const JoinedTemplates& templates, std::span<Run> runs) {
    std::size_t end = rows_.size();
    for (std::size_t i = 0; i < count_; ++i) {
        const std::size_t begin = end;
        end += templates.single_rows() + next_[i];
        if (templates.sets()) {
            const auto size = [&](std::uint16_t place) { return children(near_[place * count_ + i]).size(); };
            for (const JoinedTemplates::Kept& kept : templates.kept())
                if (kept.children) end += kept.size * size(kept.place);
            for (const JoinedTemplates::Template& one : templates.templates())
                if (one.set != JoinedTemplates::most_slots)
                    end += size(templates.values()[one.slots[one.set].value].place);
        }
        next_[i] = static_cast<std::uint32_t>(begin);
        runs[i] = {next_[i], static_cast<std::uint32_t>(end)};
    }
    rows_.resize(end);
}

void RowReader::read(const JoinedTemplates& templates, const JoinedTemplates::Template& one,
                     std::span<const Node> nodes) {
    const bool set = one.set != JoinedTemplates::most_slots;
    std::uint32_t* const places = places_.data();
    if (one.coded) {
        const auto begin = static_cast<std::uint32_t>(one.begin);
        for (std::size_t i = 0; i < nodes.size(); ++i) places[i] = begin;
        for (std::size_t k = 0; k < one.size; ++k) {
            if (one.slots[k].set) continue;
            const std::uint32_t* codes = codes_.data() + one.slots[k].value * count_;
            const std::uint32_t stride = one.slots[k].stride;
            for (std::size_t i = 0; i < nodes.size(); ++i) places[i] += codes[i] * stride;
        }
    }
    const std::uint32_t* const table = templates.rows();
    std::uint32_t* const rows = rows_.data();
    std::uint32_t* const next = next_.data();
    if (!set) {
        if (one.coded) {
            bool unknown = false;
            for (std::size_t i = 0; i < nodes.size(); ++i) {
                const std::uint32_t row = table[places[i]];
                unknown = unknown || row == JoinedTemplates::unknown_row;
                rows[next[i]] = row;
            }
            if (!unknown) [[likely]] {
                for (std::size_t i = 0; i < nodes.size(); ++i) ++next[i];
                return;
            }
        }
        for (std::size_t i = 0; i < nodes.size(); ++i, ++next[i - 1])
            if (!one.coded || rows[next[i]] == JoinedTemplates::unknown_row)
                search(templates, one, i, corpus::none, next[i]);
        return;
    }
    const JoinedTemplates::Slot& members = one.slots[one.set];
    const JoinedTemplates::Value& value = templates.values()[members.value];
    const Node* near = near_.data() + value.place * count_;
    for (std::size_t i = 0; i < nodes.size(); ++i)
        for (const Node child : children(near[i])) {
            std::uint32_t row = JoinedTemplates::unknown_row;
            if (one.coded) row = table[places[i] + words_.codes(child)[value.code_column] * members.stride];
            rows[next[i]] = row;
            if (row == JoinedTemplates::unknown_row) search(templates, one, i, child, next[i]);
            ++next[i];
        }
}

void RowReader::search(const JoinedTemplates& templates, const JoinedTemplates::Template& one, std::size_t i,
                       Node child, std::uint32_t target) {
    std::uint64_t key = plan_.seed(one.number);
    rows_[target] = learn::RowIndex::absent;
    for (std::size_t k = 0; k < one.size; ++k) {
        const JoinedTemplates::Value& value = templates.values()[one.slots[k].value];
        const Node node = one.slots[k].set ? child : near_[value.place * count_ + i];
        const Atom atom = value.kind == EdgeReader::word ? words_.row(node)[value.column]
                                                         : Atom{codes_[one.slots[k].value * count_ + i]};
        if (atom == features::unknown) return;
        key = mix(key, atom);
    }
    key = learn::finish(key);
    table_.index().prefetch_slot(one.number, key);
    searches_.push_back({key, target, one.number});
}

// Templates that the steps above do not know how to read. How many rows they have is known before there is room.
void RowReader::read_rest(const JoinedTemplates& templates, std::span<const Node> nodes) {
    rest_.clear();
    if (templates.rest().empty()) return;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        context_.focus(nodes[i]);
        for (const std::uint16_t j : templates.rest())
            learn::visit_keys(plan_, j, context_, [&](std::uint64_t key) {
                table_.index().prefetch_slot(j, key);
                rest_.push_back({key, static_cast<std::uint32_t>(i), j});
                ++next_[i];
            });
    }
}

void RowReader::place_rest() {
    for (Search one : rest_) {
        one.target = next_[one.target]++;
        searches_.push_back(one);
    }
}

}  // namespace laconic::label
