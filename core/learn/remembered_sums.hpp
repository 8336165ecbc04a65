#pragma once
// Sums of rows that were made before, in memory that threads share: rows that are always read together need to be added
// only once. Sums are exact: as many rows as one stands for cannot leave 16 bits.

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <new>
#include <span>

#include "base/memory.hpp"
#include "learn/remembered_rows.hpp"

namespace laconic::learn {

class RememberedSums {
public:
    static constexpr std::uint32_t none = RememberedRows::no_row;
    static constexpr std::size_t most_rows = 255;  // of one sum

    // Of rows of so many lanes, for as many sums at most as there are places. Memory comes from the system page by page
    // as sums are added.
    RememberedSums(std::size_t lanes, std::size_t places)
        : lanes_(lanes),
          most_(RememberedRows::first + std::min({places, most_sums, most_bytes / (lanes * sizeof(std::int16_t))})),
          memory_(std::calloc(most_ * lanes * sizeof(std::int16_t) + cache_line, 1)),
          counts_(static_cast<std::uint8_t*>(std::calloc(most_, 1))) {
        if (memory_ == nullptr || counts_ == nullptr) throw std::bad_alloc();
        const auto begin = reinterpret_cast<std::uintptr_t>(memory_.get());
        sums_ = reinterpret_cast<std::int16_t*>(begin + (cache_line - begin % cache_line) % cache_line);
    }

    // The number of the sum of some rows, by which a place (RememberedRows) knows it; `none` if there is no room left.
    std::uint32_t add(std::span<const std::int8_t* const> rows) const {
        if (next_.load(std::memory_order_relaxed) == most_) return none;  // without waiting for others
        const std::lock_guard lock(mutex_);
        const std::uint32_t number = next_;
        if (number == most_) return none;
        std::int16_t* to = sums_ + number * lanes_;
        for (const std::int8_t* row : rows)
            for (std::size_t i = 0; i < lanes_; ++i) to[i] = static_cast<std::int16_t>(to[i] + row[i]);
        counts_[number] = static_cast<std::uint8_t>(rows.size());
        next_ = number + 1;
        return number;
    }
    // By number. Of how many rows a sum is; none of `none`.
    [[nodiscard]] const std::int16_t* sums() const noexcept { return sums_; }
    [[nodiscard]] const std::uint8_t* counts() const noexcept { return counts_.get(); }
    [[nodiscard]] std::size_t lanes() const noexcept { return lanes_; }

private:
    static constexpr std::size_t most_bytes = std::size_t{1} << 24, most_sums = std::size_t{1} << 16;
    struct Free {
        void operator()(void* memory) const noexcept { std::free(memory); }
    };

    std::size_t lanes_, most_;
    std::unique_ptr<void, Free> memory_;
    std::unique_ptr<std::uint8_t[], Free> counts_;
    std::int16_t* sums_ = nullptr;
    mutable std::mutex mutex_;
    mutable std::atomic<std::uint32_t> next_ = RememberedRows::first;
};

}  // namespace laconic::learn
