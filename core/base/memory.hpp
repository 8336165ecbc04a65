#pragma once
// Memory for hot tables: starts on a cache line, on huge pages where the system grants them.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace laconic {

inline constexpr std::size_t cache_line = 64;

inline void prefetch([[maybe_unused]] const void* address) noexcept {
#if defined(__GNUC__)
    __builtin_prefetch(address);
#endif
}

// A fixed, zeroed run of bytes.
class AlignedBytes {
public:
    AlignedBytes() = default;
    explicit AlignedBytes(std::size_t size);
    explicit AlignedBytes(std::span<const std::uint8_t> copied);

    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] std::uint8_t* data() noexcept { return data_.get(); }
    [[nodiscard]] const std::uint8_t* data() const noexcept { return data_.get(); }
    [[nodiscard]] std::span<const std::uint8_t> bytes() const noexcept { return {data(), size_}; }

private:
    void allocate(std::size_t size);

    struct Release {
        std::size_t alignment;
        void operator()(std::uint8_t* pointer) const noexcept;
    };
    std::unique_ptr<std::uint8_t[], Release> data_{nullptr, Release{cache_line}};
    std::size_t size_ = 0;
};

}  // namespace laconic
