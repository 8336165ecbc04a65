#pragma once
// Many threads may read a document at once; none may write to it meanwhile. Whoever comes too late gets an error in
// place of a torn document. Guards come and go with the interpreter's lock held, so checking and counting is one step.

#include <atomic>
#include <stdexcept>

namespace laconic::corpus {

// Part of a document. A copy is a document of its own, with nobody at it.
struct Use {
    std::atomic<int> readers{0};
    std::atomic<bool> writer{false};

    Use() = default;
    Use(const Use&) noexcept {}
    Use& operator=(const Use&) noexcept { return *this; }
};

class Reading {
public:
    explicit Reading(Use& use) : use_(use) {
        if (use.writer) throw std::runtime_error("another thread is writing to this document");
        ++use.readers;
    }
    ~Reading() { --use_.readers; }
    Reading(const Reading&) = delete;
    Reading& operator=(const Reading&) = delete;

private:
    Use& use_;
};

class Writing {
public:
    explicit Writing(Use& use) : use_(use) {
        if (use.writer || use.readers > 0)
            throw std::runtime_error("another thread is at this document: give each thread its own");
        use.writer = true;
    }
    ~Writing() { use_.writer = false; }
    Writing(const Writing&) = delete;
    Writing& operator=(const Writing&) = delete;

private:
    Use& use_;
};

}  // namespace laconic::corpus
