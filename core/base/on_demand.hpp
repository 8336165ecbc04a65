#pragma once
// Things that are computed when they are first asked for, each once, whichever thread asks.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <thread>

namespace laconic {

// Which of a fixed number of things are there. They themselves belong to the caller.
class OnDemand {
public:
    OnDemand() = default;
    explicit OnDemand(std::size_t count) : states_(std::make_unique<std::atomic<std::uint8_t>[]>(count)) {}

    // Calls make() unless the thing is there; afterwards it is, and what make() wrote can be read. A thread that comes
    // while another is at it waits. What make() throws leaves the thing to be made. Cost: one byte is read.
    template <class Make>
    void ensure(std::size_t number, Make&& make) const {
        if (states_[number].load(std::memory_order_acquire) != made) [[unlikely]]
            first(states_[number], make);
    }

private:
    enum : std::uint8_t { absent, started, made };

    template <class Make>
    static void first(std::atomic<std::uint8_t>& state, Make&& make) {
        for (std::uint8_t seen = absent; !state.compare_exchange_weak(seen, started, std::memory_order_acquire);
             seen = absent) {
            if (seen == made) return;
            if (seen == started) std::this_thread::yield();
        }
        try {
            make();
        } catch (...) {
            state.store(absent, std::memory_order_release);
            throw;
        }
        state.store(made, std::memory_order_release);
    }

    std::unique_ptr<std::atomic<std::uint8_t>[]> states_;
};

}  // namespace laconic
