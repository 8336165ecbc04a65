#pragma once
// The factored scorer: every word has a vector as a head and one as a modifier, each out of the hidden rows of its
// templates, and the score of an arc is their product, plus what each of the two words says of direction and distance,
// plus what their coarse tags say of these and of the tags between them. Some nanoseconds an arc, all in integers.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "features/lexicon.hpp"
#include "features/rows.hpp"
#include "graph/arc_model.hpp"
#include "graph/word_reader.hpp"
#include "graph/word_rows.hpp"
#include "learn/hidden.hpp"

namespace laconic::graph {

inline constexpr std::size_t vector_size = 64;
inline constexpr std::size_t word_outputs = vector_size + lanes;  // of the network of a role: the vector, then lanes

// All of a factored scorer but its weights. Nothing is owned.
struct FactoredModel {
    const features::Plan& heads;  // templates of a word as a head
    const features::Plan& modifiers;
    const features::Lexicon& lexicon;
    const Lengths& lengths;
    corpus::Field pos;
};

// Coarse tags as small numbers: those of the length dictionary, then one for all others, then the root.
class TagNumbers {
public:
    static constexpr std::size_t most = 62;

    explicit TagNumbers(const Lengths& lengths) : known_(std::min(lengths.arrays().coarse.size(), most)) {}
    [[nodiscard]] std::size_t size() const noexcept { return known_ + 2; }
    // Of a run of numbers by tag, so that runs can be added with wide registers.
    [[nodiscard]] std::size_t stride() const noexcept { return (size() + 15) / 16 * 16; }
    [[nodiscard]] std::size_t root() const noexcept { return known_ + 1; }
    [[nodiscard]] std::size_t of(Lengths::Tags tags) const noexcept {
        return std::min<std::size_t>(tags.coarse, known_);
    }

private:
    std::size_t known_;
};

struct FactoredTable {
    // Throws ModelError unless the parts fit together, for so many tags (TagNumbers).
    FactoredTable(std::shared_ptr<const learn::HiddenTable> heads, std::shared_ptr<const learn::HiddenTable> modifiers,
                  std::uint32_t head_shift, std::uint32_t modifier_shift, std::vector<std::int32_t> pairs,
                  std::vector<std::int32_t> between);

    std::shared_ptr<const learn::HiddenTable> heads, modifiers;
    std::uint32_t head_shift, modifier_shift;  // of the numbers of a vector, so that they have few bits
    std::vector<std::int32_t> pairs;           // [modifier's tag][head's tag][lane]
    std::vector<std::int32_t> between;         // [modifier's tag][tag between][head's tag], with a stride
    double scale;                              // integer score = scale * real score

    [[nodiscard]] bool fits(const TagNumbers& tags) const noexcept {
        return pairs.size() == tags.size() * tags.size() * lanes &&
               between.size() == tags.size() * tags.size() * tags.stride();
    }
};

// Serves one thread.
class FactoredScorer {
public:
    // `scale` is that of the scores to be made.
    FactoredScorer(const FactoredModel& model, const FactoredTable& table, double scale, const features::WordRows& rows,
                   const corpus::Columns& columns);

    void enter(std::size_t sentence);
    // Adds to the scores of the arcs from these heads, in ascending order, to a word.
    void add(Node dependent, std::span<const Node> heads, std::span<std::int32_t> scores);
    [[nodiscard]] std::uint64_t rows_read() const noexcept { return rows_read_; }

private:
    static constexpr std::size_t lane_stride = 16;  // of the lane scores of a word
    struct RoleState {
        const learn::HiddenTable* table;
        std::uint32_t shift;
        std::int64_t lane_factor;  // from the outputs of the role to the table's scale
        WordReader reader;
        learn::HiddenScratch scratch;
        // By node, each read when an arc first asks for it.
        std::vector<std::uint8_t> is_read{};
        std::vector<std::int16_t> vectors{};
        std::vector<std::int32_t> lane_scores{};
    };
    [[nodiscard]] RoleState role(const features::Plan& plan, const learn::HiddenTable& table, std::uint32_t shift);
    // Makes the vector of a node and its scores of lanes.
    void read(Role role, Node node);
    // Of the nodes from the first of some heads to the last: what the tags between them and the word say.
    void sum_between(Node dependent, Node first, Node last);

    const FactoredModel& model_;
    const FactoredTable& table_;
    std::int64_t factor_;  // to the scale of the caller, as a fixed-point number
    features::AtomColumns columns_;
    std::uint16_t fine_, coarse_;
    std::array<RoleState, roles> roles_;
    features::SentenceAtoms words_;
    std::shared_ptr<const corpus::FormTypes> types_;
    WordRowLists lists_;
    std::span<const std::uint32_t> sentences_;  // where each begins in the document
    std::uint64_t rows_read_ = 0;
    TagNumbers tags_;
    std::vector<std::size_t> tag_of_;         // by node
    std::vector<std::int32_t> running_;       // by tag of the head: sums of the words between
    std::vector<std::int32_t> between_sums_;  // by node
    std::vector<std::int32_t> products_;      // of the heads of a word
};

}  // namespace laconic::graph
