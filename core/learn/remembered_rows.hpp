#pragma once
// Row numbers that were looked up before, in an array that threads share. Every place starts as `open`; whoever finds
// it so looks the row up and stores it. Two threads may do that at the same time: they store the same number.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>

namespace laconic::learn {

class RememberedRows {
public:
    // What a place holds: not looked up yet, no row, or the number of a row plus `first`.
    static constexpr std::uint32_t open = 0, no_row = 1, first = 2;

    // Memory comes from the system page by page as places are first used.
    explicit RememberedRows(std::size_t size)
        : places_(static_cast<Place*>(std::calloc(size == 0 ? 1 : size, sizeof(Place)))) {
        if (places_ == nullptr) throw std::bad_alloc();
    }

    [[nodiscard]] std::uint32_t operator[](std::size_t at) const noexcept {
        return places_[at].load(std::memory_order_relaxed);
    }
    void store(std::size_t at, std::uint32_t value) const noexcept {
        places_[at].store(value, std::memory_order_relaxed);
    }

private:
    using Place = std::atomic<std::uint32_t>;
    static_assert(sizeof(Place) == sizeof(std::uint32_t) && Place::is_always_lock_free);
    struct Free {
        void operator()(Place* places) const noexcept { std::free(places); }
    };
    std::unique_ptr<Place[], Free> places_;
};

}  // namespace laconic::learn
