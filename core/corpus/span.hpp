#pragma once

#include <cstdint>

namespace laconic::corpus {

// A piece of Columns::bytes.
struct Span {
    std::uint32_t begin = 0;
    std::uint32_t size = 0;

    bool operator==(const Span&) const = default;
};

}  // namespace laconic::corpus
