#pragma once
// A number that nobody outside of this process can know.

#include <cstdint>

namespace laconic {

// Drawn once. For the hashes of tables whose order is never seen: words that collide cannot be written for them in
// advance.
[[nodiscard]] std::uint64_t process_seed();

}  // namespace laconic
