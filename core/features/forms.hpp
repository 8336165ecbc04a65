#pragma once
// A frozen set of byte strings, numbered from 0 in the order given. Finding is one hash, mostly one cache line of the
// index, and a comparison of all bytes: two strings are never taken for each other. Nothing is ever added.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.hpp"
#include "base/memory.hpp"

namespace laconic::features {

class Forms {
public:
    static constexpr std::uint32_t absent = std::numeric_limits<std::uint32_t>::max();

    Forms() : Forms(std::string{}, std::vector<std::uint32_t>{0}) {}
    // Form i is bytes[offsets[i], offsets[i + 1]). Throws ModelError if the offsets do not cut up the bytes or a form
    // is there twice.
    Forms(std::string bytes, std::vector<std::uint32_t> offsets);
    static Forms of(std::span<const std::string> forms);

    [[nodiscard]] std::size_t size() const noexcept { return offsets_.size() - 1; }
    [[nodiscard]] std::string_view operator[](std::size_t index) const noexcept {
        return {bytes_.data() + offsets_[index], offsets_[index + 1] - offsets_[index]};
    }
    [[nodiscard]] std::uint32_t find(std::string_view form) const noexcept { return find(form, hash_bytes(form)); }
    [[nodiscard]] std::uint32_t find(std::string_view form, std::uint64_t hash) const noexcept {
        const auto print = static_cast<std::uint32_t>(hash >> 32);
        for (std::size_t at = hash & mask_;; at = (at + 1) & mask_) {
            const Entry& entry = index_[at];
            if (entry.form == absent) return absent;
            if (entry.print == print && entry.size == form.size() && same(entry.begin, form)) return entry.form;
        }
    }

    // Prefetches what `find` with the same hash reads first: work done in between hides the latency of memory.
    void fetch(std::uint64_t hash) const noexcept { prefetch(&index_[hash & mask_]); }

    [[nodiscard]] const std::string& bytes() const noexcept { return bytes_; }
    [[nodiscard]] const std::vector<std::uint32_t>& offsets() const noexcept { return offsets_; }

private:
    struct Entry {
        std::uint32_t form = absent;
        std::uint32_t print = 0;
        std::uint32_t begin = 0;
        std::uint32_t size = 0;
    };

    [[nodiscard]] bool same(std::uint32_t begin, std::string_view form) const noexcept {
        return form.empty() || std::memcmp(bytes_.data() + begin, form.data(), form.size()) == 0;
    }

    std::string bytes_;
    std::vector<std::uint32_t> offsets_;
    std::vector<Entry> index_;  // open addressing, at most half full, earlier (more frequent) forms nearer to where
                                // their search begins
    std::size_t mask_ = 0;
};

}  // namespace laconic::features
