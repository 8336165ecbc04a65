#pragma once
// Strings of a text as atoms: a bounded number of steps each, so that no string, however long, costs more.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "features/plan.hpp"
#include "text/characters.hpp"

namespace laconic::text {

using features::Atom;

inline constexpr std::size_t longest_word = 40;  // characters; a longer string has no LOWER

struct Word {
    Atom lower = features::nothing;
    Atom shape = features::nothing;
    Atom length = features::nothing;
};

// Numbers in steps that grow.
[[nodiscard]] Atom length_atom(std::size_t count) noexcept;

// The string [begin, end); nothing if it is empty.
[[nodiscard]] Word word_at(const Characters& characters, std::size_t begin, std::size_t end) noexcept;

// How training wrote words inside sentences: by the atom of the lower-cased word.
class CasingStatistics {
public:
    enum Casing : std::uint8_t { unseen, lower, both, upper };

    CasingStatistics() : CasingStatistics({}, {}) {}
    // Throws ModelError where a key is there twice or a value is none.
    CasingStatistics(std::vector<Atom> keys, std::vector<std::uint8_t> values);

    [[nodiscard]] Casing operator[](Atom word) const noexcept;
    [[nodiscard]] Atom atom(Atom word) const noexcept {
        return word <= features::nothing ? word : static_cast<Atom>((*this)[word]) + 2;
    }
    [[nodiscard]] const std::vector<Atom>& keys() const noexcept { return keys_; }
    [[nodiscard]] const std::vector<std::uint8_t>& values() const noexcept { return values_; }

private:
    std::vector<Atom> keys_;
    std::vector<std::uint8_t> values_;
    std::vector<std::uint32_t> index_;  // open addressing: number of a key + 1
    std::size_t mask_ = 0;
};

}  // namespace laconic::text
