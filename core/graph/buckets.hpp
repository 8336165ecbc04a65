#pragma once
// Where the rows of one template of a table are, for look-ups by the thousand: rows are no longer than a cache line.

#include <cstdint>

#include "base/memory.hpp"
#include "learn/table.hpp"

namespace laconic::graph {

struct Buckets {
    const std::uint8_t* first;
    std::uint64_t count;

    Buckets(const learn::Table& table, std::size_t index)
        : first(table.bucket(index, 0)), count(table.directory()[index + 1] - table.directory()[index]) {}
    // The same as Table::bucket.
    [[nodiscard]] const std::uint8_t* of(std::uint64_t key) const noexcept {
        return first + (((key >> 32) * count) >> 32) * cache_line;
    }
};

}  // namespace laconic::graph
