#pragma once
// Row numbers that were looked up before, in an array that threads share. Every place starts as `open`; whoever finds
// it so looks the row up and stores it. Two threads may do that at the same time: both numbers are right. Who reads a
// number also sees what was written before it was stored.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

#include "base/memory.hpp"

namespace laconic::learn {

class RememberedRows {
public:
    // What a place holds: not looked up yet, no row, or the number of a row plus `first`.
    static constexpr std::uint32_t open = 0, no_row = 1, first = 2;

    // Memory comes from the system page by page as places are first used; on huge pages where there are many, because
    // neighbours in time are not neighbours in memory.
    explicit RememberedRows(std::size_t size) {
        const std::size_t bytes = (size == 0 ? 1 : size) * sizeof(Place);
        const std::size_t page = bytes < huge_page / 4 ? cache_line : huge_page;
        memory_.reset(std::calloc(bytes / page + 2, page));
        if (memory_ == nullptr) throw std::bad_alloc();
        const auto begin = reinterpret_cast<std::uintptr_t>(memory_.get());
        const std::size_t skipped = (page - begin % page) % page;
        places_ = reinterpret_cast<Place*>(static_cast<std::byte*>(memory_.get()) + skipped);
#if defined(MADV_HUGEPAGE)
        // A wish: refusal changes nothing but speed.
        if (page == huge_page) madvise(places_, (bytes / page + 1) * page, MADV_HUGEPAGE);
#endif
    }

    void fetch(std::size_t at) const noexcept { prefetch(places_ + at); }
    [[nodiscard]] std::uint32_t operator[](std::size_t at) const noexcept;
    // For loops: where the places are need not be read again for each.
    class View;
    [[nodiscard]] View view() const noexcept;
    void store(std::size_t at, std::uint32_t value) const noexcept {
        places_[at].store(value, std::memory_order_release);
    }

private:
    using Place = std::atomic<std::uint32_t>;
    static_assert(sizeof(Place) == sizeof(std::uint32_t) && Place::is_always_lock_free);
    struct Free {
        void operator()(void* memory) const noexcept { std::free(memory); }
    };
    static constexpr std::size_t huge_page = std::size_t{1} << 21;

    std::unique_ptr<void, Free> memory_;
    Place* places_ = nullptr;
};

class RememberedRows::View {
public:
    explicit View(const Place* places) noexcept : places_(places) {}
    [[nodiscard]] std::uint32_t operator[](std::size_t at) const noexcept {
        return places_[at].load(std::memory_order_acquire);
    }

private:
    const Place* places_;
};
inline RememberedRows::View RememberedRows::view() const noexcept {
    return View(places_);
}
inline std::uint32_t RememberedRows::operator[](std::size_t at) const noexcept {
    return view()[at];
}

}  // namespace laconic::learn
