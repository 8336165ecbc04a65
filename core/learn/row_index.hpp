#pragma once
// From features to the numbers of their rows: one open hash table per template, so that those of early templates stay
// together and small. Only rows that exist are then fetched.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/memory.hpp"

namespace laconic::learn {

// Which feature a row belongs to.
struct RowKey {
    std::uint64_t key;
    std::uint16_t template_index;
};

class RowIndex {
public:
    static constexpr std::uint32_t absent = 0xffffffffU;

    // Row i belongs to the i-th feature of the list.
    RowIndex(std::size_t templates, std::span<const RowKey> features);
    // From the arrays of a model file: where the slots of each template begin, and the slots as pairs of numbers.
    // Throws ModelError, which says that `what` is damaged, unless every search ends and there are `rows` rows.
    RowIndex(std::vector<std::uint32_t> directory, std::span<const std::uint32_t> slots, std::size_t rows,
             const std::string& what);

    [[nodiscard]] std::size_t templates() const noexcept { return directory_.size() - 1; }
    [[nodiscard]] const std::vector<std::uint32_t>& directory() const noexcept { return directory_; }
    [[nodiscard]] std::vector<std::uint32_t> packed_slots() const;
    [[nodiscard]] std::size_t bytes() const noexcept { return slots_.size() * sizeof(Slot); }

    // Prefetches the slot where the search for a feature starts.
    void prefetch_slot(std::size_t template_index, std::uint64_t key) const noexcept {
        prefetch(&slots_[home(template_index, key)]);
    }
    // The row of a feature; `absent` if it has none.
    [[nodiscard]] std::uint32_t find(std::size_t template_index, std::uint64_t key) const noexcept {
        const std::uint32_t end = directory_[template_index + 1];
        const auto fingerprint = static_cast<std::uint32_t>(key >> 32);
        for (std::uint32_t at = home(template_index, key);;) {
            const Slot slot = slots_[at];
            if (slot.row == 0 || slot.fingerprint == fingerprint) return slot.row - 1;  // absent where it is empty
            if (++at == end) at = directory_[template_index];
        }
    }

private:
    struct Slot {
        std::uint32_t fingerprint;  // the upper half of the key
        std::uint32_t row;          // its number + 1; 0: an empty slot
    };

    // Where the search for a feature starts.
    [[nodiscard]] std::uint32_t home(std::size_t template_index, std::uint64_t key) const noexcept {
        const std::uint32_t first = directory_[template_index];
        const std::uint64_t count = directory_[template_index + 1] - first;
        return first + static_cast<std::uint32_t>((static_cast<std::uint32_t>(key) * count) >> 32);
    }

    std::vector<std::uint32_t> directory_;  // number of the first slot of each template, and the end
    std::vector<Slot> slots_;
};

}  // namespace laconic::learn
