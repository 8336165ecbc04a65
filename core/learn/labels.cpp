#include "learn/labels.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "base/error.hpp"
#include "base/hash.hpp"

namespace laconic::learn {

namespace {

std::uint64_t hash_of(std::span<const Label> members) {
    std::uint64_t key = members.size();
    for (const Label label : members) key = mix(key, label + 1U);
    return key;
}

}  // namespace

BlockedLabels::BlockedLabels(std::vector<Label> ascending) : labels_(std::move(ascending)) {
    if (labels_.empty()) return;
    first_block_ = labels_.front() / label_block;
    blocks_.resize(labels_.back() / label_block + 1U - first_block_);
    for (const Label label : labels_)
        blocks_[label / label_block - first_block_] |= static_cast<std::uint16_t>(1U << label % label_block);
}

LabelSets::LabelSets(std::size_t labels) : labels_(labels), begins_{0} {
    if (labels == 0 || labels > max_labels) throw std::invalid_argument("a classifier has between 1 and 65,535 labels");
    std::vector<Label> all(labels);
    std::iota(all.begin(), all.end(), Label{0});
    add(std::move(all));
}

LabelSets::LabelSets(std::size_t labels, std::vector<std::uint32_t> begins, std::vector<Label> members)
    : labels_(labels), begins_(std::move(begins)), members_(std::move(members)) {
    const bool whole = labels > 0 && labels <= max_labels && begins_.size() >= 2 && begins_.front() == 0 &&
                       begins_.back() == members_.size() && std::is_sorted(begins_.begin(), begins_.end());
    if (!whole) throw ModelError("the label sets of the model are damaged");
    for (std::size_t set = 0; set < size(); ++set) {
        const std::span<const Label> labels_of = (*this)[set];
        const bool ascending =
            std::adjacent_find(labels_of.begin(), labels_of.end(), std::greater_equal<>()) == labels_of.end();
        if (labels_of.empty() || !ascending || labels_of.back() >= labels)
            throw ModelError("the label sets of the model are damaged");
        note(static_cast<std::uint32_t>(set));
    }
    if ((*this)[0].size() != labels) throw ModelError("the label sets of the model are damaged");
}

std::uint32_t LabelSets::add(std::vector<Label> members) {
    std::sort(members.begin(), members.end());
    members.erase(std::unique(members.begin(), members.end()), members.end());
    if (members.empty() || members.back() >= labels_)
        throw std::invalid_argument("a set of labels must not be empty or name a label that does not exist");
    const auto [first, last] = numbers_.equal_range(hash_of(members));
    for (auto at = first; at != last; ++at)
        if (std::ranges::equal((*this)[at->second], members)) return at->second;
    members_.insert(members_.end(), members.begin(), members.end());
    begins_.push_back(static_cast<std::uint32_t>(members_.size()));
    const auto set = static_cast<std::uint32_t>(size() - 1);
    note(set);
    return set;
}

std::vector<std::uint32_t> LabelSets::add_singletons() {
    std::vector<std::uint32_t> numbers(labels_);
    for (std::size_t y = 0; y < labels_; ++y) numbers[y] = add({static_cast<Label>(y)});
    return numbers;
}

bool LabelSets::begin_with(const LabelSets& other) const noexcept {
    const auto same_head = [](const auto& whole, const auto& head) {
        return whole.size() >= head.size() && std::equal(head.begin(), head.end(), whole.begin());
    };
    return labels_ == other.labels_ && same_head(begins_, other.begins_) && same_head(members_, other.members_);
}

void LabelSets::note(std::uint32_t set) {
    std::uint64_t bits = 0;
    for (const Label label : (*this)[set])
        if (label < 64) bits |= std::uint64_t{1} << label;
    bits_.push_back(bits);
    numbers_.emplace(hash_of((*this)[set]), set);
}

}  // namespace laconic::learn
