#include "base/seed.hpp"

#include <random>

namespace laconic {

std::uint64_t process_seed() {
    static const std::uint64_t seed = [] {
        std::random_device device;
        return (std::uint64_t{device()} << 32) ^ device();
    }();
    return seed;
}

}  // namespace laconic
