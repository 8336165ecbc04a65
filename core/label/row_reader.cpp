#include "label/row_reader.hpp"

#include <algorithm>

#include "base/hash.hpp"
#include "features/tree_steps.hpp"
#include "learn/key.hpp"

namespace laconic::label {

namespace {

constexpr std::uint32_t unknown_row = JoinedTemplates::unknown_row;

// Sets the i-th of some numbers to find(i).
template <class Number, class Find>
void each(std::size_t count, Number* to, Find&& find) {
    for (std::size_t i = 0; i < count; ++i) to[i] = find(i);
}

}  // namespace

void RowReader::read(const JoinedTemplates& templates, std::span<const Node> nodes, std::span<Run> runs) {
    nodes_ = nodes.data();
    count_ = nodes.size();
    if (count_ == 0) return;
    const std::size_t places = templates.addresses().size(), values = templates.values().size();
    if (near_.size() < places * count_) near_.resize(2 * places * count_);
    if (codes_.size() < values * count_) codes_.resize(2 * values * count_);
    if (begins_.size() < count_) {
        begins_.resize(2 * count_);
        next_.resize(2 * count_);
    }
    for (std::size_t i = 0; i < places; ++i) find_nodes(templates.addresses()[i], near_.data() + i * count_);
    for (std::size_t i = 0; i < values; ++i) find_codes(templates.values()[i], codes_.data() + i * count_);
    read_rest(templates);
    allocate(templates, runs);
    std::uint32_t* const rows = rows_.data();
    const std::uint32_t* const begins = begins_.data();
    std::uint32_t single = 0;
    for (const JoinedTemplates::Kept& kept : templates.kept()) {
        const Node* at = near(kept.place);
        if (!kept.children) {
            for (std::uint32_t k = 0; k < kept.size; ++k, ++single)
                for (std::size_t i = 0; i < count_; ++i)
                    rows[begins[i] + single] = kept_[static_cast<std::size_t>(at[i] + 1)][kept.first + k];
            continue;
        }
        for (std::size_t i = 0; i < count_; ++i)
            for (const Node child : children(at[i]))
                for (std::uint32_t k = 0; k < kept.size; ++k)
                    rows[next_[i]++] = kept_[static_cast<std::size_t>(child + 1)][kept.first + k];
    }
    for (const Template& one : templates.templates())
        if (one.set == JoinedTemplates::most_slots)
            read_single(templates, one, single++);
        else
            read_set(templates, one);
    for (Search one : rest_) {
        one.target = next_[one.target]++;
        searches_.push_back(one);
    }
}

void RowReader::find_nodes(const features::Slot& address, Node* near) const noexcept {
    const Node* const nodes = nodes_;
    if (static_cast<features::Node>(address.node) == features::Node::token && address.steps == 0) {
        const Node index = address.index, words = tree_.words();
        return each(count_, near, [=](std::size_t i) {
            const Node node = nodes[i], there = node + index;
            const bool exists = (node > corpus::root) & (there > corpus::root) & (there <= words);
            return exists | (index == 0) ? there : corpus::none;
        });
    }
    if (static_cast<features::Node>(address.node) == features::Node::token && address.index == 0 &&
        address.steps == 1) {
        switch (static_cast<features::Step>(address.path[0])) {
            case features::Step::ls:
                return each(count_, near, [&](std::size_t i) { return tree_.previous_sibling(nodes[i]); });
            case features::Step::rs:
                return each(count_, near, [&](std::size_t i) { return tree_.next_sibling(nodes[i]); });
            case features::Step::fc:
                return each(count_, near, [&](std::size_t i) { return tree_.first_child(nodes[i]); });
            case features::Step::ec:
                return each(count_, near, [&](std::size_t i) { return tree_.last_child(nodes[i]); });
            case features::Step::children:
                return each(count_, near, [&](std::size_t i) { return nodes[i]; });
            default:
                break;
        }
    }
    each(count_, near, [&](std::size_t i) { return node_at(tree_, nodes[i], address); });
}

void RowReader::find_codes(const JoinedTemplates::Value& value, std::uint32_t* codes) const noexcept {
    const Node* const at = near(value.place);
    if (value.kind != EdgeReader::word)
        each(count_, codes, [&](std::size_t i) { return tree_atom(tree_, nodes_[i], value.kind, at[i]); });
    else if (value.code_column != WordTypes::uncoded)
        each(count_, codes, [&](std::size_t i) { return words_.codes(at[i])[value.code_column]; });
}

void RowReader::allocate(const JoinedTemplates& templates, std::span<Run> runs) {
    const std::size_t single = templates.single_rows();
    auto end = static_cast<std::uint32_t>(rows_.size());
    for (std::size_t i = 0; i < count_; ++i) {
        const std::uint32_t begin = end, rest = templates.rest().empty() ? 0 : next_[i];
        begins_[i] = begin;
        end += static_cast<std::uint32_t>(single);
        next_[i] = end;
        if (!templates.only_single()) {
            end += rest;
            const auto size = [&](std::uint16_t place) {
                return static_cast<std::uint32_t>(children(near(place)[i]).size());
            };
            for (const JoinedTemplates::Kept& kept : templates.kept())
                if (kept.children) end += kept.size * size(kept.place);
            for (const Template& one : templates.templates())
                if (one.set != JoinedTemplates::most_slots)
                    end += size(templates.values()[one.slots[one.set].value].place);
        }
        runs[i] = {begin, end};
    }
    rows_.resize(end);
}

std::uint32_t RowReader::place_of(const Template& one, std::size_t i) const noexcept {
    return one.begin + codes(one.slots[0])[i] * one.slots[0].stride + codes(one.slots[1])[i] * one.slots[1].stride +
           codes(one.slots[2])[i] * one.slots[2].stride;
}

void RowReader::read_single(const JoinedTemplates& templates, const Template& one, std::uint32_t k) {
    std::uint32_t* const rows = rows_.data() + k;
    const std::uint32_t* const begins = begins_.data();
    if (one.coded) {
        const std::uint32_t* const table = templates.rows() + one.begin;
        const std::uint32_t *const a = codes(one.slots[0]), *const b = codes(one.slots[1]),
                                   *const c = codes(one.slots[2]);
        const std::uint32_t of_a = one.slots[0].stride, of_b = one.slots[1].stride, of_c = one.slots[2].stride;
        bool unknown = false;
        for (std::size_t i = 0; i < count_; ++i) {
            const std::uint32_t row = table[a[i] * of_a + b[i] * of_b + c[i] * of_c];
            rows[begins[i]] = row;
            unknown |= row == unknown_row;
        }
        if (!unknown) [[likely]]
            return;
    }
    for (std::size_t i = 0; i < count_; ++i)
        if (!one.coded || rows[begins[i]] == unknown_row) search(templates, one, i, corpus::none, begins[i] + k);
}

void RowReader::read_set(const JoinedTemplates& templates, const Template& one) {
    const JoinedTemplates::Value& value = templates.values()[one.slots[one.set].value];
    const Node* const at = near(value.place);
    for (std::size_t i = 0; i < count_; ++i) {
        const std::span<const Node> members = children(at[i]);
        if (members.empty()) continue;
        const std::uint32_t* const table = templates.rows() + (one.coded ? place_of(one, i) : 0);
        for (const Node child : members) {
            const std::uint32_t target = next_[i]++;
            const std::uint32_t row =
                one.coded ? table[words_.codes(child)[value.code_column] * one.set_stride] : unknown_row;
            rows_[target] = row;
            if (row == unknown_row) search(templates, one, i, child, target);
        }
    }
}

void RowReader::search(const JoinedTemplates& templates, const Template& one, std::size_t i, Node child,
                       std::uint32_t target) {
    std::uint64_t key = plan_.seed(one.number);
    rows_[target] = table_.zero_row();
    for (std::size_t k = 0; k < one.size; ++k) {
        const JoinedTemplates::Value& value = templates.values()[one.slots[k].value];
        const Node node = k == one.set ? child : near(value.place)[i];
        const Atom atom =
            value.kind == EdgeReader::word ? words_.row(node)[value.column] : Atom{codes(one.slots[k])[i]};
        if (atom == features::unknown) return;
        key = mix(key, atom);
    }
    key = learn::finish(key);
    table_.index().prefetch_slot(one.number, key);
    searches_.push_back({key, target, one.number});
}

void RowReader::read_rest(const JoinedTemplates& templates) {
    rest_.clear();
    if (templates.rest().empty()) return;
    std::fill_n(next_.begin(), count_, 0U);
    for (std::size_t i = 0; i < count_; ++i) {
        context_.focus(nodes_[i]);
        for (const std::uint16_t j : templates.rest())
            learn::visit_keys(plan_, j, context_, [&](std::uint64_t key) {
                table_.index().prefetch_slot(j, key);
                rest_.push_back({key, static_cast<std::uint32_t>(i), j});
                ++next_[i];
            });
    }
}

}  // namespace laconic::label
