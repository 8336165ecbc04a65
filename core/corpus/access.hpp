#pragma once
// Many threads may read an object at once; none may write to it meanwhile. Whoever comes too late gets an error instead
// of something that is half written. What Python writes through a NumPy view, such as doc.heads, passes no guard.

#include <atomic>
#include <stdexcept>
#include <string>

namespace laconic::corpus {

// Part of a document, or of what else a call fills without the interpreter's lock. A copy is an object of its own, with
// nobody at it.
struct Access {
    static constexpr int writing = -1;

    std::atomic<int> users{0};      // how many read, or `writing`
    const char* what = "document";  // for messages

    Access() = default;
    explicit Access(const char* name) noexcept : what(name) {}
    Access(const Access& other) noexcept : what(other.what) {}
    Access& operator=(const Access&) noexcept { return *this; }
};

class Reading {
public:
    explicit Reading(Access& access) : access_(access) {
        int users = access.users;
        do {
            if (users == Access::writing)
                throw std::runtime_error(std::string("another thread is writing to this ") + access.what);
        } while (!access.users.compare_exchange_weak(users, users + 1));
    }
    ~Reading() { --access_.users; }
    Reading(const Reading&) = delete;
    Reading& operator=(const Reading&) = delete;

private:
    Access& access_;
};

class Writing {
public:
    explicit Writing(Access& access) : access_(access) {
        int nobody = 0;
        if (!access.users.compare_exchange_strong(nobody, Access::writing))
            throw std::runtime_error(std::string("another thread is at this ") + access.what +
                                     ": give each thread its own");
    }
    ~Writing() { access_.users = 0; }
    Writing(const Writing&) = delete;
    Writing& operator=(const Writing&) = delete;

private:
    Access& access_;
};

}  // namespace laconic::corpus
