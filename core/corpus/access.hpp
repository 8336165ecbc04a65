#pragma once
// Many threads may read a document at once; none may write to it meanwhile. Whoever comes too late gets an error
// instead of a document that is half written. Guards come and go with the interpreter's lock held, so checking and
// counting is one step.

#include <atomic>
#include <stdexcept>

namespace laconic::corpus {

// Part of a document. A copy is a document of its own, with nobody at it.
struct Access {
    std::atomic<int> readers{0};
    std::atomic<bool> writer{false};

    Access() = default;
    Access(const Access&) noexcept {}
    Access& operator=(const Access&) noexcept { return *this; }
};

class Reading {
public:
    explicit Reading(Access& access) : access_(access) {
        if (access.writer) throw std::runtime_error("another thread is writing to this document");
        ++access.readers;
    }
    ~Reading() { --access_.readers; }
    Reading(const Reading&) = delete;
    Reading& operator=(const Reading&) = delete;

private:
    Access& access_;
};

class Writing {
public:
    explicit Writing(Access& access) : access_(access) {
        if (access.writer || access.readers > 0)
            throw std::runtime_error("another thread is at this document: give each thread its own");
        access.writer = true;
    }
    ~Writing() { access_.writer = false; }
    Writing(const Writing&) = delete;
    Writing& operator=(const Writing&) = delete;

private:
    Access& access_;
};

}  // namespace laconic::corpus
