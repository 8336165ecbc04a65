#include "base/memory.hpp"

#include <cstring>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace laconic {

namespace {
constexpr std::size_t huge_page = std::size_t{1} << 21;
}

AlignedBytes::AlignedBytes(std::size_t size) {
    allocate(size);
    std::memset(data_.get(), 0, size + cache_line);
}

AlignedBytes::AlignedBytes(std::span<const std::uint8_t> copied) {
    allocate(copied.size());
    if (!copied.empty()) std::memcpy(data_.get(), copied.data(), copied.size());
    std::memset(data_.get() + copied.size(), 0, cache_line);
}

void AlignedBytes::allocate(std::size_t size) {
    size_ = size;
    const std::size_t alignment = size >= huge_page ? huge_page : cache_line;
    data_ = {static_cast<std::uint8_t*>(::operator new[](size + cache_line, std::align_val_t{alignment})),
             Release{alignment}};
#if defined(MADV_HUGEPAGE)
    if (size >= huge_page) madvise(data_.get(), size, MADV_HUGEPAGE);  // a wish: refusal changes nothing but speed
#endif
}

void AlignedBytes::Release::operator()(std::uint8_t* pointer) const noexcept {
    ::operator delete[](pointer, std::align_val_t{alignment});
}

}  // namespace laconic
