#pragma once
// A frozen list of names of one or more words, and where they occur in a sentence.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "corpus/columns.hpp"
#include "features/forms.hpp"
#include "features/plan.hpp"

namespace laconic::tag {

// Matching goes from left to right and takes the longest entry at each word; what it covers is not looked at again.
// Cost: linear in the words, times the longest entry at worst.
class Gazetteer {
public:
    static constexpr std::size_t longest = 32;  // words of an entry

    // Entry i is the words entries[begins[i], begins[i + 1]), numbers of forms. Throws ModelError where that does not
    // fit or an entry is empty or too long.
    Gazetteer(features::Forms words, std::vector<std::uint32_t> begins, std::vector<std::uint32_t> entries);

    [[nodiscard]] const features::Forms& words() const noexcept { return words_; }
    [[nodiscard]] const std::vector<std::uint32_t>& begins() const noexcept { return begins_; }
    [[nodiscard]] const std::vector<std::uint32_t>& entries() const noexcept { return entries_; }
    [[nodiscard]] std::size_t size() const noexcept { return begins_.size() - 1; }

    // For each word of the batch the atom of its position in an entry: B, I, L or U; `nothing` outside of all.
    [[nodiscard]] std::vector<features::Atom> match(const corpus::Columns& columns) const;

private:
    static constexpr std::uint32_t no_node = 0xffffffff;
    struct Edge {
        std::uint64_t key = 0;  // node and word
        std::uint32_t child = no_node;
    };
    [[nodiscard]] static std::uint64_t key(std::uint32_t node, std::uint32_t word) noexcept {
        return (std::uint64_t{node} << 32) | word;
    }
    [[nodiscard]] std::uint32_t child(std::uint32_t node, std::uint32_t word) const noexcept;

    features::Forms words_;
    std::vector<std::uint32_t> begins_, entries_;
    std::vector<Edge> edges_;         // sorted by key
    std::vector<std::uint8_t> ends_;  // per node: does an entry end here?
};

}  // namespace laconic::tag
