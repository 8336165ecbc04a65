#pragma once
// A map that is made once, as from the arrays of a model file, and then only searched.

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/memory.hpp"

namespace laconic {

// From 64-bit keys to 32-bit numbers, exact. A search reads one slot in most cases.
class FrozenMap {
public:
    static constexpr std::uint32_t absent = 0xffffffffU;

    // Throws ModelError, which says that `what` is damaged, unless there is one number, not `absent`, per key and every
    // key is there once.
    FrozenMap(std::vector<std::uint64_t> keys, std::vector<std::uint32_t> numbers, const std::string& what)
        : keys_(std::move(keys)), numbers_(std::move(numbers)) {
        if (keys_.size() != numbers_.size()) throw ModelError(what + " is damaged: not one number per key");
        std::size_t size = 16;
        while (size < 2 * (keys_.size() + 1)) size *= 2;
        slots_.resize(size);
        mask_ = size - 1;
        for (std::size_t i = 0; i < keys_.size(); ++i) {
            if (numbers_[i] == absent) throw ModelError(what + " is damaged: a key without a number");
            std::size_t at = home(keys_[i]);
            for (; slots_[at].number != absent; at = (at + 1) & mask_)
                if (slots_[at].key == keys_[i]) throw ModelError(what + " is damaged: a key is there twice");
            slots_[at] = {keys_[i], numbers_[i]};
        }
    }

    // The number of a key; `absent` if there is none.
    [[nodiscard]] std::uint32_t find(std::uint64_t key) const noexcept {
        for (std::size_t at = home(key);; at = (at + 1) & mask_) {
            const Slot& slot = slots_[at];
            if (slot.number == absent || slot.key == key) return slot.number;
        }
    }
    // A search for the key is coming.
    void fetch(std::uint64_t key) const noexcept { prefetch(&slots_[home(key)]); }
    // As they were given.
    [[nodiscard]] const std::vector<std::uint64_t>& keys() const noexcept { return keys_; }
    [[nodiscard]] const std::vector<std::uint32_t>& numbers() const noexcept { return numbers_; }

private:
    struct Slot {
        std::uint64_t key = 0;
        std::uint32_t number = absent;
    };
    // Where the search for a key starts.
    [[nodiscard]] std::size_t home(std::uint64_t key) const noexcept {
        return static_cast<std::size_t>((key * 0x9e3779b97f4a7c15ULL) >> 32) & mask_;
    }

    std::vector<std::uint64_t> keys_;
    std::vector<std::uint32_t> numbers_;
    std::vector<Slot> slots_;  // open addressing, at most half full
    std::size_t mask_ = 0;
};

}  // namespace laconic
