#include "text/words.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "base/error.hpp"
#include "base/hash.hpp"

namespace laconic::text {

Atom length_atom(std::size_t count) noexcept {
    constexpr std::array<std::size_t, 13> steps{0, 1, 2, 3, 4, 5, 7, 10, 15, 20, 30, 40, 80};
    const auto above = std::ranges::upper_bound(steps, count);
    return static_cast<Atom>(above - steps.begin()) + 2;
}

Word word_at(const Characters& characters, std::size_t begin, std::size_t end) noexcept {
    if (begin >= end) return {};
    const std::size_t last = std::min(end, begin + longest_word);
    std::uint64_t letters = 0x51ed270b1d7f3a59ULL, shape = 0x2b7e151628aed2a6ULL;
    Code previous = space_code;
    for (std::size_t i = begin; i < last; ++i) {
        letters = mix(letters, unicode::lower(characters.point(i)));
        const Code code = characters.code(i);
        if (code != previous || i == begin) shape = mix(shape, code);
        previous = code;
    }
    return {end - begin > longest_word ? features::unknown : features::as_atom(scramble(letters)),
            features::as_atom(scramble(shape)), length_atom(end - begin)};
}

CasingStatistics::CasingStatistics(std::vector<Atom> keys, std::vector<std::uint8_t> values)
    : keys_(std::move(keys)), values_(std::move(values)) {
    if (keys_.size() != values_.size()) throw ModelError("a word without its casing");
    index_.assign(std::bit_ceil(2 * keys_.size() + 2), 0);
    mask_ = index_.size() - 1;
    for (std::size_t k = 0; k < keys_.size(); ++k) {
        if (values_[k] < lower || values_[k] > upper) throw ModelError("no such casing of a word");
        std::size_t at = keys_[k] & mask_;
        for (; index_[at] != 0; at = (at + 1) & mask_)
            if (keys_[index_[at] - 1] == keys_[k]) throw ModelError("a word has two casings");
        index_[at] = static_cast<std::uint32_t>(k + 1);
    }
}

CasingStatistics::Casing CasingStatistics::operator[](Atom word) const noexcept {
    for (std::size_t at = word & mask_; index_[at] != 0; at = (at + 1) & mask_)
        if (keys_[index_[at] - 1] == word) return static_cast<Casing>(values_[index_[at] - 1]);
    return unseen;
}

}  // namespace laconic::text
