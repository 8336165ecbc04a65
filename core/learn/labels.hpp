#pragma once
// Sets of labels, each stored once: the candidates of a decision, or its gold labels.

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace laconic::learn {

using Label = std::uint16_t;
inline constexpr std::size_t max_labels = 65535;

// The candidates of a decision: ascending labels and, for kernels that look at many labels at the same time, the same
// as bits of blocks of `label_block` labels from `first_block` on; no blocks where none were made. Nothing is copied.
inline constexpr std::size_t label_block = 16;
struct Candidates {
    std::span<const Label> labels;
    std::size_t first_block = 0;
    std::span<const std::uint16_t> blocks{};

    Candidates(std::span<const Label> labels) noexcept : labels(labels) {}
    Candidates(std::span<const Label> labels, std::size_t first_block, std::span<const std::uint16_t> blocks) noexcept
        : labels(labels), first_block(first_block), blocks(blocks) {}
    [[nodiscard]] std::size_t size() const noexcept { return labels.size(); }
    [[nodiscard]] Label operator[](std::size_t index) const noexcept { return labels[index]; }
};

// Candidates that are asked for again and again.
class BlockedLabels {
public:
    BlockedLabels() = default;
    explicit BlockedLabels(std::vector<Label> ascending);

    [[nodiscard]] std::span<const Label> labels() const noexcept { return labels_; }
    [[nodiscard]] Candidates candidates() const noexcept { return {labels_, first_block_, blocks_}; }

private:
    std::vector<Label> labels_;
    std::size_t first_block_ = 0;
    std::vector<std::uint16_t> blocks_;
};

// Set 0 always holds every label. Members are kept in ascending order, so ties fall to the smaller label everywhere.
class LabelSets {
public:
    explicit LabelSets(std::size_t labels);
    // From arrays, as stored in a model; throws ModelError unless every set is ascending and within the labels.
    LabelSets(std::size_t labels, std::vector<std::uint32_t> begins, std::vector<Label> members);

    std::uint32_t add(std::vector<Label> members);  // the number of the set, an old one if it was seen before
    // Adds a set of one member for each label; their numbers, by label.
    std::vector<std::uint32_t> add_singletons();

    [[nodiscard]] std::size_t labels() const noexcept { return labels_; }
    [[nodiscard]] std::size_t size() const noexcept { return begins_.size() - 1; }
    [[nodiscard]] std::span<const Label> operator[](std::size_t set) const noexcept {
        return {members_.data() + begins_[set], begins_[set + 1] - begins_[set]};
    }
    // Does each set of `other` have the same number and members here? This may have more. Linear in them.
    [[nodiscard]] bool begin_with(const LabelSets& other) const noexcept;
    // The labels below 64 of a set as bits.
    [[nodiscard]] std::uint64_t bits(std::size_t set) const noexcept { return bits_[set]; }
    [[nodiscard]] const std::vector<std::uint32_t>& begins() const noexcept { return begins_; }
    [[nodiscard]] const std::vector<Label>& members() const noexcept { return members_; }

private:
    void note(std::uint32_t set);

    std::size_t labels_;
    std::vector<std::uint32_t> begins_;
    std::vector<Label> members_;
    std::vector<std::uint64_t> bits_;
    std::unordered_multimap<std::uint64_t, std::uint32_t> numbers_;  // by the hash of the members
};

}  // namespace laconic::learn
