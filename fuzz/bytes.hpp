#pragma once
// Cuts the bytes of a fuzzer into numbers and arrays; what is asked for beyond the end is zero or empty.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

namespace laconic::fuzz {

class Bytes {
public:
    Bytes(const std::uint8_t* data, std::size_t size) : left_(reinterpret_cast<const char*>(data), size) {}

    template <class T>
    T number() {
        T value{};
        const std::size_t size = std::min(sizeof value, left_.size());
        std::memcpy(&value, left_.data(), size);
        left_.remove_prefix(size);
        return value;
    }
    // An array whose length, up to `most`, comes first.
    template <class T>
    std::vector<T> array(std::size_t most) {
        const std::size_t size = std::min<std::size_t>(number<std::uint16_t>() % (most + 1), left_.size() / sizeof(T));
        std::vector<T> values(size);
        if (size > 0) std::memcpy(values.data(), left_.data(), size * sizeof(T));
        left_.remove_prefix(size * sizeof(T));
        return values;
    }
    std::string string(std::size_t most) {
        const std::vector<char> text = array<char>(most);
        return {text.begin(), text.end()};
    }
    std::string_view rest() const { return left_; }

private:
    std::string_view left_;
};

// A promise that does not hold ends the run, and libFuzzer keeps the input.
inline void expect(bool holds, std::string_view promise) {
    if (holds) return;
    std::cerr << "broken promise: " << promise << '\n';
    std::abort();
}

}  // namespace laconic::fuzz
